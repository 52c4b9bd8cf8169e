/* Versions of libraries and driver, on the machines whose fingerprints are at hand: their cells of this method are
 * computed here. */
#include "src/determinism/fingerprints.h"
#include "src/determinism/vary.h"

static enum status note_cell(struct vary *vary, const struct fingerprints *other, const struct fingerprint *cell)
{
    uint64_t word;
    if (strcmp(cell->method, vary->of->method->id) != 0 || !cell->is_computed)
        return OK;
    TRY(fingerprint_word(vary, cell, other->launch, other->seed, &word));
    vary_begin_word(vary, word);
    variation_note_word(vary, cell->bits, "%s, n = %" PRIu64 ": %s", cell->data, cell->n, other->path);
    return OK;
}

enum status library_vary(struct vary *vary)
{
    const struct varied *varied = vary->of;
    for (size_t o = 0; o < varied->other_count; o++)
        for (size_t c = 0; c < varied->others[o].cell_count; c++)
            TRY(note_cell(vary, &varied->others[o], &varied->others[o].cells[c]));
    if (vary->found->variants == 0)
        vary_leave_out(vary, "%s",
                       varied->other_count > 0 ? "the fingerprints that --against names lack the method"
                                               : "no fingerprints of others; --against names them");
    return OK;
}
