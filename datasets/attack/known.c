#include "known.h"

#include "datasets/dataset.h"
#include "src/base/format.h"
#include "src/base/quiet.h"
#include "src/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct known {
    const struct attack_request *request;
    const struct terrain *terrain;
    double *numbers; /* by ranks */
    known_visitor *visit;
    void *to;
};

/* ---- what a tree tells ----
 *
 * The longest path, as the family `path` has it, in any format: 1 ends it, and one element below each node that joins
 * it is half an ulp of 1, which is lost, or a little more, which counts twice. */

/* As many nodes are above a leaf as ranges begin before it and have not ended. */
static uint64_t deepest_rank(const struct terrain *terrain, uint32_t *room)
{
    uint64_t deepest = 0;
    memset(room, 0, (terrain->n + 1) * sizeof *room);
    for (uint32_t k = 0; k < terrain->node_count; k++) {
        room[terrain->nodes[k].first]++;
        room[terrain->nodes[k].end]--; /* modulo 2^32 */
    }
    for (uint64_t r = 1; r < terrain->n; r++) {
        room[r] += room[r - 1];
        deepest = room[r] > room[deepest] ? r : deepest;
    }
    return deepest;
}

/* `joining` for each node above the rank, which is `big`. */
static void set_path(const struct known *known, uint64_t deepest, double big, double joining)
{
    const struct terrain *terrain = known->terrain;
    for (uint64_t r = 0; r < terrain->n; r++)
        known->numbers[r] = 0;
    known->numbers[deepest] = big;
    for (uint32_t k = 0; k < terrain->node_count; k++) {
        const struct terrain_node *node = &terrain->nodes[k];
        if (node->first <= deepest && deepest < node->end)
            known->numbers[deepest < node->middle ? node->middle : node->first] = joining;
    }
}

/* Half an ulp of `big` in a format of additions or of the result; false: no number of the data is as small. */
static bool visit_paths(const struct known *known, uint64_t deepest, int precision)
{
    const struct format *format = known->request->method->sum_format->stored;
    const int lowest = format->least_exponent + format->precision + precision;
    const int exponent = lowest < 0 ? 0 : lowest;
    if (exponent >= format->overflow_exponent)
        return true;
    const double big = ldexp(1, exponent), half = ldexp(1, exponent - precision);
    const double more = rounded_to(half * (1 + ldexp(1, 1 - format->precision)), format);
    set_path(known, deepest, big, half);
    if (!known->visit(known->to, known->numbers, "path, lost"))
        return false;
    set_path(known, deepest, big, more);
    return known->visit(known->to, known->numbers, "path, counted twice");
}

static enum status visit_tree(const struct known *known, bool *goes_on)
{
    uint32_t *room = malloc((known->terrain->n + 1) * sizeof *room);
    if (!room)
        return out_of_memory("the longest path of a tree");
    const uint64_t deepest = deepest_rank(known->terrain, room);
    const struct sum_format *in = known->request->method->sum_format;
    free(room);
    *goes_on = visit_paths(known, deepest, in->added->precision) && visit_paths(known, deepest, in->result->precision);
    return OK;
}

/* ---- families ---- */

static bool has_parameter(const struct generator *family, const char *name)
{
    const struct parameter *row = family->parameters;
    while (row && row->name && strcmp(row->name, name) != 0)
        row++;
    return row && row->name;
}

/* The method by which families know the order: they have those of binary32. */
static const struct method *known_by(const struct method *method)
{
    return method->replay ? method_in(method, &sum_format_binary32) : method;
}

static bool is_ours(const char *item)
{
    static const char *const ours[] = {"n=", "method=", "blocks=", "threads=", "format="};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strncmp(item, ours[i], strlen(ours[i])) == 0)
            return true;
    return false;
}

/* A showcase with this n, format, method and launch in place of its own. */
static char *adapted(const struct attack_request *request, const struct generator *family, const char *showcase)
{
    const struct method *by = known_by(request->method);
    struct text text = {0};
    text_append(&text, "%s:n=%llu", family->id, (unsigned long long)request->n);
    for (const char *item = strchr(showcase, ':'); item; item = strchr(item, ',')) {
        item++;
        if (!is_ours(item))
            text_append(&text, ",%.*s", (int)strcspn(item, ","), item);
    }
    if (request->method->sum_format->stored->precision != FORMAT_BINARY32.precision)
        text_append(&text, ",format=%s", request->method->sum_format->stored->name);
    if (by && has_parameter(family, "method"))
        text_append(&text, ",method=%s", by->id);
    if (has_parameter(family, "blocks"))
        text_append(&text, ",blocks=%u", request->launch.blocks);
    if (has_parameter(family, "threads"))
        text_append(&text, ",threads=%u", request->launch.threads);
    return text_take(&text);
}

static bool take_numbers(const struct known *known, const struct dataset *data)
{
    for (uint64_t r = 0; r < data->n; r++) {
        known->numbers[r] = held_number(data->format, data->x, known->terrain->element[r]);
        if (!isfinite(known->numbers[r]))
            return false;
    }
    return true;
}

static enum status visit_spec(const struct known *known, const struct data_spec *spec, bool *goes_on)
{
    struct dataset data = {0};
    const enum status status = dataset_make(spec, known->request->seed, known->request->trial, &data);
    if (status == OK && data.n == known->request->n && take_numbers(known, &data))
        *goes_on = known->visit(known->to, known->numbers, spec->text);
    dataset_free(&data);
    return status == BAD_INPUT ? OK : status;
}

static enum status visit_showcase(const struct known *known, const struct generator *family, const char *showcase,
                                  bool *goes_on)
{
    char *text = adapted(known->request, family, showcase);
    struct data_spec *specs = NULL;
    size_t count = 0;
    enum status status = OK;
    if (data_specs_read(text, "attack", NONFINITE_REFUSE, &specs, &count) == OK) {
        for (size_t s = 0; s < count && status == OK && *goes_on; s++)
            status = visit_spec(known, &specs[s], goes_on);
        data_specs_free(specs, count);
    }
    free(text);
    return status;
}

/* An attacked family would attack once more. */
static bool is_asked(const struct attack_request *request, const struct generator *family)
{
    const struct parameter n = generator_n(family);
    return (double)request->n >= n.least && (double)request->n <= n.most && !has_parameter(family, "climbs") &&
           !generator_refuses(family, request->method->sum_format->stored);
}

static enum status visit_families(const struct known *known, bool *goes_on)
{
    size_t count;
    const struct generator *const *families = generator_table(&count);
    enum status status = OK;
    for (size_t g = 0; g < count && status == OK; g++)
        for (const char *const *showcase = families[g]->showcase;
             *showcase && status == OK && *goes_on && is_asked(known->request, families[g]); showcase++)
            status = visit_showcase(known, families[g], *showcase, goes_on);
    return status;
}

enum status attack_known(const struct attack_request *request, const struct terrain *terrain, known_visitor *visit,
                         void *to)
{
    struct known known = {request, terrain, malloc((request->n + 1) * sizeof(double)), visit, to};
    bool goes_on = true;
    if (!known.numbers)
        return out_of_memory("what is known to be hard");
    const bool was_quiet = complaints_quiet(true);
    enum status status = visit_tree(&known, &goes_on);
    if (status == OK && goes_on && !request->asks_no_family)
        status = visit_families(&known, &goes_on);
    complaints_quiet(was_quiet);
    free(known.numbers);
    return status == OK ? OK : out_of_memory("what is known to be hard");
}
