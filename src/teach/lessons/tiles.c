/* A tiled matrix product has the bits of three loops: who reads what changes, and no addition does. */
#include "src/teach/tools/lesson_matrices.h"

#include <sys/param.h>

enum { SIDE = 60, INNER = 128, ELEMENTS = SIDE * SIDE, WIDTHS = 7 };
static const uint64_t widths[WIDTHS] = {1, 2, 4, 8, 16, 32, 64};
enum { WIDTH_MOST = 64 };

struct tiled {
    uint64_t width;
    bool sum_of_tile; /* each tile is added up by itself, and its sum to the element */
    uint64_t reads;   /* counted: of numbers of A and B from memory */
};

/* At element (i, j) of C and product k; fewer rows or columns than the width where a matrix ends. */
struct tile {
    uint64_t i, j, k, rows, columns, inner;
    float a[WIDTH_MOST][WIDTH_MOST], b[WIDTH_MOST][WIDTH_MOST];
};

static void load(const struct lesson_matrices *of, struct tiled *by, struct tile *tile)
{
    tile->rows = MIN(by->width, of->rows - tile->i);
    tile->columns = MIN(by->width, of->columns - tile->j);
    tile->inner = MIN(by->width, of->inner - tile->k);
    for (uint64_t k = 0; k < tile->inner; k++) {
        for (uint64_t row = 0; row < tile->rows; row++)
            tile->a[row][k] = of->a.x[(tile->i + row) * of->a_leading + tile->k + k];
        for (uint64_t column = 0; column < tile->columns; column++)
            tile->b[k][column] = of->b.x[(tile->k + k) * of->columns + tile->j + column];
    }
    by->reads += tile->inner * (tile->rows + tile->columns);
}

/* What the thread of an element does with a tile. */
static float added(float sum, const struct tile *tile, uint64_t row, uint64_t column, bool sum_of_tile)
{
    float s = sum_of_tile ? 0 : sum;
    for (uint64_t k = 0; k < tile->inner; k++) {
        const float product = tile->a[row][k] * tile->b[k][column];
        s = s + product;
    }
    return sum_of_tile ? sum + s : s;
}

static void add_tile(const struct tile *tile, bool sum_of_tile, uint64_t columns, float *c)
{
    for (uint64_t row = 0; row < tile->rows; row++)
        for (uint64_t column = 0; column < tile->columns; column++) {
            float *sum = &c[(tile->i + row) * columns + tile->j + column];
            *sum = added(*sum, tile, row, column, sum_of_tile);
        }
}

static void multiply(const struct lesson_matrices *of, struct tiled *by, float *c)
{
    struct tile tile;
    memset(c, 0, of->rows * of->columns * sizeof *c);
    for (tile.i = 0; tile.i < of->rows; tile.i += by->width)
        for (tile.j = 0; tile.j < of->columns; tile.j += by->width)
            for (tile.k = 0; tile.k < of->inner; tile.k += by->width) {
                load(of, by, &tile);
                add_tile(&tile, by->sum_of_tile, of->columns, c);
            }
}

struct product {
    float c[ELEMENTS];
};

static uint64_t others(const struct product *a, const struct product *b)
{
    uint64_t count = 0;
    for (int i = 0; i < ELEMENTS; i++)
        count += float_bits(a->c[i]) != float_bits(b->c[i]);
    return count;
}

