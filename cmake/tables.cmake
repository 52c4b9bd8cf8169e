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
# Host half of a method, stepper and black boxes: compiled with parameters.  Of the device there is the one with CUDA or the one without.
set(ulpscope_compiled_apart "/kernels/(methods|steps|black_boxes)\\.c$")
if(ULPSCOPE_HAS_CUDA)
    string(APPEND ulpscope_compiled_apart "|/device_none\\.c$")
else()
    string(APPEND ulpscope_compiled_apart "|/device(_timing)?_cuda\\.c$")
endif()

# Writes the file that includes every order.
function(ulpscope_generate_order_list file)
    set(text "/* Generated from kernels/orders.def. */\n")
    foreach(order IN LISTS ARGN)
        string(APPEND text "#include \"${PROJECT_SOURCE_DIR}/kernels/orders/${order}.h\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()

# Writes the file that includes every family whose elements are formulas.
function(ulpscope_generate_element_list file)
    set(text "/* Generated from datasets/generators.def. */\n")
    foreach(family IN LISTS ARGN)
        string(APPEND text "#include \"${PROJECT_SOURCE_DIR}/datasets/generators/${family}.c\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()

# What kernels/methods.c and methods.cu are compiled with: the parameters of the include-template.
function(ulpscope_define_template target accumulator file real)
    target_compile_definitions(${target} PRIVATE
        ACC=${accumulator} ACCUMULATOR_FILE="${file}"
        FORMAT=${real} FORMAT_FILE="kernels/formats/${real}.h" OPERATION=sum OPERATION_FILE="kernels/operations/sum.h")
endfunction()

# Compiles the methods of one accumulator into <target>, for each format that numbers are added in: the host half, its stepper, if it
# SUMS, and where there is nvcc the device half, unless it MEASURES_ON_HOST.
function(ulpscope_add_methods target accumulator)
    file(STRINGS kernels/accumulators.def host_only REGEX "^ACCUMULATOR\\(${accumulator}, MEASURES_ON_HOST")
    file(STRINGS kernels/accumulators.def sums REGEX "^ACCUMULATOR\\(${accumulator}, SUMS")
    foreach(real binary32 binary64 binary16 bfloat16)
        set(object methods_${accumulator}_${real})
        add_library(${object} OBJECT kernels/methods.c)
        if(sums)
            target_sources(${object} PRIVATE kernels/steps.c)
        endif()
        if(host_only)
            target_compile_definitions(${object} PRIVATE ACCUMULATOR_HOST_ONLY)
        elseif(ULPSCOPE_HAS_CUDA)
            target_sources(${object} PRIVATE kernels/methods.cu)
        endif()
        if(real MATCHES "16")
            set(optimisation -Og) # a tenth of the time to build, and as fast: rounding to 16 bits is integer code
        else()
            set(optimisation "$<IF:$<OR:$<CONFIG:Mutants>,$<BOOL:${ULPSCOPE_FUZZ}>>,-Og,-O3>") # replays vectorise, but each mutant of theirs compiles all
        endif()
        target_compile_options(${object} PRIVATE $<$<COMPILE_LANGUAGE:C>:${optimisation}>)
        ulpscope_define_template(${object} ${accumulator} kernels/accumulators/${accumulator}.h ${real})
        set_target_properties(${object} PROPERTIES ULPSCOPE_UNSANITIZED "${ULPSCOPE_FUZZ}") # parsers run no kernel
        target_link_libraries(${object} PRIVATE ulpscope_flags)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
endfunction()

# Compiles the replays of every broken accumulator into <target>.  -Og: a quarter of the time that -O3 takes to build, and
# little slower.
function(ulpscope_add_broken target)
    foreach(id IN LISTS ARGN)
        file(STRINGS kernels/broken.def row REGEX "^BROKEN\\(${id},")
        string(REGEX REPLACE "^BROKEN\\([a-z0-9_]+, ([a-z0-9_]+),.*" "\\1" accumulator "${row}")
        add_library(broken_${id} OBJECT kernels/methods.c)
        set_target_properties(broken_${id} PROPERTIES ULPSCOPE_UNSANITIZED "${ULPSCOPE_FUZZ}")
        target_link_libraries(broken_${id} PRIVATE ulpscope_flags)
        target_compile_options(broken_${id} PRIVATE -Og)
        ulpscope_define_template(broken_${id} ${accumulator} kernels/broken/${id}.h binary32)
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
        add_library(${object} OBJECT kernels/black_boxes.c)
        if(ULPSCOPE_HAS_CUDA)
            target_sources(${object} PRIVATE ${files})
        endif()
        target_link_libraries(${object} PRIVATE ulpscope_flags)
        ulpscope_define_template(${object} plain kernels/accumulators/plain.h ${real}) # real, and the bound of plain additions
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
    if(ULPSCOPE_HAS_CUDA)
        target_link_libraries(${target} PUBLIC ${CMAKE_DL_LIBS}) # cuBLAS is looked for at run time
    endif()
endfunction()
