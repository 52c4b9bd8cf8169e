/* What a lesson says is held to what it ran: a lesson whose experiment does not show its point does not tell it.
 *
 *   TRY(lesson_claim(sheet, subtraction_error == 0, "the subtraction rounds nothing"));
 */
#pragma once

#include "src/teach/sheet/sheet.h"

/* Complains and returns NOT_MEASURED unless it holds. */
enum status lesson_claim(const struct sheet *sheet, bool holds, const char *claim);

/* An axis of a lesson's picture; all points are between least and most. */
void lesson_axis(struct chart_axis *axis, const char *label, enum chart_scale scale, double least, double most);
