#include "lesson_claim.h"

enum status lesson_claim(const struct sheet *sheet, bool holds, const char *claim)
{
    if (holds)
        return OK;
    return not_measured("lesson %s: its experiment ran and did not show that %s; it does on every machine that adds as "
                        "IEEE 754 has it; run `ulpscope doctor`",
                        sheet->id, claim);
}

void lesson_axis(struct chart_axis *axis, const char *label, enum chart_scale scale, double least, double most)
{
    chart_set(&axis->label, "%s", label);
    axis->scale = scale;
    axis->least = least;
    axis->most = most;
}
