#if !__has_include(<catch2/catch_test_macros.hpp>)
#define CATCH_CONFIG_MAIN // of Catch2 2
#endif
#include <ulpscope/assert_catch2.h>

#include "sums.h"

TEST_CASE("sound")
{
    ULPSCOPE_ASSERT_SUM(data(), N, four_chains(data(), N, 0), "auto");
    ULPSCOPE_EXPECT_SUM(data(), N, four_chains(data(), N, 0), "auto");
}

TEST_CASE("broken")
{
    ULPSCOPE_EXPECT_SUM(data(), N, four_chains(data(), N, 1), "auto");
    std::puts("behind EXPECT");
    ULPSCOPE_ASSERT_SUM(data(), N, four_chains(data(), N, 1), "auto");
    std::puts("behind ASSERT");
}
