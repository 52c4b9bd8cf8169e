// plain.c in C++, and a type of one's own.
#include <ulpscope/ulpscope.h>

namespace mine
{
struct half {
    unsigned short bits;
};

inline ulpscope_format ulpscope_format_of(const half *)
{
    return ULPSCOPE_BINARY16;
}
} // namespace mine

#include "plain.c"

static void own(int broken)
{
    const mine::half x[] = {{0x3c00}, {0x3e00}}, computed = {(unsigned short)(broken ? 0x4000 : 0x4100)};
    ULPSCOPE_ASSERT_SUM(x, 2, computed, "exact");
}
