#include "dataset.h"

#include "file.h"

#include <stdlib.h>

static enum status generate(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    const struct generator *generator = spec->generator;
    if (spec->n < generator->least_n || spec->n > MOST_N) {
        complain("%s: n=%llu; %llu to %llu was expected; choose such an n", generator->id, (unsigned long long)spec->n,
                 (unsigned long long)generator->least_n, (unsigned long long)MOST_N);
        return BAD_INPUT;
    }
    if (trial > MOST_TRIAL) {
        complain("%s: trial %llu; 0 to %llu was expected; change the seed instead", spec->text,
                 (unsigned long long)trial, (unsigned long long)MOST_TRIAL);
        return BAD_INPUT;
    }
    struct generator_call call = {.n = spec->n, .seed = seed, .trial = trial};
    call.family = generator_family(generator->id);
    for (size_t p = 0; p < PARAMETERS_MOST; p++)
        call.values[p] = spec->values[p];
    float *x = malloc((size_t)(spec->n ? spec->n : 1) * sizeof *x);
    if (!x)
        return out_of_memory(spec->text);
    const enum status status = generator->fill(&call, x);
    if (status != OK) {
        free(x);
        return status;
    }
    *data = (struct dataset){.format = &FORMAT_BINARY32, .x = x, .n = spec->n};
    return OK;
}

enum status dataset_make(const struct data_spec *spec, uint64_t seed, uint64_t trial, struct dataset *data)
{
    *data = (struct dataset){0};
    if (spec->generator)
        return generate(spec, seed, trial, data);
    return file_read(spec->path, &spec->options, data);
}

enum status dataset_stream(const struct data_spec *spec, uint64_t seed, uint64_t trial, const struct consumer *consumer,
                           uint64_t *left_out)
{
    struct dataset data = {0};
    *left_out = 0;
    if (!spec->generator)
        return file_stream(spec->path, &spec->options, consumer, left_out);
    TRY(generate(spec, seed, trial, &data));
    enum status status = consumer->start(consumer->context, data.format, data.n);
    if (status == OK && data.n > 0)
        status = consumer->take(consumer->context, data.x, data.n);
    dataset_free(&data);
    return status;
}

void dataset_free(struct dataset *data)
{
    free(data->x);
    *data = (struct dataset){0};
}
