/* Reads texts, one a line, as the program does: its bits in binary64, binary32, binary16, bfloat16 and tf32, and beside
 * each the side of the number on which the text lies, "<", "=" or ">"; "refused" where that is the answer.
 *
 *   0.1      3fb999999999999a< 3dcccccd< ...     bits as the format has them, tf32's as binary32 has them */
#include "src/base/format.h"
#include "src/base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct format *const formats[] = {&FORMAT_BINARY64, &FORMAT_BINARY32, &FORMAT_BINARY16, &FORMAT_BFLOAT16,
                                               &FORMAT_TF32};

/* The two ways to be read, which differ in how the number is found, are to agree. */
static void print_read(const char *text, const struct format *format)
{
    double value, again;
    int side;
    const struct format *stored = format == &FORMAT_TF32 ? &FORMAT_BINARY32 : format;
    const char *wrong = read_in_format(text, format, &value, &side);
    const char *wrong_again = read_in_format(text, format, &again, NULL);
    if (wrong != wrong_again || (!wrong && double_bits(value) != double_bits(again)))
        printf(" differ");
    else if (wrong)
        printf(" refused");
    else
        printf(" %" PRIx64 "%c", format_bits(stored, value), "<=>"[side + 1]);
}

int main(void)
{
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
            print_read(line, formats[f]);
        putchar('\n');
    }
    return 0;
}
