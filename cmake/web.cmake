# How the program becomes build/web/web/engine/program.js, which starts it afresh for each command.
target_sources(base PRIVATE web/engine/libc/web.c)
find_library(ULPSCOPE_ARGP argp REQUIRED) # gnulib's
target_link_libraries(commands PUBLIC ${ULPSCOPE_ARGP})
target_link_options(ulpscope PRIVATE -O2 -sMODULARIZE -sEXPORT_NAME=ulpscope_module -sENVIRONMENT=web,worker,node
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=8MB -sINVOKE_RUN=0 -sEXIT_RUNTIME=1
    -sFORCE_FILESYSTEM -sEXPORTED_RUNTIME_METHODS=FS,ENV,callMain)
target_link_options(gaussian_table PRIVATE -sWASM_ASYNC_COMPILATION=0 -sALLOW_MEMORY_GROWTH) # node has fetch, which knows no files

add_custom_command(OUTPUT web/engine/program.js
    COMMAND ${CMAKE_COMMAND} -E make_directory web/engine
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/web/engine/engine.js ${PROJECT_SOURCE_DIR}/web/engine/worker.js web/engine
    COMMAND node ${PROJECT_SOURCE_DIR}/web/engine/pack.js ulpscope.js ulpscope.wasm web/engine/program.js
    DEPENDS ulpscope web/engine/engine.js web/engine/worker.js web/engine/pack.js
    VERBATIM)
add_custom_target(web_engine ALL DEPENDS web/engine/program.js)

# The replays' golden bits, for node: tests/web/test_engine.py compares them.
add_executable(golden_bits tests/kernels/golden_bits.c tests/kernels/golden_grid.c)
target_link_libraries(golden_bits PRIVATE device store)
target_link_options(golden_bits PRIVATE -O2 -sALLOW_MEMORY_GROWTH -sTOTAL_STACK=8MB -sEXIT_RUNTIME=1 -sENVIRONMENT=node -sWASM_ASYNC_COMPILATION=0)
