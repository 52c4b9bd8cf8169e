/* What is said on stderr while a test listens; for tests of cmocka, whose header comes first. */
#ifndef ULPSCOPE_TESTS_HEARD_H
#define ULPSCOPE_TESTS_HEARD_H

#include <stdio.h>
#include <unistd.h>

enum { HEARD_MOST = 4096 };

struct heard {
    FILE *file;
    int stderr_before;
    char text[HEARD_MOST];
};

/* stderr goes into a text until heard_all. */
static inline struct heard listen_to_stderr(void)
{
    fflush(stderr);
    struct heard heard = {.file = tmpfile(), .stderr_before = dup(STDERR_FILENO)};
    assert_true(heard.file && heard.stderr_before >= 0 && dup2(fileno(heard.file), STDERR_FILENO) >= 0);
    return heard;
}

static inline void heard_all(struct heard *heard)
{
    fflush(stderr);
    dup2(heard->stderr_before, STDERR_FILENO);
    close(heard->stderr_before);
    rewind(heard->file);
    heard->text[fread(heard->text, 1, HEARD_MOST - 1, heard->file)] = '\0';
    fclose(heard->file);
}

#endif
