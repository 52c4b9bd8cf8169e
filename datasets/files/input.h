/* Between input.c and what makes numbers of texts (input_text.c) and of blocks (input_block.c). */
#pragma once

#include "file_formats.h"

/* Numbers of a piece: 256 KiB of binary32 stay in a core's cache between the reading and the adding.  2^20 of them took
 * as long. */
enum { PIECE = 1 << 16 };

/* `from` is the format of the numbers in the file; at most so many come, or 0: nobody knows. */
enum status input_start(struct input *in, const struct format *from, uint64_t most);
enum status input_hand_over(struct input *in);

/* Counts what the whole file is refused for, once it is read; the text is kept of the first. */
void input_note_refused(const struct input *in, struct refused *refused, const char *text);

/* What becomes of an element that is no finite number; a missing one is a `what` of "missing".  Whether it is kept. */
bool input_judge_nonfinite(struct input *in, const char *what);
const char *nonfinite_word(double value);

/* As it is in the file, and rounded to in->format; input_add judges it first. */
enum status input_keep(struct input *in, double value, double rounded);
enum status input_add(struct input *in, double value, double rounded);

/* A number that the format of the text does not have. */
enum status input_add_beyond(struct input *in, const struct format *from, const char *text, double infinite);
