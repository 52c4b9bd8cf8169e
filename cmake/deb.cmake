# The .deb: one package of program, library and headers.  What Debian wants beside the installed files is made by deb_files.cmake.
set(maintainer "The ulpscope authors <authors@ulpscope.invalid>")
if(DEFINED ENV{DEBEMAIL} AND DEFINED ENV{DEBFULLNAME}) # as Debian's own tools have it
    set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(ULPSCOPE_MAINTAINER "${maintainer}" CACHE STRING "Maintainer of the .deb: who builds it")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "accuracy of floating-point sums, held against the exact one")
set(CPACK_PACKAGE_DESCRIPTION "ulpscope measures how accurate a floating-point sum, dot product or matrix
product is: every way of adding on a GPU, and your own, on data built to
break it, against the exact result.  It needs no GPU: each ordered method
also exists as a replay on the host that gives the same bits.
.
libulpscope and its headers are for assertions in tests of your own.")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${ULPSCOPE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, pkgconf, openmpi-bin | mpich")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
file(WRITE ${PROJECT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/deb_files.cmake)
set(CPACK_ULPSCOPE_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_ULPSCOPE_DOC ${CMAKE_INSTALL_DOCDIR})
set(CPACK_ULPSCOPE_MAN ${CMAKE_INSTALL_MANDIR})
