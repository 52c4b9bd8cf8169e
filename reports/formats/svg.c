/* svg: the pictures as files in a folder, histogram-<entry>-<family>.svg. */
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

/* *missing: gnuplot gave no picture, and it was said why; the next would be missing for the same reason. */
static enum status write_entry(const struct results *results, const char *folder, size_t entry, bool *missing)
{
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    char family[LABEL_TEXT], *path;
    struct picture picture;
    TRY(picture_of_entry(results, entry, &picture));
    spec_family(results->study->entries[entry].text, family);
    enum status status = OK;
    if (!picture.svg) {
        complain("%s: no pictures: %s", folder, picture.reason);
        *missing = true;
    } else if (asprintf(&path, "%s%shistogram-%zu-%s.svg", folder, slash, entry + 1, family) < 0) {
        status = out_of_memory("a file name");
    } else {
        status = write_picture(path, &picture);
        free(path);
    }
    picture_free(&picture);
    return status;
}

static enum status svg_write(const struct results *results, const char *path)
{
    if (*path == '\0' || strcmp(path, "-") == 0) {
        complain("--svg %s: pictures are several files; name a folder", path);
        return BAD_INPUT;
    }
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        complain("%s: no folder could be made: %s", path, strerror(errno));
        return NOT_MEASURED;
    }
    bool missing = false;
    for (size_t entry = 0; entry < results->study->entry_count && !missing; entry++)
        TRY(write_entry(results, path, entry, &missing));
    return OK;
}

const struct report_format report_svg = {
    .id = "svg",
    .option = "svg",
    .file_name = "svg/",
    .summary = "histograms of the relative error, a picture an entry",
    .write = svg_write,
};
