#pragma once
static inline const char *gnu_get_libc_version(void)
{
    return "none; musl, as emscripten has it";
}
