/* What a plug-in says of itself, as methods of the list. */
#include "kernels/replay.h"
#include "kernels/statistic.h"
#include "plugin_kind.h"

#include <ctype.h>
#include <math.h>

enum { METHODS_MOST = 1000, LENGTHS_MOST = 1000 };

/* ---- what a method does ---- */

static bool can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    const struct plugin_method *own = own_of(self);
    return !own->accumulator || order_can_do(self->order, own->state_bytes, method_grid(self, launch), why);
}

static void version(const struct method *self, char text[REASON_SIZE])
{
    const struct plugin *plugin = self->plugin;
    snprintf(text, REASON_SIZE, "%.128s%s%s%.16s", plugin->version ? plugin->version : "",
             plugin->version && *plugin->hash ? ", " : "", *plugin->hash ? "SHA-256 " : "", plugin->hash);
}

/* On a GPU an order of arrival is that of atomicAdd, which flushes subnormals of binary32: as kernels/black_boxes.c has
 * it, two of less than FLT_MIN for each addition; of a root the square is off by that. */
static double lost_to_flushing(const struct method *self, struct shape shape)
{
    const bool flushes = own_of(self)->is_on_device && self->determinism == ORDER_OF_ARRIVAL &&
                         self->sum_format->added->precision == FORMAT_BINARY32.precision;
    return flushes ? (double)shape.terms * 2 * (double)FLT_MIN : 0;
}

static double bound_of_any_order(const struct method *self, struct shape shape, struct launch launch,
                                 const struct magnitudes *of)
{
    const struct method *const highest = own_of(self)->highest;
    const double lost = lost_to_flushing(self, shape);
    if (lost == 0)
        return highest->bound(highest, shape, launch, of);
    const struct magnitudes more = {of->abs_s, (of->sum_abs + lost) * (1 + 0x1p-50), of->max_abs, NULL};
    const bool is_root = operation_table[self->operation].of == ROOT_OF_SQUARES;
    return (highest->bound(highest, shape, launch, &more) + (is_root ? 2 * sqrt(lost) : lost)) * (1 + 0x1p-50);
}

static double bound(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    struct plugin_method *own = own_of(self);
    char why[TREE_WHY_SIZE];
    struct plain_tree tree;
    if (own->bound == BOUND_OF_TREE &&
        tree_word_tree(&own->tree, shape.terms, launch, self->sum_format->stored, &tree, why))
        return tree_bound(self->operation, self->sum_format, shape.terms, tree, of);
    if (own->bound == BOUND_OF_TREE && !atomic_exchange(&own->has_told_why, true))
        complain("%s: its bound makes no claim: %s", self->id, why);
    if (own->bound == NO_BOUND || own->bound == BOUND_OF_TREE)
        return INFINITY;
    if (own->bound == BOUND_OF_ANY_ORDER)
        return bound_of_any_order(self, shape, launch, of);
    const double u = double_power(-self->format->precision);
    const double of_sum = own->bound_of_sum > 0 ? own->bound_of_sum * of->abs_s : 0; /* which may be infinite */
    const double of_abs = own->bound_of_abs > 0 ? own->bound_of_abs * of->sum_abs : 0;
    return u * (of_sum + of_abs) * (1 + 0x1p-50); /* rounded up */
}

/* ---- reading ---- */

struct reading {
    struct plugin *plugin;
    const char *where;
};

static enum status wrong(const struct reading *reading, const char *method, const char *what, const char *expected)
{
    return bad_input("%s: %s: %s%s%s; expected %s", reading->where, reading->plugin->text, method ? method : "",
                     method ? ": " : "", what, expected);
}

static bool is_name(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length > 0 && length <= PLUGIN_NAME_MOST && text[length] == '\0';
}

/* The text of a key, or what stands for it where it is left out. */
static const char *text_of(const json_t *object, const char *key, const char *otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : otherwise;
}

/* Additions of an accumulator in the format that is added in make a tree that is no higher than that of one loop. */
static const struct method *highest_of(const char *accumulator, enum operation operation, const struct sum_format *in)
{
    size_t count;
    if (is_statistic(operation)) /* nothing is claimed of it: whether there are any */
        return method_table_for(operation, in, &count)[0];
    OWNED char *id = text_made(operation_table[operation].of == MATRICES ? "matmul:%s/naive"
                               : operation == OPERATION_scan             ? "scan:%s/serial"
                               : operation == OPERATION_rolling          ? "rolling:%s/add_subtract"
                                                                         : "%s/serial",
                               accumulator);
    const struct method *loop = method_find(id);
    if (loop && loop->operation == OPERATION_sum)
        loop = method_of_operation(loop, operation);
    return loop && loop->role == SUMS ? method_in(loop, in) : NULL;
}

#define OTHER_BOUNDS "any_order, none, an accumulator like kahan, or of_sum and of_abs, which are not negative"

