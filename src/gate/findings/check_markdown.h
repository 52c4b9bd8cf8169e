/* A check as a comment on a pull request, and as the summary of a job. */
#pragma once

#include "findings.h"

/* At most 60,000 bytes; a bot finds its comment by the first line.  Allocated. */
char *check_markdown(const struct checked *checked, const struct findings *findings);
