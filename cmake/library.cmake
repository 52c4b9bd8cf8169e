# libulpscope: a shared library of its own objects, position-independent, so that the rest of the build is what it was.
# Of the other rooms it has what an exact sum needs, the theorems, and the heights of orders; no MPFR (docs/decisions/0025-library.md).
file(GLOB library_files CONFIGURE_DEPENDS src/library/*.c)
list(FILTER library_files EXCLUDE REGEX "/accumulator_bound\\.c$")
add_library(ulpscope_library SHARED ${library_files}
    reference/bins.c reference/matrix.c reference/near.c src/base/chains.c src/base/format.c src/base/limit_text.c src/base/mode.c src/base/suggest.c
    src/base/workers.c kernels/operations.c kernels/replay.c kernels/statistic_bound.c kernels/sum_format.c
    kernels/tree_word.c)
target_link_libraries(ulpscope_library PRIVATE ulpscope_flags m Threads::Threads)
target_include_directories(ulpscope_library INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_options(ulpscope_library PRIVATE -fvisibility=hidden)
target_compile_definitions(ulpscope_library PRIVATE NDEBUG) # which ends no program: a replay has an assert
set_target_properties(ulpscope_library PROPERTIES OUTPUT_NAME ulpscope VERSION ${PROJECT_VERSION} SOVERSION 0
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/library/library.map)
target_link_options(ulpscope_library PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/src/library/library.map)

file(STRINGS kernels/accumulators.def summing REGEX "^ACCUMULATOR\\([a-z0-9_]+, SUMS")
foreach(row IN LISTS summing)
    string(REGEX REPLACE "^ACCUMULATOR\\(([a-z0-9_]+).*" "\\1" accumulator "${row}")
    foreach(real binary32 binary64 binary16 bfloat16)
        set(object library_bound_${accumulator}_${real})
        ulpscope_add_template(${object} src/library/accumulator_bound.c ${accumulator} kernels/accumulators/${accumulator}.h ${real} sum)
        set_target_properties(${object} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_compile_options(${object} PRIVATE -fvisibility=hidden)
        target_sources(ulpscope_library PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
endforeach()
