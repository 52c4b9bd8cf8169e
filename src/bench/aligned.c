#include "aligned.h"

void aligned_row(const struct grid *grid, size_t row, const int *widths)
{
    for (size_t c = 0; c < grid->columns; c++)
        printf("| %*s ", c == 0 ? -widths[c] : widths[c], grid_text(grid, row, c));
    puts("|");
}

void aligned_rule(size_t columns, const int *widths)
{
    for (size_t c = 0; c < columns; c++) {
        fputs(c == 0 ? "|:" : "|-", stdout);
        for (int i = 0; i < widths[c]; i++)
            putchar('-');
        fputs(c == 0 ? "-" : ":", stdout);
    }
    puts("|");
}
