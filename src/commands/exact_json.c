/* The answer of `ulpscope exact` for scripts: schema ulpscope-exact/1, described in docs/exact.md. */
#include "exact_answer.h"

#include "reports/json_builder.h"

#include <math.h>

/* ---- the sum ---- */

static json_t *nearest_json(struct json_builder *builder, const struct exact_sum *exact, json_t *(*write)(double))
{
    json_t *object = json_object();
    for (size_t i = 0; i < NUMBER_FORMAT_COUNT; i++)
        json_put(builder, object, NUMBER_FORMATS[i]->name, write(exact_round(exact->sum, NUMBER_FORMATS[i])));
    return object;
}

static json_t *ulp_json(struct json_builder *builder, const struct exact_sum *exact)
{
    json_t *object = json_object();
    mpfr_t ulp;
    mpfr_init2(ulp, MPFR_PREC_MIN);
    for (size_t i = 0; i < NUMBER_FORMAT_COUNT; i++) {
        exact_set_ulp(ulp, exact->sum, NUMBER_FORMATS[i]);
        json_put(builder, object, NUMBER_FORMATS[i]->name, json_taken(exact_hex(ulp)));
    }
    mpfr_clear(ulp);
    return object;
}

static json_t *exponents_json(struct json_builder *builder, const struct exact_sum *exact)
{
    if (exact->least_exponent > exact->largest_exponent)
        return json_null();
    json_t *object = json_object();
    json_put(builder, object, "least", json_integer(exact->least_exponent));
    json_put(builder, object, "largest", json_integer(exact->largest_exponent));
    return object;
}

static json_t *specials_json(struct json_builder *builder, const struct exact_sum *exact)
{
    json_t *object = json_object();
    json_put(builder, object, "nan", json_count(exact->nans));
    json_put(builder, object, "inf", json_count(exact->positive_infinities));
    json_put(builder, object, "-inf", json_count(exact->negative_infinities));
    json_put(builder, object, "-0", json_count(exact->negative_zeros));
    json_put(builder, object, "subnormal", json_count(exact->subnormals));
    return object;
}

/* ---- a value beside it ---- */

/* Signed.  From a number near the one end of binary64 to the other there are more than an integer of JSON holds. */
static json_t *steps_json(const struct comparison *comparison)
{
    if (!comparison->has_steps)
        return json_null();
    if (comparison->steps > INT64_MAX)
        return json_real(comparison->steps_side * (double)comparison->steps);
    return json_integer(comparison->steps_side * (json_int_t)comparison->steps);
}

static json_t *side_json(const struct comparison *comparison)
{
    if (comparison->class == CLASS_NAN)
        return json_null();
    return json_text(comparison->side > 0 ? "above" : comparison->side < 0 ? "below" : "equal");
}

static json_t *comparison_json(struct json_builder *builder, const struct comparison *comparison)
{
    json_t *object = json_object();
    json_put(builder, object, "given", json_text(comparison->given));
    json_put(builder, object, "format", json_text(comparison->format->name));
    json_put(builder, object, "value", json_number(comparison->value));
    json_put(builder, object, "value_hex", json_hex(comparison->value));
    json_put(builder, object, "rounded", json_boolean(comparison->rounded));
    json_put(builder, object, "class", json_text(class_names[comparison->class]));
    json_put(builder, object, "side", side_json(comparison));
    json_put(builder, object, "steps_from_nearest", steps_json(comparison));
    for (int m = 0; m < METRICS; m++) {
        char hex[64];
        const bool measured = m != METRIC_bound_ratio;
        snprintf(hex, sizeof hex, "%s_hex", metric_table[m].id);
        json_put(builder, object, metric_table[m].id, measured ? json_number(comparison->metrics[m]) : json_null());
        json_put(builder, object, hex, measured ? json_hex(comparison->metrics[m]) : json_null());
    }
    return object;
}

static json_t *compare_json(struct json_builder *builder, const struct answer *answer)
{
    json_t *array = json_array();
    for (size_t i = 0; i < answer->comparison_count; i++)
        json_append(builder, array, comparison_json(builder, &answer->comparisons[i]));
    return array;
}

/* ---- the object ---- */

enum status exact_write_json(const struct answer *answer, const char *path)
{
    struct json_builder builder = {false};
    const struct exact_sum *exact = answer->exact;
    json_t *object = json_object();
    json_put(&builder, object, "schema", json_text("ulpscope-exact/1"));
    json_put(&builder, object, "n", json_count(exact->n));
    json_put(&builder, object, "format", json_text(exact->format->name));
    json_put(&builder, object, "exact", json_text(answer->hex));
    json_put(&builder, object, "exact_decimal", json_text(answer->decimal));
    json_put(&builder, object, "sum_abs", json_text(answer->sum_abs));
    json_put(&builder, object, "condition", json_number(exact->condition));
    json_put(&builder, object, "condition_hex", json_hex(exact->condition));
    json_put(&builder, object, "nearest", nearest_json(&builder, exact, json_hex));
    json_put(&builder, object, "nearest_number", nearest_json(&builder, exact, json_number));
    json_put(&builder, object, "ulp", ulp_json(&builder, exact));
    json_put(&builder, object, "exponents", exponents_json(&builder, exact));
    json_put(&builder, object, "specials", specials_json(&builder, exact));
    json_put(&builder, object, "verified", json_boolean(answer->verified));
    json_put(&builder, object, "compare", compare_json(&builder, answer));
    if (answer->left_out > 0)
        json_put(&builder, object, "left_out", json_count(answer->left_out));
    if (*answer->sha256)
        json_put(&builder, object, "sha256", json_text(answer->sha256));
    return json_write(&builder, object, 2, path);
}
