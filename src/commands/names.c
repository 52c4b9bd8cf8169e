#include "names.h"
#include "src/gate/fault.h"
#include "src/teach/lesson.h"

static bool give(struct name *name, const char *id, const char *prefix, const char *text)
{
    *name = (struct name){id, prefix, text};
    return true;
}

static bool accumulator_name(size_t i, struct name *name)
{
    static const char *const names[][2] = {
#define ACCUMULATOR(id, role, additions, of_merge, claim) {#id, claim},
#include "kernels/accumulators.def"
    };
    return i < sizeof names / sizeof *names && give(name, names[i][0], "", names[i][1]);
}

static bool order_name(size_t i, struct name *name)
{
    static const char *const names[][2] = {
#define ORDER(id, determinism, slow_above, rows, claim) {#id, claim},
#include "kernels/orders.def"
    };
    return i < sizeof names / sizeof *names && give(name, names[i][0], "", names[i][1]);
}

static bool generator_name(size_t i, struct name *name)
{
    size_t vectors, all;
    const struct generator *const *generators = generator_table(&vectors), *const *matrices = generator_matrices(&all);
    if (i < vectors)
        return give(name, generators[i]->id, "", generators[i]->summary);
    return i < vectors + all && give(name, matrices[i - vectors]->id, "matrices: ", matrices[i - vectors]->summary);
}

static bool metric_name(size_t i, struct name *name)
{
    return i < METRICS && give(name, metric_table[i].id, "", metric_table[i].meaning);
}

/* The sums are those in which ... */
static bool fault_name(size_t i, struct name *name)
{
    size_t count;
    const struct fault *faults = fault_table(&count);
    return i < count && give(name, faults[i].id, "", faults[i].meaning);
}

static bool lesson_name(size_t i, struct name *name)
{
    size_t count;
    const struct lesson *lessons = lesson_table(&count);
    return i < count && give(name, lessons[i].id, "", lessons[i].title);
}

static bool operation_name(size_t i, struct name *name)
{
    return i < OPERATIONS && give(name, operation_table[i].id,
                                  operation_table[i].of == MATRICES ? "matrix product: "
                                  : operation_table[i].vectors > 1  ? "two vectors: "
                                                                    : "one vector: ",
                                  operation_table[i].claim);
}

static bool format_name(size_t i, struct name *name)
{
    return i < SUM_FORMATS && give(name, sum_formats[i]->id, "", sum_formats[i]->claim);
}

static bool axis_name(size_t i, struct name *name)
{
    return i < AXES && give(name, axis_table[i].id, "", axis_table[i].varied);
}

read_name *names_of(const char *subject)
{
    static const struct {
        const char *subject;
        read_name *read;
    } tables[] = {
        {"accumulators", accumulator_name}, {"orders", order_name},   {"generators", generator_name},
        {"metrics", metric_name},           {"faults", fault_name},   {"lessons", lesson_name},
        {"operations", operation_name},     {"formats", format_name}, {"axes", axis_name},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(subject, tables[i].subject) == 0)
            return tables[i].read;
    return NULL;
}

enum { INDENT = 2, LABEL = 11, ULP_TEXT = 24 };

/* The end of the longest run of whole words that fits; at least one word. */
static size_t line_length(const char *text, size_t room)
{
    size_t fits = 0;
    for (size_t end = 0;; end++) {
        end += strcspn(text + end, " ");
        if (end > room && fits > 0)
            return fits;
        fits = end;
        if (text[end] == '\0')
            return fits;
    }
}

void card_row(FILE *to, const char *label, const char *text)
{
    fprintf(to, "%*s%-*s", INDENT, "", LABEL, label);
    for (;;) {
        const size_t length = line_length(text, CARD_WIDTH - INDENT - LABEL);
        fprintf(to, "%.*s\n", (int)length, text);
        text += length;
        if (*text == '\0')
            return;
        text++;
        fprintf(to, "%*s", INDENT + LABEL, "");
    }
}

/* "plain/serial, klein*"; "all" for all that name their kind. */
static void append_methods(struct text *to, const char *globs)
{
    if (strcmp(globs, ALL_KINDS) == 0)
        globs = "all";
    for (const char *c = globs; *c != '\0'; c++)
        text_append(to, *c == ',' ? ", " : "%c", *c);
}

/* 97000, 1.6e7 */
static void write_ulp(double ulp, char text[ULP_TEXT])
{
    snprintf(text, ULP_TEXT, "%.5g", ulp);
    char *plus = strchr(text, '+');
    if (!plus)
        return;
    const size_t idle = 1 + strspn(plus + 1, "0");
    memmove(plus, plus + idle, strlen(plus + idle) + 1);
}

