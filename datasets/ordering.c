#include "ordering.h"

#include "shuffle.h"

const char *const ordering_words[] = {
    "given", "reversed",     "ascending",     "descending",    "magnitude", "magnitude_descending",
    "psum",  "bit_reversed", "shuffled:SEED", "shuffled:A..B", NULL,
};
static const char shuffled[] = "shuffled:";

/* "7", or "1..100". */
static bool read_seeds(const char *text, struct ordering *ordering, char wrong[WRONG_TEXT])
{
    char first[NUMBER_TEXT];
    const char *dots = strstr(text, "..");
    const size_t length = dots ? (size_t)(dots - text) : strlen(text);
    uint64_t last;
    *ordering = (struct ordering){.kind = SHUFFLED};
    snprintf(first, sizeof first, "%.*s", (int)length, text);
    if (length >= sizeof first || read_size(first, &ordering->seed) || (dots && read_size(dots + 2, &last))) {
        snprintf(wrong, WRONG_TEXT,
                 "has no seed; expected shuffled:SEED or shuffled:A..B, of whole numbers; correct it");
        return false;
    }
    if (dots && (last < ordering->seed || last - ordering->seed >= ORDERINGS_MOST)) {
        snprintf(wrong, WRONG_TEXT, "is not a range; expected shuffled:A..B with B from A to A + %d; correct it",
                 ORDERINGS_MOST - 1);
        return false;
    }
    ordering->further = dots ? last - ordering->seed : 0;
    return true;
}

bool ordering_read(const char *text, struct ordering *ordering, char wrong[WRONG_TEXT])
{
    static const char before[] = "is unknown; expected one of ";
    char words[WRONG_TEXT];
    if (strncmp(text, shuffled, strlen(shuffled)) == 0)
        return read_seeds(text + strlen(shuffled), ordering, wrong);
    for (unsigned w = 0; w < SHUFFLED; w++)
        if (strcmp(text, ordering_words[w]) == 0) {
            *ordering = (struct ordering){.kind = (enum ordering_kind)w};
            return true;
        }
    parameter_list_words(text, ordering_words, SHUFFLED + 2, words);
    snprintf(wrong, WRONG_TEXT, "%s%.*s", before, (int)(WRONG_TEXT - sizeof before), words);
    return false;
}

void ordering_write(struct ordering ordering, char text[ORDERING_TEXT])
{
    const unsigned long long first = ordering.seed, last = ordering.seed + ordering.further;
    if (ordering.kind == SHUFFLED && ordering.further > 0)
        snprintf(text, ORDERING_TEXT, "%s%llu..%llu", shuffled, first, last);
    else if (ordering.kind == SHUFFLED)
        snprintf(text, ORDERING_TEXT, "%s%llu", shuffled, first);
    else
        snprintf(text, ORDERING_TEXT, "%s", ordering_words[ordering.kind]);
}

