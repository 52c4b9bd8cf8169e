#include "known.h"

#include "datasets/dataset.h"
#include "src/base/quiet.h"

struct known {
    const struct attack_request *request;
    const struct terrain *terrain;
    double *numbers; /* by ranks */
    known_visitor *visit;
    void *to;
};

/* A family that refuses is passed over in silence, and so is a plug-in that fails, as that is a find; nothing else. */
static bool show(const struct known *known, const char *by)
{
    const bool was_quiet = complaints_quiet(known->request->method->ask != NULL);
    const bool goes_on = known->visit(known->to, known->numbers, by);
    complaints_quiet(was_quiet);
    return goes_on;
}

/* ---- what a tree tells ----
 *
 * The longest path, as the family `path` has it, in any format: 1 ends it, and one element below each node that joins
 * it is half an ulp of 1, which is lost, or a little more, which counts twice.
 *
 * And a tree in which every addition loses: what is below a node is to be computed as a power of two, v.  Two elements
 * are v/2 and its neighbour, a tie just above v.  Else the higher side is v, and the other one half an ulp of it, by
 * additions that lose.  In a balanced tree of k levels that is 1 - (1 - u/(1+u))^k of it all, a little more than a path
 * has. */

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

/* What 1 is in numbers of this format, and half an ulp of it in a format that is computed in. */
struct scale {
    double one, half_ulp;
};

/* false: no number of the data is as small as a half ulp of another one. */
static bool has_scale(const struct format *stored, int precision, struct scale *scale)
{
    const int lowest = stored->least_exponent + stored->precision + precision, exponent = lowest < 0 ? 0 : lowest;
    *scale = (struct scale){ldexp(1, exponent), ldexp(1, exponent - precision)};
    return exponent < stored->overflow_exponent;
}

/* `joining` for each node above the rank, which is `one`. */
static void set_path(const struct known *known, uint64_t deepest, double one, double joining)
{
    const struct terrain *terrain = known->terrain;
    for (uint64_t r = 0; r < terrain->n; r++)
        known->numbers[r] = 0;
    known->numbers[deepest] = one;
    for (uint32_t k = 0; k < terrain->node_count; k++) {
        const struct terrain_node *node = &terrain->nodes[k];
        if (node->first <= deepest && deepest < node->end)
            known->numbers[deepest < node->middle ? node->middle : node->first] = joining;
    }
}

/* Which side of each node is the higher one, 0 or 1; height[r] is that of the highest node so far that begins at r. */
static void compare_sides(const struct terrain *terrain, uint32_t *height, bool *right_is_higher)
{
    memset(height, 0, (terrain->n + 1) * sizeof *height);
    for (uint32_t k = 0; k < terrain->node_count; k++) {
        const struct terrain_node *node = &terrain->nodes[k];
        right_is_higher[k] = height[node->middle] > height[node->first];
        height[node->first] = 1 + height[right_is_higher[k] ? node->middle : node->first];
    }
}

/* From the root down: numbers[r] is what the lowest node so far that begins at r is to be. */
static void set_losing(const struct known *known, const bool *right_is_higher, struct scale scale)
{
    const struct terrain *terrain = known->terrain;
    const struct format *format = known->request->method->sum_format->stored;
    const double u = scale.half_ulp / scale.one;
    known->numbers[0] = ldexp(1, format->overflow_exponent / 2);
    for (uint32_t k = terrain->node_count; k-- > 0;) {
        const struct terrain_node *node = &terrain->nodes[k];
        double *left = &known->numbers[node->first], *right = &known->numbers[node->middle];
        const double v = *left;
        const bool is_pair = node->end - node->first == 2;
        *left = rounded_to(is_pair ? v / 2 : right_is_higher[k] ? u * v : v, format);
        *right = rounded_to(is_pair ? v / 2 * (1 + 2 * u) : right_is_higher[k] ? v : u * v, format);
    }
}

static bool visit_path(const struct known *known, uint64_t deepest, struct scale scale)
{
    const struct format *format = known->request->method->sum_format->stored;
    const double more = rounded_to(scale.half_ulp * (1 + ldexp(1, 1 - format->precision)), format);
    set_path(known, deepest, scale.one, scale.half_ulp);
    if (!show(known, "path, lost"))
        return false;
    set_path(known, deepest, scale.one, more);
    return show(known, "path, counted twice");
}

/* Of the format of additions, and of the result, whose rounding may be the one that counts. */
static bool visit_shapes(const struct known *known, uint32_t *room, bool *right_is_higher)
{
    const struct sum_format *in = known->request->method->sum_format;
    const uint64_t deepest = deepest_rank(known->terrain, room);
    struct scale scale;
    compare_sides(known->terrain, room, right_is_higher);
    for (int of_result = 0; of_result < (in->added->precision == in->result->precision ? 1 : 2); of_result++) {
        if (!has_scale(in->stored, of_result ? in->result->precision : in->added->precision, &scale))
            continue;
        if (!visit_path(known, deepest, scale))
            return false;
        set_losing(known, right_is_higher, scale);
        if (!show(known, "tree, every addition loses"))
            return false;
    }
    return true;
}

static enum status visit_tree(const struct known *known, bool *goes_on)
{
    OWNED uint32_t *room = malloc((known->terrain->n + 1) * sizeof *room);
    OWNED bool *right_is_higher = malloc(known->terrain->n + 1);
    const bool has_room = room && right_is_higher;
    if (has_room)
        *goes_on = visit_shapes(known, room, right_is_higher);
    return has_room ? OK : out_of_memory("what a tree tells");
}

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
    const struct method *sum = is_statistic(method->operation) ? method_of_operation(method, OPERATION_sum) : method;
    return sum && sum->replay ? method_in(sum, &sum_format_binary32) : sum;
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
    FREED_BY(dataset_free) struct dataset data = {0};
    const enum status status = dataset_make(spec, known->request->seed, known->request->trial, &data);
    if (status == OK && data.n == known->request->n && take_numbers(known, &data))
        *goes_on = show(known, spec->text);
    return status == BAD_INPUT ? OK : status;
}

static enum status visit_showcase(const struct known *known, const struct generator *family, const char *showcase,
                                  bool *goes_on)
{
    OWNED char *text = adapted(known->request, family, showcase);
    struct data_spec *specs = NULL;
    size_t count = 0;
    enum status status = OK;
    if (data_specs_read(text, "attack", NONFINITE_REFUSE, &specs, &count) == OK) {
        for (size_t s = 0; s < count && status == OK && *goes_on; s++)
            status = visit_spec(known, &specs[s], goes_on);
        data_specs_free(specs, count);
    }
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
    for (size_t g = 0; g < count; g++)
        for (const char *const *showcase = families[g]->showcase;
             *showcase && *goes_on && is_asked(known->request, families[g]); showcase++)
            TRY(visit_showcase(known, families[g], *showcase, goes_on));
    return OK;
}

enum status attack_known(const struct attack_request *request, const struct terrain *terrain, known_visitor *visit,
                         void *to)
{
    struct known known = {request, terrain, malloc((request->n + 1) * sizeof(double)), visit, to};
    bool goes_on = true;
    TRY(known.numbers ? OK : out_of_memory("what is known to be hard"));
    const bool was_quiet = complaints_quiet(true);
    enum status status = visit_tree(&known, &goes_on);
    if (status == OK && goes_on && !request->asks_no_family)
        status = visit_families(&known, &goes_on);
    complaints_quiet(was_quiet);
    free(known.numbers);
    return status == OK || status == INTERRUPTED ? status : out_of_memory("what is known to be hard");
}
