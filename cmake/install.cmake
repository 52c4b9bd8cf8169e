# cmake --install and cpack: program, library, headers, pkg-config file, CMake package, man pages, documentation, examples; as a
# prefix that may be moved, a .deb or, of the preset portable, a folder that needs nothing.  docs/install.md
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(ulpscope_share ${CMAKE_INSTALL_DATAROOTDIR}/ulpscope)

# ---- the program, the process of its plug-ins, and what both find beside themselves ----
install(TARGETS ulpscope)
install(TARGETS ulpscope_worker DESTINATION libexec/ulpscope)
install(DIRECTORY datasets/studies datasets/curated reports/schemas DESTINATION ${ulpscope_share})
install(DIRECTORY examples DESTINATION ${ulpscope_share}
    PATTERN plugin.h EXCLUDE # a link in the sources
    PATTERN __pycache__ EXCLUDE
    PATTERN "*.sh" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
foreach(kind c cuda)
    install(FILES include/ulpscope/plugin.h DESTINATION ${ulpscope_share}/examples/plugins/${kind}/ulpscope)
endforeach()
install(DIRECTORY python DESTINATION ${ulpscope_share} FILES_MATCHING PATTERN "*.py" PATTERN "*.ptx" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
foreach(folder python examples) # beside the program, as it is built
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/${folder} SYMBOLIC)
endforeach()

# ---- the library ----
install(DIRECTORY include/ulpscope DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(ulpscope_package ${CMAKE_INSTALL_LIBDIR}/cmake/ulpscope)
set_target_properties(ulpscope_library PROPERTIES EXPORT_NAME ulpscope)
install(TARGETS ulpscope_library EXPORT ulpscope INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ulpscope NAMESPACE ulpscope:: FILE ulpscope-targets.cmake DESTINATION ${ulpscope_package})
configure_package_config_file(cmake/ulpscope-config.cmake.in ${PROJECT_BINARY_DIR}/ulpscope-config.cmake
    INSTALL_DESTINATION ${ulpscope_package})
set(compatible SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatible SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ulpscope-config-version.cmake COMPATIBILITY ${compatible})
install(FILES ${PROJECT_BINARY_DIR}/ulpscope-config.cmake ${PROJECT_BINARY_DIR}/ulpscope-config-version.cmake
    DESTINATION ${ulpscope_package})
file(RELATIVE_PATH prefix_of_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /) # so that the prefix may be moved
string(REGEX REPLACE "/$" "" prefix_of_pc ${prefix_of_pc})
set(rpath " -Xlinker -rpath=\${libdir}") # nvcc refuses -Wl
configure_file(cmake/ulpscope.pc.in ulpscope.pc @ONLY)
set(rpath) # of /usr, which the loader searches
configure_file(cmake/ulpscope.pc.in usr/ulpscope.pc @ONLY)
install(CODE "set(of_usr)
    if(CMAKE_INSTALL_PREFIX STREQUAL /usr) # known now, and not when it is configured
        set(of_usr usr/)
    endif()
    file(INSTALL \"${PROJECT_BINARY_DIR}/\${of_usr}ulpscope.pc\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\")")

# ---- man pages ----
find_program(ULPSCOPE_HELP2MAN help2man)
find_program(ULPSCOPE_LOWDOWN lowdown)
mark_as_advanced(ULPSCOPE_HELP2MAN ULPSCOPE_LOWDOWN)
if(ULPSCOPE_HELP2MAN AND ULPSCOPE_LOWDOWN)
    file(GLOB pages CONFIGURE_DEPENDS docs/*.md)
    set(man ${PROJECT_BINARY_DIR}/man)
    add_custom_command(OUTPUT ${man}/made
        COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/man_pages.sh $<TARGET_FILE:ulpscope> ${PROJECT_SOURCE_DIR} ${PROJECT_VERSION} ${man}
        COMMAND ${CMAKE_COMMAND} -E touch ${man}/made
        DEPENDS ulpscope cmake/man_pages.sh ${pages}
        COMMENT "Man pages"
        VERBATIM)
    add_custom_target(man_pages ALL DEPENDS ${man}/made)
    install(DIRECTORY ${man}/man1 ${man}/man5 DESTINATION ${CMAKE_INSTALL_MANDIR})
else()
    message(STATUS "ulpscope: without man pages (apt-get install help2man lowdown, for those who want them)")
endif()

# ---- documentation ----
if(NOT ULPSCOPE_PORTABLE) # of which it stands at the top
    install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
install(CODE "set(source [[${PROJECT_SOURCE_DIR}]])
    set(work [[${PROJECT_BINARY_DIR}]])
    set(doc \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")
    set(portable ${ULPSCOPE_PORTABLE})")
install(SCRIPT cmake/install_docs.cmake)

# ---- packages ----
set(CPACK_PACKAGE_NAME ulpscope)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
find_program(ULPSCOPE_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(ULPSCOPE_SHLIBDEPS)
if(ULPSCOPE_PORTABLE OR NOT ULPSCOPE_SHLIBDEPS)
    set(CPACK_GENERATOR TGZ)
    set(CPACK_PACKAGE_FILE_NAME ulpscope-${PROJECT_VERSION}-linux-x86_64)
else()
    include(deb)
endif()
include(CPack)