/* "kahan": the bound of that accumulator in any order; "pairwise": that of plain additions in a tree. */
static enum status read_named_bound(const struct reading *reading, const char *word, struct plugin_method *method)
{
    const struct method *named = highest_of(word, OPERATION_sum, sum_formats[0]);
    char why[TREE_WHY_SIZE];
    method->claimed = named ? named->accumulator : "plain";
    method->bound = named ? BOUND_OF_ANY_ORDER : BOUND_OF_TREE;
    if (named || tree_word_read(word, &method->tree, why))
        return OK;
    return bad_input("%s: %s: %s: its bound %s; or " OTHER_BOUNDS, reading->where, reading->plugin->text, method->name,
                     why);
}

static enum status read_bound(const struct reading *reading, const json_t *said, struct plugin_method *method)
{
    const json_t *claimed = json_object_get(said, "bound");
    const char *word = json_is_string(claimed) ? json_string_value(claimed) : NULL;
    method->claimed = "plain";
    if (!claimed || (word && strcmp(word, "any_order") == 0)) {
        method->bound = BOUND_OF_ANY_ORDER;
        return OK;
    }
    if (word && strcmp(word, "none") == 0) {
        method->bound = NO_BOUND;
        return OK;
    }
    if (word)
        return read_named_bound(reading, word, method);
    method->bound = BOUND_OF_ITS_OWN;
    method->bound_of_sum = json_number_value(json_object_get(claimed, "of_sum"));
    method->bound_of_abs = json_number_value(json_object_get(claimed, "of_abs"));
    if (json_is_object(claimed) && method->bound_of_sum >= 0 && method->bound_of_abs >= 0 &&
        method->bound_of_sum + method->bound_of_abs > 0)
        return OK;
    return wrong(reading, method->name, "its bound is none", TREE_WORDS "; or " OTHER_BOUNDS);
}

static enum status read_lengths(const struct reading *reading, const json_t *said, struct plugin_method *method)
{
    const json_t *list = json_object_get(said, "lengths");
    const size_t count = json_array_size(list);
    if (count == 0)
        return OK;
    if (count > LENGTHS_MOST)
        return wrong(reading, method->name, "it lists too many lengths", "1000 at most, or none for any length");
    method->lengths = memory_cleared(count, sizeof *method->lengths);
    for (size_t i = 0; i < count; i++) {
        const double n = json_number_value(json_array_get(list, i)); /* a pipe's whole numbers are read as reals */
        if (!(n >= 1 && n <= 0x1p53 && n == floor(n)))
            return wrong(reading, method->name, "a length is no whole number from 1 on", "those n that it takes");
        method->lengths[method->length_count++] = (uint64_t)n;
    }
    return OK;
}

static enum status read_accumulator(const struct reading *reading, const json_t *said, struct plugin_method *method)
{
    const char *name = text_of(said, "accumulator", NULL);
    if (!name)
        return OK;
    method->accumulator = memory_copy(name);
    method->state_bytes = (size_t)json_integer_value(json_object_get(said, "state_bytes"));
    return is_name(name) ? OK : wrong(reading, name, "the name of an accumulator", "letters, digits and _, 60 at most");
}

/* "dot:mine/loop@bfloat16" */
static char *id_of(const char *accumulator, const char *name, const char *operation, const struct sum_format *in)
{
    const bool is_sum = strcmp(operation, "sum") == 0, is_binary32 = in == sum_formats[0];
    return text_made("%s%s%s/%s%s%s", is_sum ? "" : operation, is_sum ? "" : ":", accumulator, name,
                     is_binary32 ? "" : "@", is_binary32 ? "" : in->id);
}

static void fill_in(struct plugin_method *method, struct plugin *plugin, const char *operation,
                    const struct sum_format *in, bool is_deterministic)
{
    static const struct accumulator_traits accumulator_traits = {.advantage = "the plug-in"};
    static const struct order_traits order_traits = {0};
    const char *accumulator = method->accumulator ? method->accumulator : plugin->name;
    method->id = id_of(accumulator, method->name, operation, in);
    method->method = (struct method){
        .id = method->id,
        .accumulator = accumulator,
        .order = method->name,
        .sum_format = in,
        .format = in->result,
        .operation = operation_named(operation),
        .accumulator_claim = "a plug-in: no replay",
        .order_claim = method->claim,
        .accumulator_traits = &accumulator_traits,
        .order_traits = &order_traits,
        .role = SUMS,
        .determinism = is_deterministic ? DETERMINISTIC : ORDER_OF_ARRIVAL,
        .slow_above = ANY_N,
        .can_do = can_do,
        .bound = bound,
        .plugin = plugin,
        .ask = plugin_ask_as_ever,
        .own = method,
        .version = version,
    };
}

static void free_method(struct plugin_method *method)
{
    free_all(method->id, method->name, method->accumulator, method->claim, method->lengths, method->shapes, method);
}

