/* svg: the pictures as files in a folder, histogram-<entry>-<family>[-<blocks>x<threads>][-<backend>].svg. */
#include "../../src/output.h"
#include "../picture.h"
#include "../report.h"
#include "../spec_labels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum status write_picture(const char *path, const struct picture *picture)
{
    struct output out;
    TRY(output_open(&out, path));
    fwrite(picture->svg, 1, picture->length, out.file);
    return output_close(&out);
}

/* "out/svg/histogram-2-gensum-120x256-cuda.svg"; launch and backend only where pictures of the entry differ in them. */
static char *picture_path(const struct results *results, const struct group *group, const char *folder)
{
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    char family[LABEL_TEXT], launch[32] = "", *path;
    spec_family(results->study.entries[group->entry].text, family);
    if (group->other_launches)
        snprintf(launch, sizeof launch, "-%ux%u", group->launch.blocks, group->launch.threads);
    if (asprintf(&path, "%s%shistogram-%zu-%s%s%s%s.svg", folder, slash, group->entry + 1, family, launch,
                 group->other_backends ? "-" : "", group->other_backends ? group->backend : "") < 0)
        return NULL;
    return path;
}

/* *missing: gnuplot gave no picture, and it was said why; the next would be missing for the same reason. */
static enum status write_group(const struct results *results, const struct group *group, const char *folder,
                               bool *missing)
{
    struct picture picture;
    TRY(picture_of_group(results, group, &picture));
    enum status status = OK;
    if (!picture.svg) {
        complain("%s: no pictures: %s", folder, picture.reason);
        *missing = true;
    } else {
        char *path = picture_path(results, group, folder);
        status = path ? write_picture(path, &picture) : out_of_memory("a file name");
        free(path);
    }
    picture_free(&picture);
    return status;
}

static enum status svg_write(const struct report *report, const char *path)
{
    const struct results *results = &report->runs[0];
    if (*path == '\0' || strcmp(path, "-") == 0) {
        complain("--svg %s: pictures are several files; name a folder", path);
        return BAD_INPUT;
    }
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        complain("%s: no folder could be made: %s", path, strerror(errno));
        return NOT_MEASURED;
    }
    bool missing = false;
    for (size_t i = 0; i < results->series_count && !missing; i++) {
        struct group group;
        if (group_was_before(results, i))
            continue;
        TRY(group_make(results, i, &group));
        const enum status status = write_group(results, &group, path, &missing);
        group_free(&group);
        TRY(status);
    }
    return OK;
}

const struct report_format report_svg = {
    .id = "svg",
    .option = "svg",
    .file_name = "svg/",
    .summary = "histograms of the relative error, a picture an entry",
    .write = svg_write,
};