static enum status tell_widths(struct sheet *sheet, const struct lesson_matrices *of, const struct product *naive)
{
    struct grid *grid = sheet_table(sheet, "Tiles from 1 x 1 to 64 x 64", 1,
                                    "> tile | > numbers read | > other bits | > other bits, a sum per tile");
    struct chart *chart = sheet_chart(sheet, "Elements with other bits than three loops", 160);
    struct chart_panel *panel = chart_panel(chart, "");
    struct chart_mark *lines[] = {chart_mark(panel, MARK_LINE, "one sum per element", COLOUR_GOOD),
                                  chart_mark(panel, MARK_LINE, "one sum per tile", COLOUR_BAD)};
    for (int w = 0; w < WIDTHS; w++) {
        uint64_t other[2];
        struct tiled by[] = {{.width = widths[w]}, {.width = widths[w], .sum_of_tile = true}};
        for (int way = 0; way < 2; way++) {
            struct product c;
            multiply(of, &by[way], c.c);
            other[way] = others(&c, naive);
            chart_point(lines[way], (double)widths[w], 100.0 * (double)other[way] / ELEMENTS, NAN, NULL);
        }
        TRY(lesson_claim(sheet, other[0] == 0 && (other[1] > 0) == (widths[w] > 1),
                         "tiles with one sum per element have the bits of three loops, and with a sum per tile not"));
        grid_add(grid, cell_text("%d x %d", (int)widths[w], (int)widths[w]), cell_count(by[0].reads),
                 cell_count(other[0]), cell_count(other[1]));
    }
    lesson_axis(&chart->x, "width of a tile", SCALE_LOG2, 1, WIDTH_MOST);
    predict_choice(
        1, "Which change changes the bits of C?", "Which products does an element add, and in which order?",
        CHOICES("another T", "a sum for each tile, added to the element's", "no wait, if nothing is overwritten"),
        "With one sum per element k runs through 0, 1, 2, ... for every T.");
    lesson_axis(&chart->y, "elements with other bits, %", SCALE_LINEAR, 0, 100);
    chart_set(&chart->caption, "%d x %d elements of %d products each. A tile of 1 x 1 adds each product by itself.",
              SIDE, SIDE, INNER);
    return OK;
}

static enum status tell_methods(struct sheet *sheet, const struct lesson_matrices *of, const struct product *naive)
{
    static const char *const methods[] = {"matmul:plain/tile_16", "matmul:plain/tile_32", "matmul_fma:plain/naive",
                                          "matmul_fma:plain/tile_16", "matmul:plain/split_8"};
    static const char name[] = "one element of C";
    enum { FMA = 2, FMA_TILE, SPLIT, METHODS_TRIED };
    struct product c[METHODS_TRIED], tiles;
    int shown = 0;
    struct tiled by = {.width = 16, .sum_of_tile = true};
    struct grid *grid =
        sheet_table(sheet, "Methods and the bits of matmul:plain/naive", 1, "method | > elements with other bits");
    for (int m = 0; m < METHODS_TRIED; m++) {
        TRY(lesson_multiply(methods[m], of, c[m].c));
        grid_add(grid, cell_text("%s", methods[m]), cell_count(others(&c[m], naive)));
    }
    multiply(of, &by, tiles.c);
    TRY(lesson_claim(sheet, others(&c[0], naive) + others(&c[1], naive) == 0, "tiles have the bits of naive"));
    TRY(lesson_claim(sheet, others(&c[FMA], naive) > 0 && others(&c[FMA], &c[FMA_TILE]) == 0,
                     "fused products have other bits, and in tiles the same"));
    TRY(lesson_claim(sheet, others(&c[SPLIT], naive) > 0 && others(&c[SPLIT], &tiles) == 0,
                     "a sum per tile of 16 is split_8 of 128 products"));
    while (shown < ELEMENTS - 1 && (c[SPLIT].c[shown] == naive->c[shown] || c[FMA].c[shown] == naive->c[shown] ||
                                    c[FMA].c[shown] == c[SPLIT].c[shown]))
        shown++;
    bits_head(sheet, name, &FORMAT_BINARY32);
    bits_line(sheet, name, "naive", (double)naive->c[shown], &FORMAT_BINARY32);
    bits_line(sheet, name, "tile_16", (double)c[0].c[shown], &FORMAT_BINARY32);
    bits_line(sheet, name, "split_8", (double)c[SPLIT].c[shown], &FORMAT_BINARY32);
    bits_line(sheet, name, "fused, naive", (double)c[FMA].c[shown], &FORMAT_BINARY32);
    return OK;
}

/* -2^-100 * 2^-100, then 0 * 0 where inner is 2. */
static enum status tiny(uint64_t inner, float *c)
{
    static const float a[] = {-0x1p-100f, 0}, b[] = {0x1p-100f, 0};
    FREED_BY(lesson_matrices_free)
    struct lesson_matrices of = {.rows = 1, .inner = inner, .columns = 1, .a_leading = inner};
    TRY(lesson_data_of(a, inner, &of.a));
    TRY(lesson_data_of(b, inner, &of.b));
    return lesson_multiply("matmul_fma:plain/naive", &of, c);
}

