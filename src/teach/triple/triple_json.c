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

static void put_value(struct json_builder *builder, json_t *object, const char *key, double value,
                      const struct format *format)
{
    json_put_number(builder, object, key, value);
    json_put(builder, object, "bits", json_bit_fields(value, format));
}

static json_t *number_json(struct json_builder *builder, const struct triple_number *number,
                           const struct format *format)
{
    json_t *object = json_object();
    json_put(builder, object, "given", json_text(number->given));
    json_put(builder, object, "rounded", json_boolean(number->rounded));
    put_value(builder, object, "value", number->value, format);
    return object;
}

static json_t *step_json(struct json_builder *builder, const struct triple_step *step, const struct format *format)
{
    json_t *object = json_object();
    json_put(builder, object, "addition", json_text(step->text));
    json_put(builder, object, "exact", json_taken(exact_hex(step->exact.sum)));
    json_put(builder, object, "local_error", json_taken(exact_hex(step->error.sum)));
    put_value(builder, object, "computed", step->made, format);
    return object;
}

static json_t *sum_json(struct json_builder *builder, const struct triple_sum *sum, const struct format *format)
{
    json_t *object = json_object(), *steps = json_array();
    for (int i = 0; i < 2; i++)
        json_append(builder, steps, step_json(builder, &sum->steps[i], format));
    json_put(builder, object, "sum", json_text(sum->steps[1].text));
    json_put(builder, object, "steps", steps);
    json_put_number(builder, object, "ulp_error", sum->ulp_error);
    put_value(builder, object, "computed", sum->steps[1].made, format);
    return object;
}

enum status triple_write_json(const struct triple *triple, const char *path)
{
    struct json_builder builder = {false};
    json_t *object = json_object(), *numbers = json_array(), *sums = json_array();
    for (int i = 0; i < TRIPLE; i++) {
        json_append(&builder, numbers, number_json(&builder, &triple->numbers[i], triple->format));
        json_append(&builder, sums, sum_json(&builder, &triple->sums[i], triple->format));
    }
    json_put(&builder, object, "schema", json_text("ulpscope-triple/1"));
    json_put(&builder, object, "format", json_text(triple->format->name));
    json_put(&builder, object, "numbers", numbers);
    json_put(&builder, object, "sums", sums);
    json_put(&builder, object, "exact", json_taken(exact_hex(triple->exact.sum)));
    json_put(&builder, object, "nearest", json_hex(triple->exact.nearest));
    json_put_number(&builder, object, "nearest_ulp_error", triple->nearest_ulp_error);
    json_put(&builder, object, "ulp", json_hex(triple->exact.ulp));
    json_put(&builder, object, "same", json_boolean(triple->same));
    json_put(&builder, object, "apart", json_taken(exact_hex(triple->apart.sum)));
    json_put_number(&builder, object, "apart_ulp", triple->apart_ulp);
    return json_write(&builder, object, 2, path);
}