/* "at least 2000 ulp" */
static void append_error(struct text *to, const struct effect *effect)
{
    static const double no_correct_digit = 0x1p24; /* an ulp is 2^-24 of s, or more */
    char ulp[ULP_TEXT];
    write_ulp(effect->ulp, ulp);
    if (effect->kind == AT_MOST && effect->ulp == 0)
        text_append(to, "exact");
    else if (isinf(effect->ulp))
        text_append(to, "infinite or NaN");
    else if (effect->ulp == MORE_THAN_HALF)
        text_append(to, "more than 0.5 ulp");
    else
        text_append(to, "at %s %s ulp%s", effect->kind == AT_MOST ? "most" : "least", ulp,
                    effect->kind == AT_LEAST && effect->ulp >= no_correct_digit ? ", no correct digit" : "");
}

static void card_effects(FILE *to, const struct generator *generator, const char *label, enum effect_kind kind)
{
    for (const struct effect *effect = generator->effects; effect->at; effect++) {
        struct text text = {0};
        if (effect->kind != kind)
            continue;
        text_append(&text, "%s: ", effect->at);
        append_methods(&text, effect->methods);
        text_append(&text, ": ");
        append_error(&text, effect);
        OWNED char *row = text_take(&text);
        card_row(to, label, row);
        label = "";
    }
}

/* ---- formats ---- */

/* "binary64, binary32; not bfloat16, e4m3: why; not e5m2: why" */
static void card_formats(FILE *to, const struct generator *generator)
{
    struct text text = {0};
    const char *before = "", *why = NULL;
    for (int f = 0; f < STORED_FORMAT_COUNT; f++)
        if (!generator_refuses(generator, NUMBER_FORMATS[f])) {
            text_append(&text, "%s%s", before, NUMBER_FORMATS[f]->name);
            before = ", ";
        }
    for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
        const char *refusal = generator_refuses(generator, NUMBER_FORMATS[f]);
        if (!refusal)
            continue;
        if (why && strcmp(why, refusal) != 0)
            text_append(&text, ": %s", why);
        text_append(&text, "%s%s", why && strcmp(why, refusal) == 0 ? ", " : "; not ", NUMBER_FORMATS[f]->name);
        why = refusal;
    }
    text_append(&text, why ? ": %s" : "%s", why ? why : "");
    OWNED char *row = text_take(&text);
    card_row(to, "formats", row);
}

static void append_adapted(struct text *to, const struct generator *generator, struct parameter row,
                           const struct format *format)
{
    const struct parameter in_format = generator_parameter(generator, row, format);
    char fallback[PARAMETER_TEXT], least[PARAMETER_TEXT], most[PARAMETER_TEXT];
    if (in_format.fallback == row.fallback && in_format.least == row.least && in_format.most == row.most)
        return;
    parameter_write_briefly(&in_format, in_format.fallback, fallback);
    parameter_write_briefly(&in_format, in_format.least, least);
    parameter_write_briefly(&in_format, in_format.most, most);
    text_append(to, "%s%s (default %s, %s to %s)", to->length > 0 ? "; " : "", row.name, fallback, least, most);
}

/* What is another than with binary32: "bfloat16   big (default 256, 1 to 2^127)". */
static void card_adapted(FILE *to, const struct generator *generator)
{
    for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
        struct text text = {0};
        if (generator_refuses(generator, NUMBER_FORMATS[f]))
            continue;
        append_adapted(&text, generator, generator_n(generator), NUMBER_FORMATS[f]);
        for (const struct parameter *p = generator->parameters; p->name; p++)
            append_adapted(&text, generator, *p, NUMBER_FORMATS[f]);
        OWNED char *row = text_take(&text);
        if (*row != '\0')
            card_row(to, NUMBER_FORMATS[f]->name, row);
    }
}

void card_matrices(FILE *to, const struct generator *generator)
{
    card_row(to, "A, B", generator->formula);
    card_row(to, "source", generator->source);
    card_row(to, "A B", generator->exact);
    card_row(to, "tells", generator->tells);
}

static void card_vector(FILE *to, const struct generator *generator)
{
    card_row(to, "x_i", generator->formula);
    card_row(to, "source", generator->source);
    card_effects(to, generator, "hurts", AT_LEAST);
    card_effects(to, generator, "spares", AT_MOST);
    card_row(to, "exact", generator->exact);
}

void card_claims(FILE *to, const struct generator *generator)
{
    (generator->a ? card_matrices : card_vector)(to, generator);
    card_formats(to, generator);
    card_adapted(to, generator);
}
