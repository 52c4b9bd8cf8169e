/* Work that keeps the cores and the memory of this machine busy, beside what is measured. */
#pragma once

struct busy;

/* Returns when it is under way: two threads for each core, or as many as the system gives. */
struct busy *busy_begin(void);

/* NULL: nothing was. */
void busy_end(struct busy *busy);
