#include "attack_result.h"

#include "src/plugins/plugin.h"
#include "src/study/study.h"
#include "src/teach/explain/join_text.h"

#include <math.h>

enum { FEW = 8 };

char *attack_words_value(enum attack_climbs climbs, double value)
{
    if (climbs != ATTACK_BOUND && isinf(value)) /* beside a sum of 0, whose ulp is 2^-1074 */
        return text_made("more than 1e308 ulp");
    return text_made(climbs == ATTACK_ULP ? "%s ulp"
                     : isnan(value)       ? "no claim"
                                          : "%s %% of its bound",
                     error_text(climbs == ATTACK_BOUND ? 100 * value : value));
}

static uint64_t negatives(const struct format *format, const void *x, uint64_t n)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++)
        count += signbit(held_number(format, x, i)) != 0;
    return count;
}

char *attack_words_numbers(const struct format *format, const void *x, const struct exact_sum *exact)
{
    struct text text = {0};
    text_append(&text, "%" PRIu64, exact->n);
    for (uint64_t i = 0; i < exact->n && exact->n <= FEW; i++) {
        char number[NUMBER_TEXT];
        join_number(format, held_number(format, x, i), number);
        text_append(&text, "%s %s", i == 0 ? ":" : ",", number);
    }
    if (exact->n > FEW)
        text_append(&text, ", %" PRIu64 " of them negative", negatives(format, x, exact->n));
    if (exact->n > FEW && exact->least_exponent <= exact->largest_exponent)
        text_append(&text, ", from 2^%d to 2^%d", exact->least_exponent, exact->largest_exponent + 1);
    return text_take(&text);
}

char *attack_words_witness(const struct attack_result *attacked)
{
    const struct shrunken *witness = &attacked->witness;
    const double error = attacked->core.judged.metrics[attack_result_metric(attacked->request.climbs)];
    struct text text = {0};
    text_append(&text, "%" PRIu64 " of the %" PRIu64 " numbers, simplified, have ", witness->n, attacked->find.n);
    if (attacked->request.climbs == ATTACK_BOUND) {
        text_append(&text, "%s %% of the bound of %" PRIu64 " numbers", error_text(100 * error), attacked->find.n);
    } else {
        OWNED char *ulps = attack_words_value(ATTACK_ULP, error);
        text_append(&text, "%s", ulps);
    }
    text_append(&text, "%s; it took %" PRIu64 " sums", witness->minimal ? ", and each of them is needed" : "",
                attacked->evaluations);
    return text_take(&text);
}

char *attack_result_rerun(const struct attack_result *attacked, const struct attack_result_names *names,
                          const char *file)
{
    const struct format *format = attacked->find.format;
    struct text spec = {0};
    data_spec_append_file(&spec, file);
    OWNED char *name = text_take(&spec);
    char *data = format->precision == FORMAT_BINARY32.precision ? name : data_text_in_format(name, format, false);
    struct text arguments = {0};
    text_append(&arguments, "-d ");
    text_append_shell_word(&arguments, data);
    OWNED char *words = text_take(&arguments);
    char *command =
        rerun_command(&(struct witness){.method = attacked->request.method->id,
                                        .data_arguments = words,
                                        .seed = attacked->request.seed,
                                        .launch = attacked->request.launch,
                                        .device = method_is_on_host(attacked->request.method) ? "host" : names->device,
                                        .plugin = plugin_name(attacked->request.method->plugin)});
    if (data != name)
        free(data);
    return command;
}
