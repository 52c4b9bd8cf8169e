/* The answer of `ulpscope exact` for scripts: schema ulpscope-exact/1, described in docs/exact.md. */
#include "exact_answer.h"
#include "reports/json_builder.h"

static const char AS_WRITTEN[] = "as written"; /* the format of numbers that have none */

static json_t *nearest_json(const struct exact_sum *exact, json_t *(*write)(double))
{
    json_t *object = json_object();
    for (size_t i = 0; i < NUMBER_FORMAT_COUNT; i++)
        json_put(object, NUMBER_FORMATS[i]->name, write(exact_round(exact->sum, NUMBER_FORMATS[i])));
    return object;
}

static json_t *ulp_json(const struct exact_sum *exact)
{
    json_t *object = json_object();
    mpfr_t ulp;
    mpfr_init2(ulp, MPFR_PREC_MIN);
    for (size_t i = 0; i < NUMBER_FORMAT_COUNT; i++) {
        exact_set_ulp(ulp, exact->sum, NUMBER_FORMATS[i]);
        json_put(object, NUMBER_FORMATS[i]->name, json_taken(exact_hex(ulp)));
    }
    mpfr_clear(ulp);
    return object;
}

static json_t *exponents_json(const struct exact_sum *exact)
{
    if (exact->least_exponent > exact->largest_exponent)
        return json_null();
    return json_of({"least", json_integer(exact->least_exponent)}, {"largest", json_integer(exact->largest_exponent)});
}

static json_t *specials_json(const struct exact_sum *exact)
{
    return json_of({"nan", json_count(exact->nans)}, {"inf", json_count(exact->positive_infinities)},
                   {"-inf", json_count(exact->negative_infinities)}, {"-0", json_count(exact->negative_zeros)},
                   {"subnormal", json_count(exact->subnormals)});
}

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

static json_t *comparison_json(const struct comparison *comparison)
{
    json_t *object =
        json_of({"given", json_text(comparison->given)}, {"format", json_text(comparison->format->name)},
                {"value", json_number(comparison->value)}, {"value_hex", json_hex(comparison->value)},
                {"rounded", json_boolean(comparison->rounded)}, {"class", json_text(class_names[comparison->class])},
                {"side", side_json(comparison)}, {"steps_from_nearest", steps_json(comparison)});
    for (int m = 0; m < METRICS; m++) {
        char hex[64];
        const bool measured = m != METRIC_bound_ratio;
        snprintf(hex, sizeof hex, "%s_hex", metric_table[m].id);
        json_add(object, {metric_table[m].id, measured ? json_number(comparison->metrics[m]) : json_null()},
                 {hex, measured ? json_hex(comparison->metrics[m]) : json_null()});
    }
    if (comparison->has_parts) {
        json_put(object, "storage", json_number(comparison->storage));
        json_put(object, "addition", json_number(comparison->addition));
    }
    return object;
}

static json_t *compare_json(const struct answer *answer)
{
    json_t *array = json_array();
    for (size_t i = 0; i < answer->comparison_count; i++)
        json_append(array, comparison_json(&answer->comparisons[i]));
    return array;
}

static json_t *conversion_json(const char *from, const struct conversion *conversion)
{
    return json_of({"from", json_text(from)}, {"changed", json_count(conversion->changed)},
                   {"underflowed", json_count(conversion->underflowed)},
                   {"overflowed", json_count(conversion->overflowed)}, {"cost", json_number(conversion->cost)},
                   {"cost_hex", json_hex(conversion->cost)}, {"relative_cost", json_number(conversion->relative_cost)},
                   {"relative_cost_hex", json_hex(conversion->relative_cost)});
}

static json_t *stored_json(const struct storage *stored)
{
    json_t *object = json_object();
    for (size_t i = 0; i < stored->format_count; i++) {
        const struct conversion conversion = storage_conversion(stored, &stored->formats[i]);
        json_put(object, conversion.from->name, conversion_json(AS_WRITTEN, &conversion));
    }
    return object;
}

enum status exact_write_json(const struct answer *answer, const char *path)
{
    const struct exact_sum *exact = answer->exact;
    json_t *object = json_of(
        {"schema", json_text("ulpscope-exact/1")}, {"operation", json_text(answer->word)}, {"n", json_count(exact->n)},
        {"format", json_text(answer->stored ? AS_WRITTEN : exact->format->name)}, {"exact", json_text(answer->hex)},
        {"exact_decimal", json_text(answer->decimal)}, {"sum_abs", json_text(answer->sum_abs)},
        {"condition", json_number(exact->condition)}, {"condition_hex", json_hex(exact->condition)},
        {"nearest", nearest_json(exact, json_hex)}, {"nearest_number", nearest_json(exact, json_number)},
        {"ulp", ulp_json(exact)}, {"exponents", exponents_json(exact)}, {"specials", specials_json(exact)},
        {"verified", json_boolean(answer->verified)}, {"exact_is_rounded", json_boolean(exact->is_rounded)},
        {"compare", compare_json(answer)});
    if (answer->about.left_out > 0)
        json_put(object, "left_out", json_count(answer->about.left_out));
    if (answer->about.conversion.from)
        json_put(object, "conversion", conversion_json(answer->about.conversion.from->name, &answer->about.conversion));
    if (answer->stored)
        json_put(object, "stored", stored_json(answer->stored));
    if (answer->fraction)
        json_put(object, "fraction", json_text(answer->fraction));
    if (*answer->sha256)
        json_put(object, "sha256", json_text(answer->sha256));
    if (*answer->second_sha256)
        json_put(object, "second_sha256", json_text(answer->second_sha256));
    return json_write(object, 2, path);
}
