/* For scripts: schema ulpscope-triple/1. */
#include "src/teach/bits/bit_fields.h"
#include "triple.h"

#include "reports/json_builder.h"

/* "0 10010111 00000000000000000000000" */
static json_t *json_bit_fields(double value, const struct format *format)
{
    const struct bit_fields fields = bit_fields_of(value, format);
    return json_sprintf("%s %s %s", fields.sign, fields.exponent, fields.significand);
}

static void put_value(json_t *object, const char *key, double value, const struct format *format)
{
    json_put_number(object, key, value);
    json_put(object, "bits", json_bit_fields(value, format));
}

static json_t *number_json(const struct triple_number *number, const struct format *format)
{
    json_t *object = json_of({"given", json_text(number->given)}, {"rounded", json_boolean(number->rounded)});
    put_value(object, "value", number->value, format);
    return object;
}

static json_t *step_json(const struct triple_step *step, const struct format *format)
{
    json_t *object = json_of({"addition", json_text(step->text)}, {"exact", json_taken(exact_hex(step->exact.sum))},
                             {"local_error", json_taken(exact_hex(step->error.sum))});
    put_value(object, "computed", step->made, format);
    return object;
}

static json_t *sum_json(const struct triple_sum *sum, const struct format *format)
{
    json_t *object = json_object(), *steps = json_array();
    for (int i = 0; i < 2; i++)
        json_append(steps, step_json(&sum->steps[i], format));
    json_add(object, {"sum", json_text(sum->steps[1].text)}, {"steps", steps}, json_both("ulp_error", sum->ulp_error));
    put_value(object, "computed", sum->steps[1].made, format);
    return object;
}

enum status triple_write_json(const struct triple *triple, const char *path)
{
    json_t *numbers = json_array(), *sums = json_array();
    for (int i = 0; i < TRIPLE; i++) {
        json_append(numbers, number_json(&triple->numbers[i], triple->format));
        json_append(sums, sum_json(&triple->sums[i], triple->format));
    }
    return json_write(
        json_of({"schema", json_text("ulpscope-triple/1")}, {"format", json_text(triple->format->name)},
                {"numbers", numbers}, {"sums", sums}, {"exact", json_taken(exact_hex(triple->exact.sum))},
                {"nearest", json_hex(triple->exact.nearest)}, json_both("nearest_ulp_error", triple->nearest_ulp_error),
                {"ulp", json_hex(triple->exact.ulp)}, {"same", json_boolean(triple->same)},
                {"apart", json_taken(exact_hex(triple->apart.sum))}, json_both("apart_ulp", triple->apart_ulp)),
        2, path);
}
