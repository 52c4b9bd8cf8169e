/* attacked: the worst on random data beside the worst on data that were sought against a method. */
#include "reports/attacked/attacked.h"
#include "reports/page/page.h"

static bool applies(const struct results *results)
{
    FREED_BY(attacked_free) struct attacked attacked = {0};
    attacked_make(results, &attacked);
    return attacked.count > 0;
}

static void write(struct page *page, const struct report *report, const struct results *results)
{
    FREED_BY(attacked_free) struct attacked attacked = {0};
    attacked_make(results, &attacked);
    FREED_BY(grid_free) struct grid grid = attacked_grid(&attacked);
    page_list(page, NULL, attacked_sentences(&attacked, &report->target), ".");
    page_element(page, "p", "%s", ATTACKED_LEGEND);
    grid.top = report->top;
    page_named_grid(page, &grid, "Worst sums on random and on attacked data");
}

const struct section section_attacked = {
    .id = "attacked", .title = "Attacked data", .applies = applies, .share = 50, .write = write};
