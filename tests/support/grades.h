/* A grade for tests: its sizes from 16 on, in so many threads. */
#ifndef ULPSCOPE_TESTS_GRADES_H
#define ULPSCOPE_TESTS_GRADES_H

#include "src/grade/grade.h"

static inline struct grade grade_of(const struct graded *graded, uint64_t size_most, uint64_t samples, uint64_t seed,
                                    unsigned workers)
{
    struct grade grade;
    const struct grade_request request = {graded, size_most, samples, seed, workers};
    assert_int_equal(grade_make(&request, &grade), OK);
    grade.request = NULL;
    return grade;
}

#endif
