#include "dataset.h"

#include "datasets/files/file.h"
#include "shuffle.h"

#include <stdlib.h>

enum { PIECE = 1 << 22 }; /* elements: 16 MiB of binary32, enough for several workers */

enum status dataset_call(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct generator_call *call)
{
    const struct generator *generator = spec->generator;
    const struct parameter n = generator_n(generator);
    if ((double)spec->n < n.least || (double)spec->n > n.most) {
        complain("%s: n=%llu; expected %.0f to %.0f; choose such an n", generator->id, (unsigned long long)spec->n,
                 n.least, n.most);
        return BAD_INPUT;
    }
    if (trial > MOST_TRIAL) {
        complain("%s: trial %llu; expected 0 to %llu; change the seed instead", spec->text, (unsigned long long)trial,
                 (unsigned long long)MOST_TRIAL);
        return BAD_INPUT;
    }
    *call = (struct generator_call){.n = spec->n, .seed = seed, .trial = trial, .format = *spec->format};
    call->family = generator_family(generator->id);
    for (size_t p = 0; p < PARAMETERS_MOST; p++)
        call->values[p] = spec->values[p];
    return generator->prepare ? generator->prepare(call) : OK;
}

static enum status generate(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    const struct generator *generator = spec->generator;
    struct generator_call call;
    enum status status = OK;
    TRY(dataset_call(spec, seed, trial, &call));
    void *x = malloc((size_t)(spec->n ? spec->n : 1) * format_held(spec->format)->bytes);
    if (!x)
        return out_of_memory(spec->text);
    if (generator->elements)
        generator->elements(&call, 0, call.n, x);
    else
        status = generator->build(&call, x);
    if (status != OK) {
        free(x);
        return status;
    }
    *data = (struct dataset){.format = spec->format, .x = x, .n = spec->n};
    return OK;
}

enum status dataset_arrange(const struct data_spec *spec, uint64_t seed, uint64_t trial, const struct dataset *data)
{
    if (trial > 0 && data_spec_permutes(spec))
        shuffle(&(struct generator_call){.n = data->n,
                                         .seed = seed,
                                         .trial = trial,
                                         .format = *data->format,
                                         .family = generator_family("permutation")},
                0, data->x);
    return ordering_apply(ordering_of_trial(spec->ordering, trial), data->format, data->x, data->n);
}

enum status dataset_unordered(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    *data = (struct dataset){0};
    return spec->generator ? generate(spec, seed, trial, data) : file_read(spec->path, &spec->options, data);
}

enum status dataset_make(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    TRY(dataset_unordered(spec, seed, trial, data));
    const enum status status = dataset_arrange(spec, seed, trial, data);
    if (status != OK)
        dataset_free(data);
    return status;
}

/* ---- in pieces ---- */

static enum status stream_elements(const struct data_spec *spec, uint64_t seed, uint64_t trial,
                                   const struct consumer *consumer)
{
    struct generator_call call;
    TRY(dataset_call(spec, seed, trial, &call));
    void *piece = malloc((size_t)PIECE * format_held(spec->format)->bytes);
    if (!piece)
        return out_of_memory(spec->text);
    enum status status = consumer->start(consumer->context, spec->format, call.n);
    for (uint64_t i = 0; i < call.n && status == OK; i += PIECE) {
        const uint64_t count = call.n - i < PIECE ? call.n - i : PIECE;
        spec->generator->elements(&call, i, count, piece);
        status = consumer->take(consumer->context, piece, count);
    }
    free(piece);
    return status;
}

static enum status stream_whole(const struct data_spec *spec, uint64_t seed, uint64_t trial,
                                const struct consumer *consumer, struct dataset *about)
{
    struct dataset data;
    TRY(dataset_make(spec, seed, trial, &data));
    about->left_out = data.left_out;
    about->conversion = data.conversion;
    enum status status = consumer->start(consumer->context, data.format, data.n);
    if (status == OK && data.n > 0)
        status = consumer->take(consumer->context, data.x, data.n);
    dataset_free(&data);
    return status;
}

enum status dataset_stream(const struct data_spec *spec, uint64_t seed, uint64_t trial, const struct consumer *consumer,
                           struct dataset *about)
{
    *about = (struct dataset){0};
    if (!spec->generator && spec->ordering.kind == GIVEN && trial == 0)
        return file_stream(spec->path, &spec->options, consumer, about);
    if (data_spec_is_formula(spec, trial))
        return stream_elements(spec, seed, trial, consumer);
    return stream_whole(spec, seed, trial, consumer, about);
}
