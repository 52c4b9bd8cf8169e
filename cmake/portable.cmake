# The preset portable: a folder that runs on any x86-64 Linux with glibc 2.35 or newer.  All libraries but glibc's are
# linked into its program (libraries.cmake); CUDA's driver is found at run time.
# docs/decisions/0003-portable.md
option(ULPSCOPE_PORTABLE "Link all libraries but glibc's into the program" OFF)

# Kernels in an eighth of the bytes.  What CUDA 13 compiles needs its driver, which unpacks them; one for CUDA 12 may not.
if(ULPSCOPE_PORTABLE AND ULPSCOPE_HAS_CUDA AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(ulpscope_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>")
endif()

# Links compiler libraries in, too.
function(ulpscope_make_portable)
    if(ULPSCOPE_PORTABLE)
        foreach(target IN LISTS ARGN)
            target_link_options(${target} PRIVATE -static-libgcc -static-libstdc++)
            target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/no_arc4random.c)
        endforeach()
    endif()
endfunction()

# The licence of a library that is linked in goes with the program.
function(ulpscope_install_licence package)
    if(ULPSCOPE_PORTABLE)
        install(FILES /usr/share/doc/${package}/copyright DESTINATION share/doc/ulpscope RENAME ${package})
    endif()
endfunction()

# So do those of the compilers' runtimes, and the texts that Debian's files refer to.
if(ULPSCOPE_PORTABLE)
    string(REGEX MATCH "^[0-9]+" gcc "${CMAKE_C_COMPILER_VERSION}")
    ulpscope_install_licence(gcc-${gcc}-base)
    foreach(text LGPL-2.1 LGPL-3 GPL-2 GPL-3)
        install(FILES /usr/share/common-licenses/${text} DESTINATION share/doc/ulpscope)
    endforeach()
    if(ULPSCOPE_HAS_CUDA) # of the toolkit; or of its parts, as PyPI has them
        foreach(part runtime cccl)
            file(GLOB found ${CUDAToolkit_LIBRARY_ROOT}/EULA.txt ${CUDAToolkit_LIBRARY_ROOT}/dist-info/nvidia_cuda_${part}-*/licenses/License.txt)
            if(NOT found)
                message(FATAL_ERROR "The licence of CUDA is neither ${CUDAToolkit_LIBRARY_ROOT}/EULA.txt nor in dist-info; put it there, since it goes with the program")
            endif()
            list(GET found 0 found)
            install(FILES ${found} DESTINATION share/doc/ulpscope RENAME cuda-${part})
        endforeach()
    endif()
endif()
