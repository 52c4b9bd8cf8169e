# ulpscope-mpi-LIBRARY.so for each MPI library with a header here, beside the program: what mpirun's processes say to each other with.  It is
# not linked with the library, which the program loads first (src/ranks/ranks.c), so that no package depends on one.
option(ULPSCOPE_MPI "Modules for the MPI libraries that are found" ON)

# Adds the module, compiled with these include directories.
function(ulpscope_add_mpi library)
    add_library(mpi_${library} MODULE src/ranks/mpi_module.c)
    target_link_libraries(mpi_${library} PRIVATE ulpscope_flags)
    target_include_directories(mpi_${library} SYSTEM PRIVATE ${ARGN})
    set_target_properties(mpi_${library} PROPERTIES PREFIX "" OUTPUT_NAME ulpscope-mpi-${library})
    target_compile_options(mpi_${library} PRIVATE -fvisibility=hidden)
    install(TARGETS mpi_${library} DESTINATION libexec/ulpscope)
    add_dependencies(ulpscope mpi_${library})
    message(STATUS "ulpscope: runs as ranks of ${library}")
endfunction()

# The library whose mpi.h that is.
function(ulpscope_name_mpi name)
    find_file(ULPSCOPE_MPI_HEADER mpi.h PATHS ${ARGN} NO_DEFAULT_PATH)
    mark_as_advanced(ULPSCOPE_MPI_HEADER)
    file(STRINGS ${ULPSCOPE_MPI_HEADER} of_open_mpi REGEX "OMPI_MAJOR_VERSION" LIMIT_COUNT 1)
    set(${name} mpich PARENT_SCOPE) # and all that have its interface
    if(of_open_mpi)
        set(${name} openmpi PARENT_SCOPE)
    endif()
endfunction()

if(ULPSCOPE_MPI)
    pkg_check_modules(OPENMPI QUIET ompi-c) # a .pc file each, so that both are found
    pkg_check_modules(MPICH QUIET mpich)
    foreach(library IN ITEMS OPENMPI MPICH)
        if(${library}_FOUND)
            string(TOLOWER ${library} name)
            ulpscope_add_mpi(${name} ${${library}_INCLUDE_DIRS})
        endif()
    endforeach()
    if(NOT TARGET mpi_openmpi AND NOT TARGET mpi_mpich) # one without a .pc file, by its mpicc
        set(MPI_CXX_SKIP_MPICXX ON)
        find_package(MPI QUIET COMPONENTS C)
        if(MPI_C_FOUND)
            ulpscope_name_mpi(library ${MPI_C_INCLUDE_DIRS})
            ulpscope_add_mpi(${library} ${MPI_C_INCLUDE_DIRS})
        endif()
    endif()
endif()
