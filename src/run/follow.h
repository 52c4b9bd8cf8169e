/* A rank other than 0: measures the cases that it is given. */
#pragma once

#include "src/measure/measure.h"
#include "src/ranks/ranks.h"

/* Until rank 0 says that it is enough. */
enum status follow(struct measuring *measuring, const struct ranks *ranks, const char *identity, unsigned jobs);
