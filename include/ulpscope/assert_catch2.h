/* assert.h in a test of Catch2, 2 or 3: include it in place of assert.h.  ULPSCOPE_ASSERT_... ends the test case, as
 * REQUIRE does; behind ULPSCOPE_EXPECT_... it goes on, as behind CHECK. */
#ifndef ULPSCOPE_ASSERT_CATCH2_H
#define ULPSCOPE_ASSERT_CATCH2_H

#ifdef ULPSCOPE_ASSERT_H
#error "expected ulpscope/assert_catch2.h alone, found ulpscope/assert.h before it; leave that out"
#endif

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

#ifdef CATCH_CONFIG_PREFIX_ALL
#define ULPSCOPE_FAIL(text) CATCH_FAIL(text)
#define ULPSCOPE_FAIL_AND_GO_ON(text) CATCH_FAIL_CHECK(text)
#else
#define ULPSCOPE_FAIL(text) FAIL(text)
#define ULPSCOPE_FAIL_AND_GO_ON(text) FAIL_CHECK(text)
#endif

#include "assert.h"

#endif
