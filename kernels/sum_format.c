#include "sum_format.h"

#include "src/base/format.h"

#include <stdio.h>
#include <string.h>

#define NAMED_binary64 &FORMAT_BINARY64
#define NAMED_binary32 &FORMAT_BINARY32
#define NAMED_binary16 &FORMAT_BINARY16
#define NAMED_bfloat16 &FORMAT_BFLOAT16
#define NAMED_e4m3 &FORMAT_E4M3
#define NAMED_e5m2 &FORMAT_E5M2
#define NAMED_tf32 &FORMAT_TF32

#define SUM_FORMAT(id, stored, added, result, claim)                                                                   \
    const struct sum_format sum_format_##id = {#id, NAMED_##stored, NAMED_##added, NAMED_##result, claim};
#include "formats.def"

const struct sum_format *const sum_formats[SUM_FORMATS] = {
#define SUM_FORMAT(id, stored, added, result, claim) &sum_format_##id,
#include "formats.def"
};

const struct sum_format *sum_format_find(const char *name)
{
    enum { NAME_MOST = 63 }; /* more than twice the longest id */
    char first[NAME_MOST + 1], id[2 * NAME_MOST];
    const char *in = strstr(name, "_in_"), *link = in ? in : strstr(name, "_to_");
    if (strlen(name) > NAME_MOST)
        return NULL;
    snprintf(first, sizeof first, "%.*s", link ? (int)(link - name) : NAME_MOST, name);
    snprintf(id, sizeof id, "%s%.4s%s", format_unalias(first), link ? link : "",
             link ? format_unalias(link + strlen("_in_")) : "");
    for (int f = 0; f < SUM_FORMATS; f++)
        if (strcmp(sum_formats[f]->id, id) == 0)
            return sum_formats[f];
    return NULL;
}

const struct sum_format *sum_format_of(const struct format *stored, const struct format *added)
{
    for (int f = 0; f < SUM_FORMATS; f++)
        if (strcmp(sum_formats[f]->stored->name, stored->name) == 0 &&
            (!added || strcmp(sum_formats[f]->added->name, added->name) == 0))
            return sum_formats[f];
    return NULL;
}

const struct sum_format *sum_format_of_method(const char *id)
{
    const char *at = strchr(id, '@');
    return at ? sum_format_find(at + 1) : &sum_format_binary32;
}