static enum status tell_exercise(struct sheet *sheet, struct lesson_matrices *of)
{
    enum { KEPT = 100 };
    struct product padded, ended;
    float zero[2];
    for (uint64_t k = KEPT; k < INNER; k++) {
        for (uint64_t i = 0; i < SIDE; i++)
            of->a.x[i * of->a_leading + k] = 0;
        memset(of->b.x + k * SIDE, 0, SIDE * sizeof *of->b.x);
    }
    TRY(lesson_multiply("matmul:plain/naive", of, padded.c));
    of->inner = KEPT;
    TRY(lesson_multiply("matmul:plain/naive", of, ended.c));
    TRY(tiny(1, &zero[0]));
    TRY(tiny(2, &zero[1]));
    TRY(lesson_claim(sheet, others(&padded, &ended) == 0 && float_bits(zero[0]) != float_bits(zero[1]),
                     "zeros change no bit of a sum but the sign of a zero"));
    say_exercise("%d products are no multiple of 16: many kernels fill the last tile up with zeros. Do they still have "
                 "the bits of three loops?",
                 KEPT);
    say_answer("With zeros up to %d, %d of %s elements have other bits: s + 0 is s. But not if s is -0: fused, -2^-100 "
               "* 2^-100 underflows to %g, and with one 0 * 0 more it is %g. Kahan's excess may change, too. So "
               "kernels that claim bits end the loop instead.",
               INNER, (int)others(&padded, &ended), grouped_text(ELEMENTS), (double)zero[0], (double)zero[1]);
    return OK;
}

static void open_with_loops(struct sheet *sheet)
{
    static const char name[] = "a tile of T x T, by the thread of element (i, j)";
    say_question("Three loops multiply matrices element by element. A fast kernel cuts them into tiles and keeps these "
                 "in shared memory. May it print other bits?");
    say_prediction("Each of the T x T threads of a block does this. Which line would you change to change the bits of "
                   "C, and which lines cannot?");
    sheet_line(sheet, name, "sum = 0;");
    sheet_line(sheet, name, "for (k0 = 0; k0 < K; k0 += T) {");
    sheet_line(sheet, name, "    load one element of A and one of B for all threads; wait;");
    sheet_line(sheet, name, "    for (k = k0; k < min(k0 + T, K); k++)");
    sheet_line(sheet, name, "        sum = sum + a_tile[i][k - k0] * b_tile[k - k0][j];");
    sheet_line(sheet, name, "    wait;");
    sheet_line(sheet, name, "}");
    sheet_line(sheet, name, "C[i][j] = sum;");
}

static enum status tell(struct sheet *sheet, struct lesson_matrices *of)
{
    struct product naive;
    TRY(lesson_multiply("matmul:plain/naive", of, naive.c));
    open_with_loops(sheet);
    say_heading("Tiles of every width");
    say("The run has two such kernels, compared bit for bit with `matmul:plain/naive`, three loops. The first is the "
        "one above. The second differs in one thing: it sets a sum of its own to 0 for each tile, and adds that to the "
        "element's.");
    TRY(tell_widths(sheet, of, &naive));
    say("Larger tiles read less, which is what they are for. In the first kernel k runs through 0, 1, 2, ... whatever "
        "T is: every element adds the same products in the same order, so all bits are the same. In the second the "
        "brackets are others: (p0 + ... + p15) + (p16 + ... + p31) + ...");
    say_heading("What does change bits");
    TRY(tell_methods(sheet, of, &naive));
    say("A fused multiply-add rounds once instead of twice: other bits, and again the same in tiles. And the kernel "
        "with a sum per tile of 16 has, in all %s elements, the bits of `split_8`: what it does is split %d products "
        "into 8 parts. The lesson `split_k` is about that.",
        grouped_text(ELEMENTS), INNER);
    say_theorem("IEEE 754-2019, 5.1; docs/matmul.md",
                "The result of an addition or a multiplication depends on its operands alone: it is the exact one, "
                "rounded. So the bits of an element depend on its products, on the tree in which they are added and on "
                "what is rounded, and on nothing else: not on threads, memory, tiles or time.");
    return tell_exercise(sheet, of);
}

enum status lesson_tiles(struct sheet *sheet)
{
    FREED_BY(lesson_matrices_free) struct lesson_matrices of = {0};
    TRY(lesson_matrices_made("uniform:low=-1", &FORMAT_BINARY32, SIDE, INNER, SIDE, &of));
    TRY(tell(sheet, &of));
    say("Go on: `ulpscope grade matmul:plain/tile_16 --size-most 64` looks at a product from outside, and tells how it "
        "was computed.");
    return OK;
}
