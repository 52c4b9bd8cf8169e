/* Lines are numbers of a text.  Each is held to GMP: its fraction, what is nearest to it, whether that is itself; and
 * all of them to the sum of their fractions. */
#include "fuzz.h"

#include "datasets/files/storage.h"
#include "src/base/format.h"
#include "src/base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXPONENT_MOST = 1200 };

/* ---- a second opinion ---- */

/* false: it is no number, or one that would take long. */
static bool fraction_of(const char *text, mpq_t value)
{
    const char *p = text + (*text == '-' || *text == '+');
    const bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    long scale = 0, exponent = 0;
    bool point = false;
    mpz_t power;
    mpq_set_ui(value, 0, 1);
    for (p += hex ? 2 : 0; (hex ? isxdigit : isdigit)((unsigned char)*p) || (*p == '.' && !point); p++) {
        point = point || *p == '.';
        if (*p == '.')
            continue;
        mpz_mul_ui(mpq_numref(value), mpq_numref(value), hex ? 16 : 10);
        mpz_add_ui(mpq_numref(value), mpq_numref(value),
                   (unsigned long)(isdigit((unsigned char)*p) ? *p - '0' : tolower((unsigned char)*p) - 'a' + 10));
        scale -= point ? (hex ? 4 : 1) : 0;
    }
    if (*p == '/')
        mpz_set_str(mpq_denref(value), p + 1, 10);
    else if (*p != '\0')
        exponent = strtol(p + 1, NULL, 10);
    scale += exponent;
    if (scale > EXPONENT_MOST || scale < -EXPONENT_MOST)
        return false;
    mpz_init(power);
    mpz_ui_pow_ui(power, hex ? 2 : 10, (unsigned long)labs(scale));
    mpz_mul(scale < 0 ? mpq_denref(value) : mpq_numref(value), scale < 0 ? mpq_denref(value) : mpq_numref(value),
            power);
    mpz_clear(power);
    if (*text == '-')
        mpq_neg(value, value);
    mpq_canonicalize(value);
    return true;
}

static bool is_equal(const mpq_t value, double x)
{
    mpq_t other;
    mpq_init(other);
    mpq_set_d(other, x);
    const bool equal = mpq_equal(value, other) != 0;
    mpq_clear(other);
    return equal;
}

static void check_number(const char *text, struct storage *storage, const mpq_t value)
{
    double wide = 0;
    fuzz_check(!storage_read(storage, text), "a number is refused");
    const struct stored_in *in = storage->formats;
    if (!storage->number.is_fraction && !read_double(text, &wide))
        fuzz_check(double_bits(in->value) == double_bits(wide), "another number is nearest");
    for (; in < storage->formats + STORED_FORMAT_COUNT; in++)
        fuzz_check(in->is_changed == (isinf(in->value) || !is_equal(value, in->value)),
                   "a number is said to be changed, or not");
}

/* ---- lines ---- */

static void take_line(struct storage *storage, const char *text, mpq_t sum, bool *is_known)
{
    struct written number;
    double wide = 0;
    mpq_t value;
    const char *const wrong = written_read(text, &number);
    const bool is_read = !read_double(text, &wide) ? isfinite(wide) : isinf(wide);
    if (!strchr(text, '/') && (!wrong || !strstr(wrong, "needs more")))
        fuzz_check(is_read == !wrong, "a number is refused, or what is none is not");
    if (wrong)
        return;
    mpq_init(value);
    const bool is_fraction_known = fraction_of(text, value);
    *is_known = *is_known && is_fraction_known;
    if (is_fraction_known)
        check_number(text, storage, value);
    if (storage_read(storage, text) || storage_keep(storage))
        *is_known = false; /* a denominator */
    mpq_add(sum, sum, value);
    mpq_clear(value);
}

static void one(const char *bytes, size_t size)
{
    struct storage storage = {.format_count = STORED_FORMAT_COUNT};
    char *text = fuzz_text(bytes, size);
    bool is_known = true;
    mpq_t sum, total;
    mpq_inits(sum, total, NULL);
    for (size_t i = 0; i < STORED_FORMAT_COUNT; i++)
        storage.formats[i].format = NUMBER_FORMATS[i];
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));)
        take_line(&storage, line, sum, &is_known);
    if (is_known) /* integers of a million bits take long */
        written_total(&storage.sum, total);
    fuzz_check(!is_known || mpq_equal(sum, total), "a sum is another");
    for (size_t i = 0; is_known && i < STORED_FORMAT_COUNT; i++) {
        const struct conversion conversion = storage_conversion(&storage, &storage.formats[i]);
        fuzz_check(conversion.changed <= storage.n && conversion.cost >= 0, "what storing costs");
    }
    mpq_clears(sum, total, NULL);
    storage_free(&storage);
    free(text);
}

static const struct fuzz_seed seeds[] = {
    SEED("0.1\n0.2\n-0.3"),
    SEED("9007199254740993\n-9007199254740992"),
    SEED("1/3\n-7/12\n+0/5"),
    SEED("0x1.8p+3\n-0x.8P-1074\n0X1.fffffffffffff8p1023"),
    SEED("1e300000\n-1e-300000"),
    SEED("1e999999999"),
    SEED("123456789012345678901234567890.1234567890123456789e-12"),
    SEED("0.1000000000000000055511151231257827021181583404541015625"),
    SEED("4.9406564584124654e-324\n2.4703282292062327208e-324"),
    SEED("18446744073709551615\n9999999999999999999\n10000000000000000000"),
    SEED("1.7976931348623158e308\n1.7976931348623159e308"),
    SEED("00000000000000000000000000000000000.5"),
    {0},
};
const struct fuzz_family fuzz_rationals = {.one = one, .seeds = seeds};
