/* What --width 86mm --font-size 8pt say of a picture. */
#pragma once

#include "chart.h"

/* NULL: not given; both NULL: a picture for a screen.  BAD_INPUT for what is no length, or leaves no room for letters.
 */
enum status paper_read(const char *width, const char *font_size, struct chart_paper *paper);
