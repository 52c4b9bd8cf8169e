#include "run_letters.h"

#include <string.h>

static void write_letters(size_t run, char first, char letters[RUN_LETTERS])
{
    char reversed[RUN_LETTERS];
    size_t length = 0;
    for (size_t rest = run + 1; rest > 0 && length < RUN_LETTERS - 1; rest = (rest - 1) / 26)
        reversed[length++] = (char)(first + (char)((rest - 1) % 26));
    for (size_t i = 0; i < length; i++)
        letters[i] = reversed[length - 1 - i];
    letters[length] = '\0';
}

void run_letters(size_t run, char letters[RUN_LETTERS])
{
    write_letters(run, 'A', letters);
}

void run_prefix(size_t run, size_t run_count, char prefix[RUN_PREFIX])
{
    *prefix = '\0';
    if (run_count < 2)
        return;
    write_letters(run, 'a', prefix);
    strcat(prefix, "-");
}
