/* assert.h in a test of cmocka: include it in place of assert.h, behind what <cmocka.h> wants before itself. */
#ifndef ULPSCOPE_ASSERT_CMOCKA_H
#define ULPSCOPE_ASSERT_CMOCKA_H

#ifdef ULPSCOPE_ASSERT_H
#error "expected ulpscope/assert_cmocka.h alone, found ulpscope/assert.h before it; leave that out"
#endif

#include <cmocka.h>

#define ULPSCOPE_FAIL(text) fail_msg("%s", text)

#include "assert.h"

#endif