/* -inf ... -0, +0 ... +inf, NaN */
static uint64_t key_of_value(double v)
{
    const uint64_t bits = double_bits(v);
    return isnan(v) ? UINT64_MAX : bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* +0, -0, +least, -least ... +inf, -inf, NaN */
static uint64_t key_of_magnitude(double v)
{
    const uint64_t bits = double_bits(v);
    return isnan(v) ? UINT64_MAX : bits << 1 | bits >> 63;
}

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_floats(const void *a, const void *b)
{
    return compare(key_of_value((double)*(const float *)a), key_of_value((double)*(const float *)b));
}

static int compare_float_magnitudes(const void *a, const void *b)
{
    return compare(key_of_magnitude((double)*(const float *)a), key_of_magnitude((double)*(const float *)b));
}

static int compare_doubles(const void *a, const void *b)
{
    return compare(key_of_value(*(const double *)a), key_of_value(*(const double *)b));
}

static int compare_double_magnitudes(const void *a, const void *b)
{
    return compare(key_of_magnitude(*(const double *)a), key_of_magnitude(*(const double *)b));
}

/* n numbers as the host has them. */
struct numbers {
    const struct format *format;
    char *x;
    size_t size; /* of one of them */
    uint64_t n;
};

static struct numbers first_of(struct numbers numbers, uint64_t n)
{
    numbers.n = n;
    return numbers;
}

static void swap(struct numbers of, uint64_t i, uint64_t j)
{
    char x_i[sizeof(double)];
    memcpy(x_i, of.x + i * of.size, of.size);
    memmove(of.x + i * of.size, of.x + j * of.size, of.size);
    memcpy(of.x + j * of.size, x_i, of.size);
}

static void reverse(struct numbers of)
{
    for (uint64_t i = 0; i < of.n / 2; i++)
        swap(of, i, of.n - 1 - i);
}

/* Sorted backwards, with the NaNs still at the end. */
static void reverse_numbers(struct numbers of)
{
    while (of.n > 0 && isnan(held_number(of.format, of.x, of.n - 1)))
        of.n--;
    reverse(of);
}

static void sort(struct numbers of, bool magnitudes)
{
    if (of.size == sizeof(float))
        qsort(of.x, of.n, of.size, magnitudes ? compare_float_magnitudes : compare_floats);
    else
        qsort(of.x, of.n, of.size, magnitudes ? compare_double_magnitudes : compare_doubles);
}

/* What is not finite comes after the others, sorted. */
static enum status psum(struct numbers of)
{
    uint64_t finite = 0;
    for (uint64_t i = 0; i < of.n; i++)
        if (isfinite(held_number(of.format, of.x, i)))
            swap(of, i, finite++);
    sort(first_of(of, finite), false);
    sort((struct numbers){of.format, of.x + finite * of.size, of.size, of.n - finite}, false);
    return psum_order(of.format, of.x, finite);
}

static uint64_t reversed_bits(uint64_t i, unsigned bits)
{
    uint64_t reversed = 0;
    for (unsigned b = 0; b < bits; b++)
        reversed |= (i >> b & 1) << (bits - 1 - b);
    return reversed;
}

/* Places that n does not have are passed over. */
static enum status reverse_bits(struct numbers of)
{
    unsigned bits = 0;
    while (of.n > 1ull << bits)
        bits++;
    char *from = malloc(of.n * of.size), *to = of.x;
    TRY(from ? OK : out_of_memory("a second copy of the data"));
    memcpy(from, of.x, of.n * of.size);
    for (uint64_t place = 0; place < 1ull << bits; place++) {
        const uint64_t i = reversed_bits(place, bits);
        if (i >= of.n)
            continue;
        memcpy(to, from + i * of.size, of.size);
        to += of.size;
    }
    free(from);
    return OK;
}

struct ordering ordering_of_trial(struct ordering ordering, uint64_t trial)
{
    ordering.seed += trial % (ordering.further + 1);
    ordering.further = 0;
    return ordering;
}

enum status ordering_apply(struct ordering ordering, const struct format *format, void *x, uint64_t n)
{
    const struct numbers of = {format, x, format_held(format)->bytes, n};
    if (n < 2) /* x may be NULL */
        return OK;
    switch (ordering.kind) {
    case GIVEN:
        break;
    case REVERSED:
        reverse(of);
        break;
    case ASCENDING:
    case DESCENDING:
        sort(of, false);
        if (ordering.kind == DESCENDING)
            reverse_numbers(of);
        break;
    case MAGNITUDE:
    case MAGNITUDE_DESCENDING:
        sort(of, true);
        if (ordering.kind == MAGNITUDE_DESCENDING)
            reverse_numbers(of);
        break;
    case PSUM:
        return psum(of);
    case BIT_REVERSED:
        return reverse_bits(of);
    case SHUFFLED:
        shuffle(
            &(struct generator_call){
                .n = n, .seed = ordering.seed, .family = generator_family("order=shuffled"), .format = *format},
            0, x);
        break;
    }
    return OK;
}
