#include "law.h"

#include "datasets/dataset.h"
#include "kernels/fused.h"

/* So many products are enough for a mean to three digits. */
enum { PRODUCTS_MOST = 4096 };

/* Those of the first elements of C, which are like all others. */
static size_t products_of(const struct dataset *data, double *products)
{
    size_t count = 0;
    for (uint64_t j = 0; j < data->columns; j++)
        for (uint64_t k = 0; k < data->n && count < PRODUCTS_MOST; k++)
            products[count++] =
                held_number(data->format, data->x, k) * held_number(data->format, data->y, k * data->columns + j);
    return count;
}

double law_of_series(const struct results *results, const struct series *series)
{
    const struct method *method = method_find(series->method);
    const struct spec_record *record = &results->study.entries[series->entry].specs[series->spec];
    struct data_spec *specs = NULL;
    size_t count = 0;
    double law = NAN, products[PRODUCTS_MOST];
    const bool is_file = strcmp(record->family, record->text) == 0;
    if (!method || !fused_of(method) || is_file ||
        data_specs_read(record->text, "the run's data", NONFINITE_REFUSE, &specs, &count) != OK)
        return NAN;
    struct dataset data = {0};
    if (count == 1 && specs->generator && data_spec_set_kind(specs, TWO_MATRICES, "the run's data") == OK &&
        dataset_make(specs, results->study.seed, 0, &data) == OK && data.rows > 0)
        law = fused_law(fused_of(method), products, products_of(&data, products), data.n);
    dataset_free(&data);
    data_specs_free(specs, count);
    return law;
}