static enum status read_method(const struct reading *reading, const json_t *said, struct plugin_method *method)
{
    const char *name = text_of(said, "name", ""), *format_word = text_of(said, "format", "binary32");
    const char *operation_word = text_of(said, "operation", "sum");
    const enum operation operation = operation_named(operation_word);
    const struct sum_format *in = sum_format_find(format_word);
    method->name = memory_copy(name);
    method->claim = clean_text(text_of(said, "claim", "in an order that it does not say"));
    if (!is_name(name))
        return wrong(reading, name, "the name of a method", "letters, digits and _, 60 at most");
    if (operation == OPERATIONS)
        return wrong(reading, name, "unknown operation",
                     "one of `ulpscope list operations`, or what stands before the . of one");
    if (!in)
        return wrong(reading, name, "unknown format", "one of `ulpscope list formats`");
    TRY(read_accumulator(reading, said, method));
    method->takes_rows = json_is_true(json_object_get(said, "rows"));
    method->is_variant = json_is_true(json_object_get(said, "variant"));
    method->is_on_device = json_is_true(json_object_get(said, "on_device"));
    if (method->takes_rows && operation_table[operation].of == MATRICES)
        return wrong(reading, name, "it takes rows of vectors, and its operation is of matrices",
                     "rows of vectors alone");
    TRY(read_bound(reading, said, method));
    TRY(read_lengths(reading, said, method));
    const bool has_tree = method->bound == BOUND_OF_TREE;
    if ((is_scan(operation) && has_tree) ||
        (is_statistic(operation) && (has_tree || strcmp(method->claimed, "plain") != 0)))
        return wrong(reading, name, "its bound is one of sums", "none, or of_sum and of_abs");
    if (is_statistic(operation) && method->bound == BOUND_OF_ANY_ORDER)
        method->bound = NO_BOUND; /* the order says nothing of the formula */
    fill_in(method, reading->plugin, operation_word, in, json_is_true(json_object_get(said, "deterministic")));
    method->highest = highest_of(method->claimed, operation, in);
    method->method.claims_another = strcmp(method->claimed, "plain") != 0;
    if (!method->highest)
        return wrong(reading, name, "its operation is not there in its format", "another of `ulpscope list formats`");
    return OK;
}

static enum status append_method(const struct reading *reading, const json_t *said, size_t index)
{
    struct plugin *plugin = reading->plugin;
    struct plugin_method *method = memory_cleared(1, sizeof *method);
    method->index = index;
    enum status status = read_method(reading, said, method);
    bool is_taken = status == OK && method_find(method->id);
    for (size_t m = 0; m < plugin->method_count && status == OK; m++)
        is_taken |= strcmp(plugin->list[m]->id, method->id) == 0;
    if (is_taken)
        status =
            wrong(reading, method->id, "there is a method of this id", "another name of the plug-in or the method");
    if (status != OK) {
        free_method(method);
        return status;
    }
    plugin->methods[plugin->method_count] = method;
    plugin->list[plugin->method_count++] = &method->method;
    return OK;
}

static void tell_warnings(const struct plugin *plugin, const json_t *ready)
{
    size_t i;
    const json_t *warning;
    json_array_foreach(json_object_get(ready, "warnings"), i, warning) if (json_is_string(warning))
        complain("%s: %s", plugin->text, json_string_value(warning));
}

enum status plugin_read_methods(struct plugin *plugin, const json_t *ready, const char *where)
{
    const struct reading reading = {plugin, where};
    const json_t *list = json_object_get(ready, "methods");
    const size_t count = json_array_size(list);
    const char *name = text_of(ready, "name", plugin->name), *said_version = text_of(ready, "version", NULL);
    if (!is_name(name))
        return wrong(&reading, NULL, "its name", "letters, digits and _, 60 at most");
    if (count == 0 || count > METHODS_MOST)
        return wrong(&reading, NULL, count == 0 ? "it has no methods" : "it has too many methods", "1 to 1000");
    char *copy = memory_copy(name);
    free(plugin->name);
    plugin->name = copy;
    plugin->version = said_version ? clean_text(said_version) : NULL;
    tell_warnings(plugin, ready);
    plugin->methods = memory_cleared(count, sizeof(struct plugin_method *));
    plugin->list = memory_cleared(count, sizeof(struct method *));
    for (size_t i = 0; i < count; i++)
        TRY(append_method(&reading, json_array_get(list, i), i));
    for (size_t i = 0; i < count; i++)
        TRY(method_add(plugin->list[i]));
    return OK;
}

/* Of a plug-in whose methods are not in the list. */
void plugin_methods_free(struct plugin *plugin)
{
    for (size_t i = 0; i < plugin->method_count; i++)
        free_method(plugin->methods[i]);
    free_all(plugin->methods, plugin->list);
}

const char *result_read_bits(const char *text, const struct format *result, uint64_t *bits)
{
    const size_t digits = strncmp(text, "0x", 2) == 0 ? strspn(text + 2, "0123456789abcdefABCDEF") : 0;
    if (digits == 0 || text[2 + digits] != '\0')
        return "is not 0x and hexadecimal digits";
    if (digits > 2 * (size_t)result->bytes)
        return "has more digits than the format";
    *bits = strtoull(text, NULL, 16);
    return NULL;
}
