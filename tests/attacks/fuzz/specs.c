/* A spec, and what it says of itself. */
#include "fuzz.h"

#include "datasets/spec.h"
#include "src/base/clean_text.h"

#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 4 };

static bool same_ordering(struct ordering a, struct ordering b)
{
    return a.kind == b.kind && a.seed == b.seed && a.further == b.further;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* =x.csv is written as ./=x.csv, which is no formula to a spreadsheet. */
static bool same_path(const char *a, const char *b)
{
    return same_text(a, b) || (a && b && strncmp(b, "./", 2) == 0 && strcmp(a, b + 2) == 0);
}

static bool same_spec(const struct data_spec *a, const struct data_spec *b)
{
    return a->generator == b->generator && a->n == b->n && memcmp(a->values, b->values, sizeof a->values) == 0 &&
           same_path(a->path, b->path) && same_text(a->options.column, b->options.column) &&
           a->options.delimiter == b->options.delimiter && a->options.skip == b->options.skip &&
           same_ordering(a->ordering, b->ordering) && strcmp(a->text, b->text) == 0;
}

static void check_again(const struct data_spec *spec)
{
    struct data_spec *again;
    size_t count;
    const enum status status = data_specs_read(spec->text, "again", spec->options.nonfinite, &again, &count);
    fuzz_check(is_clean_text(spec->text), "the text of a spec is not clean");
    fuzz_check(status == OK && count == 1, "the text of a spec is refused");
    fuzz_check(same_spec(spec, again), "the text of a spec is another spec");
    fuzz_check_words(status);
    data_specs_free(again, count);
}

/* Two sweeps make up to 100,000 specs, which takes long and says no more. */
static bool has_several_sweeps(const char *text)
{
    const char *first = strstr(text, "..");
    return first && strstr(first + 2, "..");
}

static void one(const char *bytes, size_t size)
{
    struct data_spec *specs;
    size_t count;
    char *text = fuzz_text(bytes, size);
    if (!has_several_sweeps(text)) {
        const enum status status = data_specs_read(text, "fuzz", (enum nonfinite)(size % 3), &specs, &count);
        fuzz_check_words(status);
        for (size_t i = 0; i < count && i < LOOKED_AT; i++)
            check_again(&specs[i]);
        data_specs_free(specs, count);
    }
    free(text);
}

static const struct fuzz_seed seeds[] = {
    SEED("uniform:n=1Ki..1Mi*32,low=-1"),
    SEED("gensum:n=4096,cond=1e2..1e14*100"),
    SEED("co2.csv:column=2,order=shuffled:7"),
    SEED("x.csv:column=\"co2, \"\"ppm\"\"\",delimiter=;"),
    SEED("values.raw:skip=16"),
    SEED("path:n=1000,method=plain/tree_two_pass"),
    SEED("./a:b=c.raw:skip=1"),
    SEED("integers:n=8,order=psum"),
    SEED("swamp:n=2,order=shuffled:1..9"),
    SEED("kahan_killer:n=1000,order=bit_reversed"),
    SEED("lognormal:n=64,order=magnitude_descending"),
    SEED("x.csv:delimiter=tab,column=a:b"),
    SEED("\"a:b=\\xff\\u202e.raw\":skip=0"),
    SEED("=1+1.raw"),
    SEED("\"a. b :\":skip=5"),
    SEED("x.csv:column=b ::y.csv"),
    SEED("x.c ::y.npy"),
    SEED("x.npz:w ::y.npy"),
    SEED("x.npz:\":w\""),
    SEED("x.npz:\"\""),
    SEED("x.npz:\"a::b\""),
    SEED("\"x.npz\":\"=\"::y\x01.raw"),
    {0},
};
const struct fuzz_family fuzz_specs = {.one = one, .seeds = seeds};
