/* A folder of a test's own, in TMPDIR: make_folder and remove_folder, or enter_folder and leave_folder, are a setup and
 * a teardown for cmocka.  Whoever includes this has included cmocka.h. */
#ifndef ULPSCOPE_TESTS_OWN_FOLDER_H
#define ULPSCOPE_TESTS_OWN_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

static char folder[PATH_SIZE / 2];

struct path {
    char text[PATH_SIZE];
};

static inline struct path in_folder(const char *name)
{
    struct path path;
    assert_true(snprintf(path.text, PATH_SIZE, "%s/%s", folder, name) < PATH_SIZE);
    return path;
}

static inline int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

static inline void remove_tree(const char *path)
{
    (void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static inline int make_folder(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/ulpscope_test.XXXXXX", parent && *parent ? parent : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

/* The same as the current one. */
static inline int enter_folder(void **state)
{
    return make_folder(state) == 0 && chdir(folder) == 0 ? 0 : -1;
}

/* Fails where a test has left a file. */
static inline int leave_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

#endif
