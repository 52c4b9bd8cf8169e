# The tables of the design, read by CMake: one row and one file add an accumulator, an order, a generator ...

# Sets <list> to the ids of the rows MACRO(id, ...) of a table, in order.  Every row has a file `files`, whose * is the id,
# and every such file a row.
function(ulpscope_read_table list macro table)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
    file(STRINGS ${table} rows REGEX "^${macro}\\(")
    set(ids)
    foreach(row IN LISTS rows)
        string(REGEX REPLACE "^[A-Z_]+\\(([A-Za-z0-9_]+).*" "\\1" id "${row}")
        list(APPEND ids ${id})
    endforeach()
    if(ARGC GREATER 3)
        file(GLOB files RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${ARGV3})
        foreach(id IN LISTS ids)
            string(REPLACE "*" ${id} file ${ARGV3})
            if(NOT file IN_LIST files)
                message(FATAL_ERROR "${table} has a row '${id}', but there is no file ${file}")
            endif()
            list(REMOVE_ITEM files ${file})
        endforeach()
        if(files)
            list(GET files 0 file)
            message(FATAL_ERROR "${file} has no row in ${table}")
        endif()
    endif()
    set(${list} ${ids} PARENT_SCOPE)
endfunction()

# A room of the house: the archive of every .c file below a folder, and what it stands on.
function(ulpscope_add_room name folder)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*.c)
    list(FILTER files EXCLUDE REGEX "${ulpscope_compiled_apart}")
    add_library(${name} STATIC ${files})
    target_link_libraries(${name} PUBLIC ulpscope_flags ${ARGN})
endfunction()
# Verbs, tables of them, and black boxes: compiled with parameters.  Of the device there is the one with CUDA or the one without.
set(ulpscope_compiled_apart "/kernels/(verbs|compiled|black_boxes)\\.c$|/datasets/gaussian_table\\.c$|/ranks/mpi_module\\.c$")
if(EMSCRIPTEN) # where no process starts another
    string(APPEND ulpscope_compiled_apart "|/plugins/keeper\\.c$")
else()
    string(APPEND ulpscope_compiled_apart "|/plugins/keeper_none\\.c$")
endif()
if(ULPSCOPE_HAS_CUDA)
    string(APPEND ulpscope_compiled_apart "|/(matrix_|sum_)?device_none\\.c$")
else()
    string(APPEND ulpscope_compiled_apart "|/(matrix_|sum_)?device(_attack|_batch|_timing|_under)?_cuda\\.c$")
endif()

