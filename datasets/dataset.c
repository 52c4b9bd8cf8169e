#include "dataset_part.h"

#include "datasets/files/file.h"
#include "matrix_elements.h"
#include "shuffle.h"
#include "spec_items.h"

#include <assert.h>

enum { PIECE = 1 << 22 }; /* elements: 16 MiB of binary32, enough for several workers */

/* For `count` numbers, in the call's seed, trial and random stream. */
static enum status prepared_call(const struct data_spec *spec, uint64_t count, struct generator_call *call)
{
    const struct generator *generator = spec->generator;
    const struct parameter n = generator_n(generator);
    if ((double)count < n.least || (double)count > n.most)
        return bad_input("%s: n=%llu; expected %.0f to %.0f; choose such an n", generator->id,
                         (unsigned long long)count, n.least, n.most);
    if (call->trial > MOST_TRIAL)
        return bad_input("%s: trial %llu; expected 0 to %llu; change the seed instead", spec->text,
                         (unsigned long long)call->trial, (unsigned long long)MOST_TRIAL);
    call->n = count;
    call->format = *spec->format;
    call->overflow_exponent = matrix_overflow_exponent(sum_format_of(spec->format, NULL));
    for (size_t p = 0; p < PARAMETERS_MOST; p++)
        call->values[p] = spec->values[p];
    return generator->prepare ? generator->prepare(call) : OK;
}

enum status dataset_call(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct generator_call *call)
{
    *call = (struct generator_call){.seed = seed, .trial = trial, .family = generator_family(spec->generator->id)};
    return prepared_call(spec, spec->n, call);
}

static void *room_for(const struct generator_call *call)
{
    return malloc((size_t)(call->n ? call->n : 1) * format_held(&call->format)->bytes);
}

static enum status fill(const struct generator *generator, const struct generator_call *call, struct dataset *data)
{
    if (data->y)
        return generator->build_pairs(call, data->x, data->y);
    if (!generator->elements)
        return generator->build(call, data->x);
    generator->elements(call, 0, call->n, data->x);
    return OK;
}

/* What the call asks for; as pairs where the family is to make both vectors. */
static enum status generate(const struct data_spec *spec, const char *what, const struct generator_call *call,
                            bool pairs, struct dataset *data)
{
    *data = (struct dataset){.format = spec->format, .n = call->n, .x = room_for(call)};
    data->y = pairs ? room_for(call) : NULL;
    const enum status status = data->x && (data->y || !pairs) ? fill(spec->generator, call, data) : out_of_memory(what);
    if (status != OK)
        dataset_free(data);
    return status;
}

/* A trial of sums along an axis is one of them. */
static enum status read_file(const struct data_spec *spec, uint64_t trial, struct dataset *data)
{
    struct file_options options = spec->options;
    options.sum = trial;
    return file_read(spec->path, &options, data);
}

static enum status make_first(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    struct generator_call call;
    if (!spec->generator)
        return read_file(spec, trial, data);
    TRY(dataset_call(spec, seed, trial, &call));
    return generate(spec, spec->text, &call, spec->kind == TWO_VECTORS && !spec->second, data);
}

enum status dataset_part(const struct part *part, uint64_t seed, uint64_t trial, struct dataset *data)
{
    const struct generator *generator = part->spec->generator;
    struct generator_call call = {.seed = seed, .trial = trial};
    if (!generator)
        return read_file(part->spec, trial, data);
    call.family = part->is_second ? generator_second_family(generator->id) : generator_family(generator->id);
    TRY(prepared_call(part->spec, part->n, &call));
    return generate(part->spec, part->what, &call, false, data);
}

static enum status left_out(const struct dataset *data, const char *name)
{
    if (data->left_out == 0)
        return OK;
    return bad_input("%s: --nonfinite skip would leave out %llu of its numbers, the first of them element %llu (from "
                     "0); expected none left out of two vectors or matrices, whose pairs would come apart; correct the "
                     "file, or choose --nonfinite ieee (to keep what is not finite)",
                     name, (unsigned long long)data->left_out, (unsigned long long)data->first_left_out);
}

enum status dataset_of_one_kind(const struct data_spec *spec, const char *first, const char *second,
                                const struct dataset *x, const struct dataset *y)
{
    TRY(left_out(x, first));
    TRY(left_out(y, second));
    if (strcmp(x->format->name, y->format->name) == 0)
        return OK;
    return bad_input("%s: %s is of %s and %s of %s; expected one format; convert one of them", spec->text, first,
                     x->format->name, second, y->format->name);
}

