/* How long the rest of a work will take that is done in pieces, from how long those took that are done.
 *
 * Pieces are of kinds, and those of a kind take about as long.  What one takes is the mean of those that were done; of
 * a kind of which none was, it is estimated: its weight times what a unit of weight took elsewhere.  Every time is
 * given, so that the same history has the same forecast. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct forecast_kind {
    double weight;       /* of a piece, beside those of other kinds: a guess at what it takes, in any unit */
    uint64_t left, done; /* pieces that are not begun; that were done */
    double seconds;      /* that these took */
};

/* A piece that was begun. */
struct forecast_piece {
    uint64_t id;
    size_t kind;
    double began;
};

/* Zeroed, but for the kinds, whose `left` and `weight` are known. */
struct forecast {
    struct forecast_kind *kinds; /* of the caller, who frees them */
    size_t kind_count;
    struct forecast_piece *running;
    size_t running_count, running_room;
    size_t at_once; /* pieces that ran when the last was begun */
};

void forecast_begin(struct forecast *forecast, uint64_t id, size_t kind, double now);
void forecast_end(struct forecast *forecast, uint64_t id, double now);

/* Is to be begun once more; it runs, or ended without being done. */
void forecast_give_back(struct forecast *forecast, uint64_t id, size_t kind);

/* Seconds; infinity as long as nothing is known. */
double forecast_left(const struct forecast *forecast, double now);

void forecast_free(struct forecast *forecast);
