/* assert.h in a test of GoogleTest: include it in place of assert.h.  ULPSCOPE_ASSERT_... is fatal, as ASSERT_... is;
 * behind ULPSCOPE_EXPECT_... the test goes on, as behind EXPECT_... */
#ifndef ULPSCOPE_ASSERT_GTEST_H
#define ULPSCOPE_ASSERT_GTEST_H

#ifdef ULPSCOPE_ASSERT_H
#error "expected ulpscope/assert_gtest.h alone, found ulpscope/assert.h before it; leave that out"
#endif

#include <gtest/gtest.h>

#define ULPSCOPE_FAIL(text) GTEST_FAIL() << (text)
#define ULPSCOPE_FAIL_AND_GO_ON(text) ADD_FAILURE() << (text)

#include "assert.h"

#endif