static enum status as_many(const struct data_spec *spec, const char *first, const struct dataset *x,
                           const struct dataset *y)
{
    if (x->n == y->n)
        return OK;
    return bad_input("%s: %s has %llu numbers and %s has %llu; expected as many in both, which are multiplied in "
                     "pairs; give vectors of the same length",
                     spec->text, first, (unsigned long long)x->n, spec->second->text, (unsigned long long)y->n);
}

/* To a first vector, which is there. */
static enum status add_second(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    const struct part part = {.spec = spec->second, .is_second = true, .n = data->n, .what = spec->text};
    struct dataset other;
    TRY(dataset_part(&part, seed, trial, &other));
    char *first = text_made("%.*s", (int)data_text_first(spec->text), spec->text);
    enum status status = dataset_of_one_kind(spec, first, spec->second->text, data, &other);
    if (status == OK)
        status = as_many(spec, first, data, &other);
    free(first);
    data->y = other.x;
    data->y_conversion = other.conversion;
    return status;
}

struct generator_call permutation_call(uint64_t seed, uint64_t trial, uint64_t n, const struct format *format)
{
    return (struct generator_call){
        .n = n, .seed = seed, .trial = trial, .format = *format, .family = generator_family("permutation")};
}

/* Data that no seed changes; of two vectors the pairs, whole. */
static void permute(uint64_t seed, uint64_t trial, const struct dataset *data)
{
    const struct generator_call call = permutation_call(seed, trial, data->n, data->format);
    shuffle(&call, 0, data->x);
    if (data->y)
        shuffle(&call, 0, data->y);
}

enum status dataset_arrange(const struct data_spec *spec, uint64_t seed, uint64_t trial, const struct dataset *data)
{
    assert(!data->y || spec->ordering.kind == GIVEN);
    if (trial > 0 && data_spec_permutes(spec) && spec->kind == TWO_MATRICES)
        return dataset_permute_matrices(seed, trial, data);
    if (trial > 0 && data_spec_permutes(spec))
        permute(seed, trial, data);
    return ordering_apply(ordering_of_trial(spec->ordering, trial), data->format, data->x, data->n);
}

enum status dataset_unordered(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    *data = (struct dataset){0};
    if (spec->kind == TWO_MATRICES)
        return dataset_matrices(spec, seed, trial, data);
    if (spec->kind == ONE_VECTOR)
        TRY(spec_expect_one_vector(spec, "data"));
    TRY(make_first(spec, seed, trial, data));
    data->window = spec->kind == VECTOR_IN_WINDOWS ? spec->window : 0;
    const enum status status = spec->second ? add_second(spec, seed, trial, data) : OK;
    if (status != OK)
        dataset_free(data);
    return status;
}

enum status dataset_make(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    TRY(dataset_unordered(spec, seed, trial, data));
    const enum status status = dataset_arrange(spec, seed, trial, data);
    if (status != OK)
        dataset_free(data);
    return status;
}

static enum status stream_elements(const struct data_spec *spec, uint64_t seed, uint64_t trial,
                                   const struct consumer *consumer)
{
    struct generator_call call;
    TRY(dataset_call(spec, seed, trial, &call));
    OWNED void *piece = malloc((size_t)PIECE * format_held(spec->format)->bytes);
    TRY(piece ? OK : out_of_memory(spec->text));
    TRY(consumer->start(consumer->context, spec->format, call.n));
    for (uint64_t i = 0; i < call.n; i += PIECE) {
        const uint64_t count = call.n - i < PIECE ? call.n - i : PIECE;
        spec->generator->elements(&call, i, count, piece);
        TRY(consumer->take(consumer->context, piece, count));
    }
    return OK;
}

static enum status stream_whole(const struct data_spec *spec, uint64_t seed, uint64_t trial,
                                const struct consumer *consumer, struct dataset *about)
{
    FREED_BY(dataset_free) struct dataset data = {0};
    TRY(dataset_make(spec, seed, trial, &data));
    about->left_out = data.left_out;
    about->conversion = data.conversion;
    TRY(consumer->start(consumer->context, data.format, data.n));
    if (data.n > 0)
        TRY(consumer->take(consumer->context, data.x, data.n));
    return OK;
}

enum status dataset_stream(const struct data_spec *spec, uint64_t seed, uint64_t trial, const struct consumer *consumer,
                           struct dataset *about)
{
    *about = (struct dataset){0};
    assert(spec->kind == ONE_VECTOR);
    TRY(spec_expect_one_vector(spec, "data"));
    if (!spec->generator && spec->ordering.kind == GIVEN && trial == 0)
        return file_stream(spec->path, &spec->options, consumer, about);
    if (data_spec_is_formula(spec, trial))
        return stream_elements(spec, seed, trial, consumer);
    return stream_whole(spec, seed, trial, consumer, about);
}
