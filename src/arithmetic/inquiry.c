#include "inquiry.h"

enum status inquiry_start(const struct asked *asked, struct inquiry *inquiry)
{
    const size_t factor = format_held(asked->formats->stored)->bytes;
    const size_t result = format_held(asked->formats->result)->bytes;
    *inquiry = (struct inquiry){.asked = asked,
                                .random = asked->seed,
                                .a = malloc(asked->rows * asked->terms * factor),
                                .b = malloc(asked->rows * asked->terms * factor),
                                .c = malloc(asked->rows * asked->rows * result)};
    return inquiry->a && inquiry->b && inquiry->c ? OK : out_of_memory("matrices");
}

void inquiry_end(struct inquiry *inquiry)
{
    free_all(inquiry->a, inquiry->b, inquiry->c);
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
static enum status multiply(struct inquiry *inquiry, const struct questions *questions, uint64_t first, bool adds)
{
    const struct asked *asked = inquiry->asked;
    const uint64_t terms = questions->terms, rows = asked->rows;
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t k = 0; k < terms; k++) {
            const bool is_there = first + i < questions->count;
            const uint64_t at = (first + i) * terms + k;
            held_set(asked->formats->stored, inquiry->a, i * terms + k, is_there ? questions->a[at] : 0);
            held_set(asked->formats->stored, inquiry->b, k * rows + i, is_there ? questions->b[at] : 0);
        }
    return asked->product(asked, rows, terms, inquiry->a, inquiry->b, inquiry->c, adds);
}

enum status inquiry_ask(struct inquiry *inquiry, struct questions *questions)
{
    const uint64_t rows = inquiry->asked->rows;
    for (uint64_t first = 0; first < questions->count; first += rows) {
        TRY(multiply(inquiry, questions, first, false));
        for (uint64_t i = 0; i < rows && first + i < questions->count; i++)
            questions->answers[first + i] = held_number(inquiry->asked->formats->result, inquiry->c, i * rows + i);
    }
    inquiry->count += questions->count;
    return OK;
}

enum status inquiry_ask_all(struct inquiry *inquiry, const struct questions *questions, double *c, bool adds)
{
    const uint64_t elements = inquiry->asked->rows * inquiry->asked->rows;
    for (uint64_t i = 0; i < elements && adds; i++)
        held_set(inquiry->asked->formats->result, inquiry->c, i, c[i]);
    TRY(multiply(inquiry, questions, 0, adds));
    for (uint64_t i = 0; i < elements; i++)
        c[i] = held_number(inquiry->asked->formats->result, inquiry->c, i);
    inquiry->count += elements;
    return OK;
}

uint64_t inquiry_below(struct inquiry *inquiry, uint64_t count)
{
    uint64_t z = inquiry->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (z ^ z >> 31) % count;
}

/* Of wide formats the exponents of binary16, to which a product may round them; where results are of binary64, those of
 * binary32. */
struct span span_of(const struct sum_format *formats)
{
    const struct format *stored = formats->stored, *result = formats->result;
    const int normal = stored->least_exponent + stored->precision - 1;
    const bool is_wide = arithmetic_is_wide(formats);
    const struct format *within = is_wide ? &FORMAT_BINARY32 : &FORMAT_BINARY16;
    const int most = MIN(stored->overflow_exponent, within->overflow_exponent) - 1;
    return (struct span){.least = MAX(normal, within->least_exponent + within->precision - 1),
                         .most = most,
                         .subnormal = stored->least_exponent,
                         .product_most = MIN(2 * most, result->overflow_exponent - 1),
                         .at_result = is_wide ? result->least_exponent
                                              : MAX(result->least_exponent, FORMAT_BINARY32.least_exponent),
                         .more_bits = is_wide ? result->precision - FORMAT_BINARY32.precision : 0};
}

void question_set(const struct asked *asked, struct questions *questions, uint64_t question, uint64_t k,
                  struct factor_pair pair)
{
    const int half = pair.exponent >= 0 ? pair.exponent / 2 : -(-pair.exponent / 2);
    const uint64_t at = question * questions->terms + k;
    questions->a[at] = rounded_to(ldexp(pair.a, half), asked->formats->stored);
    questions->b[at] = rounded_to(ldexp(pair.b, pair.exponent - half), asked->formats->stored);
}
