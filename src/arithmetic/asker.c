#include "asker.h"

#include "src/base/format.h"

#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

enum status asker_start(const struct asked *asked, struct asker *asker)
{
    const size_t factor = format_held(asked->formats->stored)->bytes;
    const size_t result = format_held(asked->formats->result)->bytes;
    *asker = (struct asker){.asked = asked,
                            .random = asked->seed,
                            .a = malloc(asked->rows * asked->terms * factor),
                            .b = malloc(asked->rows * asked->terms * factor),
                            .c = malloc(asked->rows * asked->rows * result)};
    return asker->a && asker->b && asker->c ? OK : out_of_memory("matrices");
}

void asker_end(struct asker *asker)
{
    free_all(asker->a, asker->b, asker->c);
}

enum status questions_new(uint64_t count, uint64_t terms, struct questions *questions)
{
    *questions = (struct questions){.count = count,
                                    .terms = terms,
                                    .a = calloc(count * terms, sizeof(double)),
                                    .b = calloc(count * terms, sizeof(double)),
                                    .answers = calloc(count, sizeof(double)),
                                    .first = calloc(count, sizeof(uint64_t)),
                                    .kind = calloc(count, sizeof(int))};
    return questions->a && questions->b && questions->answers && questions->first && questions->kind
               ? OK
               : out_of_memory("questions");
}

void questions_free(struct questions *questions)
{
    free_all(questions->a, questions->b, questions->answers, questions->first, questions->kind);
}

/* Rows of A and columns of B from question `first` on; what is beyond the last is 0. */
static enum status multiply(struct asker *asker, const struct questions *questions, uint64_t first)
{
    const struct asked *asked = asker->asked;
    const uint64_t terms = questions->terms, rows = asked->rows;
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t k = 0; k < terms; k++) {
            const bool is_there = first + i < questions->count;
            const uint64_t at = (first + i) * terms + k;
            held_set(asked->formats->stored, asker->a, i * terms + k, is_there ? questions->a[at] : 0);
            held_set(asked->formats->stored, asker->b, k * rows + i, is_there ? questions->b[at] : 0);
        }
    return asked->product(asked, rows, terms, asker->a, asker->b, asker->c);
}

enum status asker_ask(struct asker *asker, struct questions *questions)
{
    const uint64_t rows = asker->asked->rows;
    for (uint64_t first = 0; first < questions->count; first += rows) {
        TRY(multiply(asker, questions, first));
        for (uint64_t i = 0; i < rows && first + i < questions->count; i++)
            questions->answers[first + i] = held_number(asker->asked->formats->result, asker->c, i * rows + i);
    }
    asker->count += questions->count;
    return OK;
}

enum status asker_ask_all(struct asker *asker, const struct questions *questions, double *c)
{
    const uint64_t elements = asker->asked->rows * asker->asked->rows;
    TRY(multiply(asker, questions, 0));
    for (uint64_t i = 0; i < elements; i++)
        c[i] = held_number(asker->asked->formats->result, asker->c, i);
    asker->count += elements;
    return OK;
}

uint64_t asker_below(struct asker *asker, uint64_t count)
{
    uint64_t z = asker->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (z ^ z >> 31) % count;
}

/* Of wide formats the exponents of binary16, to which a product may round them. */
struct span span_of(const struct sum_format *formats)
{
    const struct format *stored = formats->stored, *result = formats->result;
    const int normal = stored->least_exponent + stored->precision - 1;
    const int most = MIN(stored->overflow_exponent, FORMAT_BINARY16.overflow_exponent) - 1;
    return (struct span){.least = MAX(normal, FORMAT_BINARY16.least_exponent + FORMAT_BINARY16.precision - 1),
                         .most = most,
                         .subnormal = stored->least_exponent,
                         .product_most = MIN(2 * most, result->overflow_exponent - 1),
                         .at_result = MAX(result->least_exponent, FORMAT_BINARY32.least_exponent)};
}

void question_set(const struct asked *asked, struct questions *questions, uint64_t question, uint64_t k,
                  struct factor_pair pair)
{
    const int half = pair.exponent >= 0 ? pair.exponent / 2 : -(-pair.exponent / 2);
    const uint64_t at = question * questions->terms + k;
    questions->a[at] = rounded_to(ldexp(pair.a, half), asked->formats->stored);
    questions->b[at] = rounded_to(ldexp(pair.b, pair.exponent - half), asked->formats->stored);
}
