/* One case of a study: its data are made once, summed exactly once, and summed by every method. */
#ifndef ULPSCOPE_MEASURE_H
#define ULPSCOPE_MEASURE_H

#include "device.h"
#include "store.h"

struct measuring {
    const struct study *study;
    struct device *device;   /* NULL: replays on the host */
    bool replay_beside;      /* with a device: replay too, and compare the bits */
    unsigned replay_workers; /* threads for one replay; at least 1 */
};

/* Measures a case; the caller calls finished_case_free.  A difference between a kernel and its replay is complained
 * about; methods whose order is that of arrival are not compared. */
enum status measure_case(const struct measuring *measuring, uint64_t index, struct finished_case *finished);
void finished_case_free(struct finished_case *finished);

#endif
