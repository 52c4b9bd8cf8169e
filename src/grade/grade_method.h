/* What `ulpscope grade` calls a product: matmul:plain/naive, planted/fixed@bfloat16. */
#ifndef ULPSCOPE_GRADE_METHOD_H
#define ULPSCOPE_GRADE_METHOD_H

#include "graded.h"

/* graded->name is `name`.  Complains and returns BAD_INPUT where there is none, or it has no such format. */
enum status grade_method(const char *name, struct graded *graded);

#endif
