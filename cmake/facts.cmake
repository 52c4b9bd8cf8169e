# The target build_facts, which writes <generated>/build.h.
function(ulpscope_generate_build_facts header)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    string(JOIN " " c_flags -std=c11 ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}} ${ulpscope_host_floating_point})
    set(cuda_compiler "none")
    set(cuda_flags "")
    if(ULPSCOPE_HAS_CUDA)
        set(cuda_compiler "nvcc ${CMAKE_CUDA_COMPILER_VERSION}")
        string(JOIN " " cuda_flags ${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_${type}} ${ulpscope_device_floating_point})
    endif()
    add_custom_target(build_facts
        COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D OUTPUT=${header} -D VERSION=${PROJECT_VERSION}
            -D "C_COMPILER=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}" -D "C_FLAGS=${c_flags}"
            -D "CUDA_COMPILER=${cuda_compiler}" -D "CUDA_FLAGS=${cuda_flags}"
            -D "CUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES}"
            -P ${PROJECT_SOURCE_DIR}/cmake/build_facts.cmake
        BYPRODUCTS ${header}
        COMMENT "Build facts"
        VERBATIM)
endfunction()
