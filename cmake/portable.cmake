# cmake --install, and the preset portable: a folder that runs on any x86-64 Linux with glibc 2.35 or newer.  All
# libraries but glibc's are linked into its program (libraries.cmake); CUDA's driver is found at run time.
# docs/decisions/0003-portable.md
option(ULPSCOPE_PORTABLE "Link all libraries but glibc's into the program" OFF)

# Kernels in an eighth of the bytes.  What CUDA 13 compiles needs its driver, which unpacks them; one for CUDA 12 may not.
if(ULPSCOPE_PORTABLE AND ULPSCOPE_HAS_CUDA AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(ulpscope_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>")
endif()

function(ulpscope_install program)
    install(TARGETS ${program})
    install(FILES README.md LICENSE DESTINATION $<IF:$<BOOL:${ULPSCOPE_PORTABLE}>,.,share/doc/ulpscope>)
    install(DIRECTORY datasets/studies datasets/curated DESTINATION share/ulpscope OPTIONAL)
    install(DIRECTORY reports/schemas DESTINATION share/ulpscope)
    if(ULPSCOPE_PORTABLE)
        target_link_options(${program} PRIVATE -static-libgcc -static-libstdc++)
        target_sources(${program} PRIVATE cmake/no_arc4random.c)
    endif()
endfunction()

# What plug-ins are made with, and run in.
function(ulpscope_install_worker program)
    install(TARGETS ${program})
    install(DIRECTORY include/ulpscope DESTINATION include)
    install(DIRECTORY examples DESTINATION share/ulpscope PATTERN plugin.h EXCLUDE) # a link in the sources
    foreach(kind c cuda)
        install(FILES include/ulpscope/plugin.h DESTINATION share/ulpscope/examples/plugins/${kind}/ulpscope)
    endforeach()
    install(DIRECTORY python DESTINATION share/ulpscope FILES_MATCHING PATTERN "*.py" PATTERN "*.ptx" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
    foreach(folder python examples) # beside the program, as it is built
        file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/${folder} SYMBOLIC)
    endforeach()
endfunction()

# The licence of a library that is linked in goes with the program.
function(ulpscope_install_licence package)
    if(ULPSCOPE_PORTABLE)
        install(FILES /usr/share/doc/${package}/copyright DESTINATION share/doc/ulpscope RENAME ${package})
    endif()
endfunction()

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_FILE_NAME ulpscope-${PROJECT_VERSION}-linux-x86_64)
set(CPACK_STRIP_FILES ON)
include(CPack)
