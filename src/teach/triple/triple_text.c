/* The two lines, what each addition lost, and the bits: for people. */
#include "src/teach/bits/bit_fields.h"
#include "triple.h"

#include "reports/terminal.h"

#include <math.h>

enum { DIGITS = 17 }; /* of what binary64 does not hold */

/* Whole numbers in full, as far as binary64 has them all; else the shortest decimal that reads back, of one of 16 bits
 * as binary32 does. */
static void write_decimal(double value, const struct format *format, char text[NUMBER_TEXT])
{
    if (fabs(value) < 1e16 && value == trunc(value) && value != 0)
        snprintf(text, NUMBER_TEXT, "%.0f", value);
    else if (format->bytes == sizeof(double))
        write_double(value, text);
    else
        write_float((float)value, text);
}

/* "0x1p-1 = 0.5", "inf" */
static struct cell cell_of(double value, const struct format *format)
{
    char decimal[NUMBER_TEXT];
    write_decimal(value, format, decimal);
    return isfinite(value) ? cell_text("%s = %s", hex_text(value), decimal) : cell_text("%s", hex_text(value));
}

/* "0x1p-1 = 0.5", in full as a hex-float; in decimal in full, too, where binary64 holds it. */
static struct cell cell_exact(const mpfr_t value)
{
    const double near = mpfr_get_d(value, MPFR_RNDN);
    OWNED char *hex = exact_hex(value), *digits = exact_decimal(value, DIGITS);
    return !mpfr_number_p(value)          ? cell_text("%s", hex)
           : mpfr_cmp_d(value, near) == 0 ? cell_text("%s = %s", hex, double_text(near))
                                          : cell_text("%s = %s...", hex, digits);
}

/* ---- the sums ---- */

static struct cell cell_ulp_error(double ulp_error)
{
    return isnan(ulp_error) ? cell_text("-")
           : ulp_error == 0 ? cell_toned(TONE_GOOD, "exact")
                            : cell_toned(ulp_error > 0.5 ? TONE_BAD : TONE_PLAIN, "%s ulp", error_text(ulp_error));
}

static struct grid sums_grid(const struct triple *triple)
{
    struct grid grid = grid_headed(1, " | sum | error");
    for (int way = 0; way < TRIPLE; way++) {
        const struct triple_step *last = &triple->sums[way].steps[1];
        grid_add(&grid, cell_text("%s", last->text), cell_of(last->made, triple->format),
                 cell_ulp_error(triple->sums[way].ulp_error));
    }
    grid_add(&grid, cell_text("exact sum"), cell_exact(triple->exact.sum), cell_text("-"));
    grid_add(&grid, cell_text("its nearest"), cell_of(triple->exact.nearest, triple->format),
             cell_ulp_error(triple->nearest_ulp_error));
    return grid;
}

static void print_verdict(const struct terminal *terminal, const struct triple *triple)
{
    char far[NUMBER_TEXT];
    write_rounded(mpfr_get_d(triple->apart.sum, MPFR_RNDN), far);
    fputc('\n', terminal->file);
    terminal_word(terminal, triple->same ? TONE_GOOD : TONE_BAD, triple->same ? "equal" : "different");
    fprintf(terminal->file, ": (a + b) + c and a + (b + c) ");
    if (triple->same)
        fprintf(terminal->file, "have the same bits\n");
    else if (!isnan(triple->apart_ulp))
        fprintf(terminal->file, "are %s apart, %s ulp\n", far, error_text(triple->apart_ulp));
    else if (triple->apart.kind == EXACT_FINITE)
        fprintf(terminal->file, "are %s apart; the exact sum is 0, which has no ulp to tell it in\n", far);
    else
        fprintf(terminal->file, "differ in what is not finite\n");
}

/* ---- the additions ---- */

static struct cell cell_local_error(const struct triple_step *step)
{
    if (step->error.kind != EXACT_FINITE)
        return cell_toned(TONE_BAD, step->exact.kind == EXACT_FINITE ? "overflow" : "not finite");
    return mpfr_zero_p(step->error.sum) ? cell_toned(TONE_GOOD, "exact") : cell_exact(step->error.sum);
}

static struct grid steps_grid(const struct triple *triple)
{
    struct grid grid = grid_headed(1, "addition | exact result | makes | local error");
    for (int i = 0; i < 2 * TRIPLE; i++) {
        const struct triple_step *step = &triple->sums[i / 2].steps[i % 2];
        grid_add(&grid, cell_text("%s", step->text), cell_exact(step->exact.sum), cell_of(step->made, triple->format),
                 cell_local_error(step));
    }
    return grid;
}

/* ---- the bits ---- */

static void add_bits(struct grid *grid, const char *label, double value, const struct format *format)
{
    const struct bit_fields fields = bit_fields_of(value, format);
    grid_add(grid, cell_text("%s", label), cell_text("%s", fields.sign), cell_text("%s", fields.exponent),
             cell_text("%s", fields.significand));
}

static struct grid bits_grid(const struct triple *triple)
{
    static const char *const names[] = {"a", "b", "c"};
    struct grid grid = grid_headed(1, "bits | sign | exponent | significand");
    for (int i = 0; i < TRIPLE; i++)
        add_bits(&grid, names[i], triple->numbers[i].value, triple->format);
    for (int i = 0; i < 2 * TRIPLE; i++)
        add_bits(&grid, triple->sums[i / 2].steps[i % 2].text, triple->sums[i / 2].steps[i % 2].made, triple->format);
    add_bits(&grid, "its nearest", triple->exact.nearest, triple->format);
    return grid;
}

/* ---- the whole ---- */

static struct grid numbers_grid(const struct triple *triple)
{
    static const char *const names[] = {"a", "b", "c"};
    OWNED char *heads = text_made("%s | number | as given", triple->format->name);
    struct grid grid = grid_headed(1, heads);
    for (int i = 0; i < TRIPLE; i++) {
        const struct triple_number *number = &triple->numbers[i];
        grid_add(&grid, cell_text("%s", names[i]), cell_of(number->value, triple->format),
                 number->rounded ? cell_toned(TONE_TARGET, "%s, rounded: %s cannot represent it", number->given,
                                              triple->format->name)
                                 : cell_text("%s", number->given));
    }
    return grid;
}

void triple_print(const struct triple *triple, bool colour)
{
    struct grid (*const grids[])(const struct triple *) = {numbers_grid, sums_grid, steps_grid, bits_grid};
    const struct terminal terminal = terminal_of(stdout, colour);
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        struct grid grid = grids[i](triple);
        terminal_grid_taken(&terminal, &grid);
        if (grids[i] == sums_grid)
            print_verdict(&terminal, triple);
    }
}