# Writes the file that includes every order.
function(ulpscope_generate_order_list file)
    set(text "/* Generated from kernels/orders.def. */\n")
    foreach(order IN LISTS ARGN)
        string(APPEND text "#include \"${PROJECT_SOURCE_DIR}/kernels/orders/${order}.h\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()

# Writes the header that has a file's text as a string.
function(ulpscope_generate_text header name file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\" \\\n    \"" text "${text}")
    file(CONFIGURE OUTPUT ${header} CONTENT "/* Generated from ${file}. */\n#define ${name} \"${text}\"\n" @ONLY)
endfunction()

# Writes the file that includes every family whose elements are formulas.
function(ulpscope_generate_element_list file)
    set(text "/* Generated from datasets/generators.def. */\n")
    foreach(family IN LISTS ARGN)
        string(APPEND text "#include \"${PROJECT_SOURCE_DIR}/datasets/generators/${family}.c\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()

# Writes the file that includes every operation, and sets <list> to those whose terms are their own.
function(ulpscope_generate_operations file list)
    set(own)
    set(text "/* Generated from kernels/operations.def. */\n")
    foreach(operation IN LISTS ARGN)
        file(STRINGS kernels/operations.def is_own REGEX "^OPERATION\\(${operation}, [0-9]+, OWN")
        if(is_own)
            list(APPEND own ${operation})
        endif()
        string(APPEND text "#include \"${PROJECT_SOURCE_DIR}/kernels/operations/${operation}.h\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    set(${list} ${own} PARENT_SCOPE)
endfunction()

# What kernels/verbs.c and methods.cu are compiled with: the parameters of the include-template.
function(ulpscope_define_template target accumulator file real operation)
    target_compile_definitions(${target} PRIVATE
        ACC=${accumulator} ACCUMULATOR_FILE="${file}" FORMAT=${real} FORMAT_FILE="kernels/formats/${real}.h"
        OPERATION_ID=${operation} IS_${operation})
endfunction()

# A library of objects that are compiled from it.
function(ulpscope_add_template target source) # then what ulpscope_define_template takes
    add_library(${target} OBJECT ${source})
    ulpscope_define_template(${target} ${ARGN})
    target_link_libraries(${target} PRIVATE ulpscope_flags)
    set_target_properties(${target} PROPERTIES ULPSCOPE_UNSANITIZED "${ULPSCOPE_FUZZ}") # parsers run no kernel
endfunction()

# How replays are compiled: they vectorise, but each mutant of theirs compiles all.  Those of terms of two numbers with -O1, half the time,
# and 1.0 to 2.4 times as slow.  Those of 16 bits and fewer with -Og, a tenth of the time, and as fast: rounding to them is integer code.
function(ulpscope_optimise_replays target real)
    set(optimisation -O3)
    if(target MATCHES "^methods_.*_(dot_exact|dot_fma)$")
        set(optimisation -O1)
    endif()
    if(real MATCHES "16|^e[45]")
        set(optimisation -Og)
    endif()
    if(ARGC GREATER 2) # matrix products are many, and their additions a loop
        set(optimisation -O3)
    endif()
    if(EMSCRIPTEN) # a page loads all of them
        set(optimisation -Os)
    endif()
    set(hurried "$<OR:$<CONFIG:Mutants>,$<BOOL:${ULPSCOPE_FUZZ}>>")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:$<IF:${hurried},-Og,${optimisation}>> $<$<COMPILE_LANGUAGE:C>:-fno-tree-slp-vectorize>)
endfunction()

# Gives a target its kernels.  In a hasty build those of plain in binary32 alone; all others in binary32, and those of other formats that are not
# the same lines, are compiled to PTX, for the lint, by a target of their own, <target>_kernels: no host half and no ptxas, a third of the time.
function(ulpscope_add_kernels target kernels accumulator file real) # then the last that ulpscope_define_template takes
    if(NOT ULPSCOPE_HASTY OR target MATCHES "^methods_plain_binary32")
        target_sources(${target} PRIVATE ${kernels})
        return()
    endif()
    set_target_properties(${target} PROPERTIES HAS_NO_KERNELS ON)
    file(STRINGS kernels/accumulators/${accumulator}.h lines REGEX "REAL_PRECISION == 53")
    if(real STREQUAL binary32 OR (lines AND real STREQUAL binary64) OR target MATCHES "^(methods_plain_[be]|black_boxes_binary16)")
        ulpscope_add_template(${target}_kernels "${kernels}" ${accumulator} ${file} ${real} ${ARGN})
        set_target_properties(${target}_kernels PROPERTIES CUDA_PTX_COMPILATION ON CUDA_ARCHITECTURES 90-virtual)
    endif()
endfunction()

# Whether an accumulator HAS_EXACT_PRODUCTS in a format, and so kernels for them alone: where there are any.
function(ulpscope_has_exact_products has accumulator real)
    set(line)
    if(ULPSCOPE_HAS_CUDA)
        file(STRINGS kernels/formats/${real}.h precision REGEX "^#define REAL_PRECISION")
        string(REGEX MATCH "[0-9]+" precision "${precision}")
        file(STRINGS kernels/accumulators/${accumulator}.h line
            REGEX "^#define ${accumulator}_HAS_EXACT_PRODUCTS \\(REAL_PRECISION == ${precision}\\)")
    endif()
    set(${has} "${line}" PARENT_SCOPE)
endfunction()

# The accumulator that a format has alone, in sums alone; empty: it has all.
function(ulpscope_only_accumulator only real)
    file(STRINGS kernels/formats/${real}.h line REGEX "^#define ONLY_ACCUMULATOR ")
    string(REGEX REPLACE ".* " "" line "${line}")
    set(${only} "${line}" PARENT_SCOPE)
endfunction()

# Compiles the methods of one accumulator into <target>, for each format that numbers are added in: the verbs, and
# where there is nvcc the device half, unless it MEASURES_ON_HOST.  Of operations whose terms are their own there are verbs, and
# of dot_exact a device half where the accumulator HAS_EXACT_PRODUCTS.  Those of matmul_accumulators.def have one of matrix products beside it, all SUMS one of scans.
function(ulpscope_add_methods target accumulator)
    file(STRINGS kernels/accumulators.def host_only REGEX "^ACCUMULATOR\\(${accumulator}, MEASURES_ON_HOST")
    file(STRINGS kernels/accumulators.def sums REGEX "^ACCUMULATOR\\(${accumulator}, SUMS")
    foreach(real binary32 binary64 binary16 bfloat16 e4m3 e5m2)
        ulpscope_only_accumulator(only ${real})
        if(only AND NOT only STREQUAL accumulator)
            continue()
        endif()
        ulpscope_has_exact_products(exact_products ${accumulator} ${real})
        set(kernels kernels/methods.cu)
        set(multiplies)
        if(accumulator IN_LIST matmul_accumulators AND NOT only)
            list(APPEND kernels kernels/matmul_methods.cu)
            set(multiplies MULTIPLIES)
        endif()
        set(object methods_${accumulator}_${real})
        set(scans)
        if(sums AND NOT only)
            set(scans kernels/scan_methods.cu)
        endif()
        ulpscope_add_template(${object} kernels/verbs.c ${accumulator} kernels/accumulators/${accumulator}.h ${real} sum)
        target_compile_definitions(${object} PRIVATE $<$<BOOL:${scans}>:SCANS>)
        if(host_only)
            target_compile_definitions(${object} PRIVATE ACCUMULATOR_HOST_ONLY)
        elseif(ULPSCOPE_HAS_CUDA)
            ulpscope_add_kernels(${object} "${kernels};${scans}" ${accumulator} kernels/accumulators/${accumulator}.h ${real} sum)
        endif()
        set(objects ${object})
        foreach(operation IN LISTS own_operations)
            if(sums AND NOT only)
                ulpscope_add_template(${object}_${operation} kernels/verbs.c
                    ${accumulator} kernels/accumulators/${accumulator}.h ${real} ${operation})
                list(APPEND objects ${object}_${operation})
            endif()
            if(exact_products AND operation STREQUAL dot_exact)
                ulpscope_add_kernels(${object}_${operation} "${kernels}"
                    ${accumulator} kernels/accumulators/${accumulator}.h ${real} ${operation})
            endif()
        endforeach()
        foreach(compiled IN LISTS objects)
            ulpscope_optimise_replays(${compiled} ${real} ${multiplies})
            target_compile_definitions(${compiled} PRIVATE ${multiplies})
            target_compile_options(${compiled} PRIVATE $<$<BOOL:$<TARGET_PROPERTY:${object},HAS_NO_KERNELS>>:-UULPSCOPE_CUDA>)
            target_sources(${target} PRIVATE $<TARGET_OBJECTS:${compiled}>)
        endforeach()
    endforeach()
endfunction()

# Compiles the tables of what is compiled into <target>.
function(ulpscope_add_rows target)
    foreach(operation sum ${own_operations})
        add_library(rows_${operation} OBJECT kernels/compiled.c)
        target_compile_definitions(rows_${operation} PRIVATE OPERATION_ID=${operation} $<$<STREQUAL:${operation},sum>:MEASURES_TOO>)
        target_link_libraries(rows_${operation} PRIVATE ulpscope_flags)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:rows_${operation}>)
    endforeach()
endfunction()

# Compiles the replays of every broken accumulator into <target>.  -Og: a quarter of the time that -O3 takes to build, and
# little slower.
function(ulpscope_add_broken target)
    foreach(id IN LISTS ARGN)
        file(STRINGS kernels/broken.def row REGEX "^BROKEN\\(${id},")
        string(REGEX REPLACE "^BROKEN\\([a-z0-9_]+, ([a-z0-9_]+),.*" "\\1" accumulator "${row}")
        ulpscope_add_template(broken_${id} kernels/verbs.c ${accumulator} kernels/broken/${id}.h binary32 sum)
        target_compile_options(broken_${id} PRIVATE $<IF:$<BOOL:${EMSCRIPTEN}>,-Os,-Og>)
        target_compile_definitions(broken_${id} PRIVATE VARIANT=${id})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:broken_${id}>)
    endforeach()
