# cmake --install, and the target package: a folder that runs on any x86-64 Linux with a glibc no older than this
# machine's.  It holds the program and every shared library it needs but libc's own; CUDA's runtime is linked in, the
# driver is found at run time.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")

function(ulpscope_install program)
    install(TARGETS ${program} RUNTIME_DEPENDENCY_SET dependencies RUNTIME DESTINATION bin)
    install(RUNTIME_DEPENDENCY_SET dependencies DESTINATION lib
        PRE_EXCLUDE_REGEXES "^ld-linux" "^libc\\.so" "^libm\\.so" "^libdl\\.so" "^libpthread\\.so" "^librt\\.so" "^libcuda\\.so"
        POST_EXCLUDE_REGEXES "/ld-linux" "/libc\\.so")
    install(FILES README.md LICENSE DESTINATION .)
    install(DIRECTORY datasets/studies datasets/curated DESTINATION share/ulpscope)
endfunction()

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_FILE_NAME ulpscope-${PROJECT_VERSION}-linux-x86_64)
set(CPACK_STRIP_FILES ON)
include(CPack)
