#include "base.h"

#include "quiet.h"
#include "unfinished.h"

#include <unistd.h>

/* _exit, since another thread may be using what exit() would close. */
void memory_end(void)
{
    enum { EXIT_NOT_MEASURED = 3 };
    unfinished_remove();
    _exit(EXIT_NOT_MEASURED);
}

void memory_ran_out(void)
{
    (void)complaints_quiet(false); /* who goes on after a refusal does not go on after this */
    out_of_memory("the next step");
    memory_end();
}

void *memory_resized(void *old, size_t size)
{
    void *resized = realloc(old, size > 0 ? size : 1);
    if (!resized)
        memory_ran_out();
    return resized;
}

void *memory_cleared(size_t count, size_t size)
{
    void *cleared = calloc(count > 0 ? count : 1, size);
    if (!cleared)
        memory_ran_out();
    return cleared;
}

char *memory_copy(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    return memcpy(memory_resized(NULL, bytes), text, bytes);
}
