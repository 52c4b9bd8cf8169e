#include "fingerprints.h"

static bool is_cell(const struct fingerprint *a, const struct fingerprint *b)
{
    return strcmp(a->method, b->method) == 0 && strcmp(a->data, b->data) == 0 && a->n == b->n;
}

static enum status refuse_grids(const struct fingerprints *has, const struct fingerprints *lacks, size_t cell)
{
    return bad_input("%s has %s on %s, n = %" PRIu64
                     ", and %s does not; expected the same grid in the same order; write both with the same methods",
                     has->path, has->cells[cell].method, has->cells[cell].data, has->cells[cell].n, lacks->path);
}

static enum status expect_one_grid(const struct fingerprints *left, const struct fingerprints *right)
{
    if (!same_launch(left->launch, right->launch) || left->seed != right->seed)
        return bad_input("%s is of %u x %u and seed %" PRIu64 ", %s of %u x %u and seed %" PRIu64
                         "; expected the same; write both with the same --blocks, --threads and --seed",
                         left->path, left->launch.blocks, left->launch.threads, left->seed, right->path,
                         right->launch.blocks, right->launch.threads, right->seed);
    for (size_t c = 0; c < left->cell_count; c++)
        if (c >= right->cell_count || !is_cell(&left->cells[c], &right->cells[c]))
            return refuse_grids(left, right, c);
    return right->cell_count > left->cell_count ? refuse_grids(right, left, left->cell_count) : OK;
}

static const char *value_of(const struct fingerprints *of, const char *name)
{
    for (size_t i = 0; i < of->fact_count; i++)
        if (strcmp(of->facts[i].name, name) == 0)
            return of->facts[i].value;
    return NULL;
}

static void print_fact(const char *name, const char *left, const char *right, size_t *differing)
{
    if (left && right && strcmp(left, right) == 0)
        return;
    if (++*differing == 1)
        puts("facts that differ");
    clean_line(stdout, "  %s: %s | %s", name, left ? left : "none", right ? right : "none");
}

static void print_facts(const struct fingerprints *left, const struct fingerprints *right)
{
    size_t differing = 0;
    for (size_t i = 0; i < left->fact_count; i++)
        print_fact(left->facts[i].name, left->facts[i].value, value_of(right, left->facts[i].name), &differing);
    for (size_t i = 0; i < right->fact_count; i++)
        if (!value_of(left, right->facts[i].name))
            print_fact(right->facts[i].name, NULL, right->facts[i].value, &differing);
    puts(differing > 0 ? "" : "no fact differs\n");
}

/* The cells of a method: what is computed in one file alone is reported, and not compared. */
struct parting {
    size_t compared, differing, left_alone, right_alone;
    const struct fingerprint *first; /* with the least n of those that differ; of the left */
};

static struct parting part(const struct fingerprints *left, const struct fingerprints *right, size_t from, size_t end)
{
    struct parting parting = {0};
    for (size_t c = from; c < end; c++) {
        const struct fingerprint *a = &left->cells[c], *b = &right->cells[c];
        parting.compared += a->is_computed && b->is_computed;
        parting.left_alone += a->is_computed && !b->is_computed;
        parting.right_alone += b->is_computed && !a->is_computed;
        if (!a->is_computed || !b->is_computed || a->bits == b->bits)
            continue;
        parting.differing++;
        if (!parting.first || a->n < parting.first->n)
            parting.first = a;
    }
    return parting;
}

static void tell_absent(const char *method, size_t cells, const struct fingerprints *in)
{
    if (cells > 0)
        clean_line(stdout, "%s: %zu cell%s not computed in %s, and not compared", method, cells,
                   cells == 1 ? " is" : "s are", in->path);
}

static size_t end_of_method(const struct fingerprints *of, size_t from)
{
    size_t end = from;
    while (end < of->cell_count && strcmp(of->cells[end].method, of->cells[from].method) == 0)
        end++;
    return end;
}

/* LIMIT_BROKEN where it claims to be deterministic in both files, and is not. */
static enum status compare_method(const struct fingerprints *left, const struct fingerprints *right, size_t from,
                                  const struct parting *parting)
{
    const char *method = left->cells[from].method;
    const bool is_claimed = left->cells[from].is_deterministic && right->cells[from].is_deterministic;
    tell_absent(method, parting->left_alone, right);
    tell_absent(method, parting->right_alone, left);
    if (!parting->first)
        return OK;
    clean_line(stdout, "%s differs from n = %" PRIu64 " on, first on %s, in %zu of %zu; %s", method, parting->first->n,
               parting->first->data, parting->differing, parting->compared,
               is_claimed ? "it claims to be deterministic" : "its order is that of arrival");
    return is_claimed ? LIMIT_BROKEN : OK;
}

enum status fingerprints_compare(const struct fingerprints *left, const struct fingerprints *right)
{
    size_t methods = 0, same = 0;
    enum status status = OK;
    TRY(expect_one_grid(left, right));
    print_facts(left, right);
    for (size_t from = 0, end; from < left->cell_count; from = end) {
        end = end_of_method(left, from);
        const struct parting parting = part(left, right, from, end);
        methods += parting.compared > 0;
        same += parting.compared > 0 && !parting.first;
        if (compare_method(left, right, from, &parting) != OK)
            status = LIMIT_BROKEN;
    }
    clean_line(stdout, "%zu of %zu methods have the same bits", same, methods);
    return status;
}