endfunction()

# Compiles the black boxes into <target>, for each format that numbers are added in: the host half of all, and the device half of each library where
# there is nvcc.  Their kernels are not linted: whatever CUB and cuBLAS do to add, fused or approximate, is what a black box is measured for,
# and without a replay no bits are promised.  CUB is compiled here and obeys our flags; cuBLAS came compiled.
function(ulpscope_add_black_boxes target)
    list(TRANSFORM ARGN PREPEND kernels/black_boxes/ OUTPUT_VARIABLE files)
    list(TRANSFORM files APPEND .cu)
    foreach(real binary64 binary32 binary16 bfloat16)
        set(object black_boxes_${real})
        set(of_plain plain kernels/accumulators/plain.h ${real} sum) # real, and the bound of plain additions
        ulpscope_add_template(${object} kernels/black_boxes.c ${of_plain})
        if(ULPSCOPE_HAS_CUDA)
            ulpscope_add_kernels(${object} "${files}" ${of_plain})
        endif()
        target_compile_options(${object} PRIVATE $<$<BOOL:$<TARGET_PROPERTY:HAS_NO_KERNELS>>:-UULPSCOPE_CUDA>)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
    if(ULPSCOPE_HAS_CUDA)
        target_link_libraries(${target} PUBLIC ${CMAKE_DL_LIBS}) # cuBLAS is looked for at run time
    endif()
endfunction()
