# Decides whether the kernels are built, and says so in one line.
set(ULPSCOPE_HAS_CUDA OFF)
option(ULPSCOPE_HASTY "For a machine without a GPU: kernels are compiled to PTX, not optimised and not linked, but for those of plain in binary32" OFF)
if(NOT ULPSCOPE_CUDA STREQUAL "OFF")
    if(NOT CMAKE_CUDA_COMPILER)
        unset(CMAKE_CUDA_COMPILER CACHE) # "not found" of an earlier time: nvcc may have come since
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
            set(CMAKE_CUDA_ARCHITECTURES 90) # one architecture keeps a full build short; the preset portable has all
        endif()
        enable_language(CUDA)
        find_package(CUDAToolkit REQUIRED)
        set(ULPSCOPE_HAS_CUDA ON)
        message(STATUS "ulpscope: with CUDA kernels (nvcc ${CMAKE_CUDA_COMPILER_VERSION}, "
            "architectures ${CMAKE_CUDA_ARCHITECTURES})")
    elseif(ULPSCOPE_CUDA STREQUAL "ON")
        message(FATAL_ERROR "ULPSCOPE_CUDA=ON, but no working nvcc was found. Put nvcc on PATH, or name it with "
            "-DCMAKE_CUDA_COMPILER=/path/to/nvcc, or leave the kernels out with -DULPSCOPE_CUDA=OFF.")
    else()
        message(STATUS "ulpscope: host only, replays instead of kernels (no nvcc found)")
    endif()
else()
    message(STATUS "ulpscope: host only, replays instead of kernels (ULPSCOPE_CUDA=OFF)")
endif()
