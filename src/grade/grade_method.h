/* What `ulpscope grade` calls a product: matmul:plain/naive@bfloat16. */
#pragma once

#include "graded.h"
#include "kernels/method.h" /* struct shape */

/* graded->name is `name`.  With a device its kernels are graded.  Complains and returns BAD_INPUT where there is
 * none, or it cannot be run here, and NO_DEVICE where it needs a GPU.  The caller frees graded->by. */
enum status grade_method(const char *name, struct device *device, struct graded *graded);

/* Says anew whose the results are: a library may report something of those that it has computed. */
void grade_say_by(struct graded *graded);

/* C = A B of any shape, row after row, as graded->product() computes square ones.  With `adds`, which graded->adds
 * allows, C = A B + C. */
enum status grade_product(const struct graded *graded, struct shape shape, unsigned workers, const void *a,
                          const void *b, void *c, bool adds);
