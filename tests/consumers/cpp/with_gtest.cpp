#include <ulpscope/assert_gtest.h>

#include "sums.h"

TEST(sum, sound)
{
    ULPSCOPE_ASSERT_SUM(data(), N, four_chains(data(), N, 0), "auto");
    ULPSCOPE_EXPECT_SUM(data(), N, four_chains(data(), N, 0), "auto");
}

TEST(sum, broken)
{
    ULPSCOPE_EXPECT_SUM(data(), N, four_chains(data(), N, 1), "auto");
    std::puts("behind EXPECT");
    ULPSCOPE_ASSERT_SUM(data(), N, four_chains(data(), N, 1), "auto");
    std::puts("behind ASSERT");
}
