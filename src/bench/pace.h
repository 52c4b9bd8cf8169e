/* How long a bench will take: its calls as a quick look at little data predicts them, corrected by what those that are
 * done took.
 *
 *   predicted 10 s in all; 4 s of them are done and took 8: the other 6 will take 12
 */
#pragma once

#include <stdint.h>

struct pace {
    double left;       /* predicted seconds of what is still to be called, and compared */
    double done, took; /* of the rest: what was predicted, and what it took */
};

/* So many predicted seconds are done. */
void pace_step(struct pace *pace, double predicted, double took);

/* How many times as long as predicted everything takes.  The prediction has the weight of a hundredth of the whole, so
 * that the first call alone does not decide. */
double pace_slowness(const struct pace *pace);

double pace_seconds_left(const struct pace *pace);

/* How many rounds of what is left fit into so many seconds: 1 to `most`.  A round is predicted to take `round` seconds
 * and what is done once `once`. */
uint64_t pace_rounds(const struct pace *pace, double seconds, double round, double once, uint64_t most);
