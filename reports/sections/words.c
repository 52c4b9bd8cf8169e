/* words: what the words of the page mean, one line each; docs/metrics.md has them in full. */
#include "reports/page/page.h"

static const struct {
    const char *word, *meaning;
} words[] = {
    {"ulp", "the spacing of the format at the exact sum; 0.5 ulp is the best possible result"},
    {"u", "unit roundoff: the largest relative error of one rounding, 2^-24 for binary32"},
    {"no digit", "no correct digit: the error is as large as the exact sum, or larger"},
    {"condition", "sum of |x_i| over |s|: how much cancellation the data hold; 1 for data of one sign"},
    {"bound", "what is proven for the error of this method on these data; a larger error is a bug"},
    {"probabilistic bound", "what 1 sum of 1,000 would exceed were roundings random: a model, never a limit"},
    {"height", "the most additions and merges on any path from an element to the result"},
    {"spec, entry",
     "an entry is what the study names after -d; the specs are the data that it stands for, one for each n"},
    {"trial", "one of several data sets of the same spec, each with its own random stream"},
    {"repeat", "the same data set summed again on a device, to see whether the bits are the same"},
    {"launch", "blocks x threads in a block"},
    {"replay", "the order of a launch, summed by a sequential program on the host"},
    {"kernel", "the method on a GPU itself: backend cuda"},
    {"black box", "another library's sum, measured beside the methods"},
    {"order of arrival", "blocks are added as they finish: not deterministic, the same data may give other bits"},
    {"Ki, Mi", "1024 and 1024 x 1024: n = 64Ki is 65536"},
};

static void write(struct page *page, const struct report *report, const struct results *results)
{
    (void)report;
    (void)results;
    page_open_as(page, "dl", "facts");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        page_element(page, "dt", "%s", words[i].word);
        page_element(page, "dd", "%s", words[i].meaning);
    }
    page_close(page);
}

const struct section section_words = {.id = "words", .title = "Words", .of_all_runs = true, .write = write};
