/* Two matrices, of a product: which specs can be that, and what they have that is not given. */
#include "spec_items.h"

#include <ctype.h>

static enum status one_file(const struct data_spec *spec, const char *where)
{
    return bad_input("%s: %s is one matrix; expected two: A, rows x n, and B, n x columns; write %s" SPEC_BETWEEN
                     "b.npy",
                     where, spec->text, spec->text);
}

static enum status no_matrix(const struct data_spec *spec, const char *where, const char *why)
{
    return bad_input("%s: %s: %s; expected another family for matrices; see `ulpscope list generators`", where,
                     spec->text, why);
}

static enum status not_alone(const struct data_spec *spec, const char *where)
{
    return bad_input(
        "%s: %s has a family that makes both matrices, n x n; expected that alone; leave out the other, %s= and %s=",
        where, spec->text, SPEC_ROWS, SPEC_COLUMNS);
}

bool spec_has_matrices(const struct data_spec *spec)
{
    return (spec->generator && spec->generator->a) || (spec->second && spec_has_matrices(spec->second));
}

static bool aims_at_an_order(const struct generator *generator)
{
    for (const struct parameter *p = generator->parameters; p->name; p++)
        if (p->kind == METHOD_ID)
            return true;
    return false;
}

static enum status expect_family(const struct data_spec *spec, const char *where)
{
    if (aims_at_an_order(spec->generator))
        return no_matrix(spec, where, "it aims at the order in which a method adds n numbers of one vector");
    if (spec->generator->build_pairs)
        return no_matrix(spec, where, "its numbers are products of the pairs of one dot product");
    return OK;
}

enum status spec_expect_matrices(const struct data_spec *spec, const char *where)
{
    const struct data_spec *second = spec->second;
    TRY(spec_expect_no_order(&(struct spec_origin){where, spec->text}, spec));
    if (spec_has_matrices(spec) && (second || spec->rows > 0 || spec->columns > 0))
        return not_alone(spec, where);
    if (spec->generator)
        TRY(expect_family(spec, where));
    if (second && second->generator)
        TRY(expect_family(second, where));
    return spec->path && !second ? one_file(spec, where) : OK;
}

/* "uniform:n=4096,low=1" has n behind the first '='. */
static void set_n(struct data_spec *spec, uint64_t n)
{
    char *digits = strchr(spec->text, '=') + 1, *rest = digits;
    while (isdigit((unsigned char)*rest))
        rest++;
    char *text = text_made("%.*s%" PRIu64 "%s", (int)(digits - spec->text), spec->text, n, rest);
    free(spec->text);
    spec->text = text;
    spec->n = n;
    if (spec->second)
        spec->second->n = n;
}

void spec_become_matrices(struct data_spec *spec)
{
    spec->options.is_matrix = true;
    if (spec->second)
        spec->second->options.is_matrix = spec->second->options.is_second = true;
    if (spec->generator && !spec->n_given)
        set_n(spec, MATRIX_N);
}
