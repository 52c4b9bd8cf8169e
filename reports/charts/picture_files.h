/* All pictures of a report as files in a folder. */
#pragma once

#include "reports/chart/chart.h"
#include "reports/report.h"

/* A form of them: the ending of its files, and what writes one. */
struct picture_form {
    const char *ending;
    enum status (*write)(const struct chart *chart, const char *path);
};

/* <kind>-<entry>-<family>[-<blocks>x<threads>][-<backend>]<ending>, each in every form; of several runs, those of the
 * first begin with "a-", as A in the comparison. */
enum status picture_files_write(const struct report *report, const char *flag, const char *folder,
                                const struct picture_form *forms, size_t count);
