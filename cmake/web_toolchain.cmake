# The toolchain of the preset web: Debian's emscripten (or the one that EMSCRIPTEN names), and the libraries that tools/web_libraries built.
if(NOT DEFINED ENV{EMSCRIPTEN})
    set(ENV{EMSCRIPTEN} /usr/share/emscripten)
endif()
set(web_libraries $ENV{ULPSCOPE_WEB_LIBRARIES})
foreach(cache IN ITEMS $ENV{XDG_CACHE_HOME} $ENV{HOME}/.cache)
    if(NOT web_libraries)
        set(web_libraries ${cache}/ulpscope-web)
    endif()
endforeach()
list(APPEND CMAKE_FIND_ROOT_PATH ${web_libraries})
set(ENV{PKG_CONFIG_LIBDIR} ${web_libraries}/lib/pkgconfig)
set(ENV{NODE_PATH} /usr/share/nodejs) # Debian's acorn, which emcc needs, for any node
set(CMAKE_C_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
set(web_libc ${CMAKE_CURRENT_LIST_DIR}/../web/engine/libc)
set(CMAKE_C_FLAGS_INIT "-include ${web_libc}/web.h -isystem ${web_libc} -isystem ${web_libraries}/include")
include($ENV{EMSCRIPTEN}/cmake/Modules/Platform/Emscripten.cmake)

# emcc is a program of Python: starting it for each file takes longer than compiling that.  Debian's clang is called as it would call it.
if("$ENV{EMSCRIPTEN}" STREQUAL /usr/share/emscripten AND EXISTS /usr/bin/clang-14)
    execute_process(COMMAND emcc --cflags OUTPUT_VARIABLE web_flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(CMAKE_C_COMPILE_OBJECT "/usr/bin/clang-14 ${web_flags} <DEFINES> <INCLUDES> <FLAGS> -g0 -o <OBJECT> -c <SOURCE>")
endif()
