# What every object is compiled with.  The floating-point flags are not a matter of taste: they are what makes a replay
# and its kernel give the same bits (docs/architecture.md, "Same bits").
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF) # -std=c11: gnu11 contracts a*b + c to a fused multiply-add
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1") # lines, for backtraces; Debug has all.  No -DNDEBUG: broken invariants stop the program in every build
set(CMAKE_CUDA_FLAGS_RELWITHDEBINFO "-O2") # of the host halves, which start kernels; device halves are optimised anyway
if(ULPSCOPE_HASTY)
    set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2") # no lines: nobody reads its backtraces
    set(CMAKE_CUDA_FLAGS_RELWITHDEBINFO "-Ofc=max -Xptxas=-O0 -Xfatbin=-compress-all") # 6 % of the size: programs are linked sooner
endif()

set(ulpscope_host_floating_point -ffp-contract=off -fno-fast-math)
set(ulpscope_device_floating_point --fmad=false --ftz=false --prec-div=true --prec-sqrt=true)

add_library(ulpscope_flags INTERFACE)
target_compile_definitions(ulpscope_flags INTERFACE _GNU_SOURCE)
target_include_directories(ulpscope_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include) # every include is a path from the root, or a neighbour
target_compile_options(ulpscope_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:C>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>" # assert names files, not where they were built
    "$<$<COMPILE_LANGUAGE:C>:${ulpscope_host_floating_point};-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow$<$<BOOL:${EMSCRIPTEN}>:;-Wno-shorten-64-to-32>>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${ulpscope_device_floating_point};-Xcompiler=-Wall,-Wextra,-Wshadow,-ffp-contract=off>")
if(ULPSCOPE_WERROR)
    target_compile_options(ulpscope_flags INTERFACE
        "$<$<COMPILE_LANGUAGE:C>:-Werror>" "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror;--Werror=all-warnings>")
endif()
if(ULPSCOPE_SANITIZE)
    target_compile_options(ulpscope_flags INTERFACE
        "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:ULPSCOPE_UNSANITIZED>>>:-fsanitize=${ULPSCOPE_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
    target_link_options(ulpscope_flags INTERFACE -fsanitize=${ULPSCOPE_SANITIZE})
endif()
if(ULPSCOPE_HAS_CUDA)
    target_compile_definitions(ulpscope_flags INTERFACE ULPSCOPE_CUDA)
endif()
