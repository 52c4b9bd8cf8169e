/* A baseline, and what became of it, as tables and sentences. */
#pragma once

#include "baseline.h"
#include "reports/grid.h"

/* Texts are allocated. */

/* "Four classic sums: 48 series, seed 1; 120 blocks of 256 threads, replay" */
char *baseline_heading(const struct baseline *baseline);

/* What its kernels ran on: "NVIDIA H200, nvcc 13.0.48"; "" when it has none. */
char *baseline_devices(const struct baseline *baseline);

/* A line per series. */
struct grid baseline_grid(const struct baseline *baseline);

/* "12 series: 2 worse, 1 missing, 9 same (1 of them with other bits)" */
char *baseline_diff_sentence(const struct baseline_diff *diff);

/* Why series are not comparable or elsewhere, a few of the reasons: "2 not comparable: seed 1 against 2"; "" when none
 * is. */
char *baseline_diff_reasons(const struct baseline_diff *diff);

/* The changes but those that are the same to the last bit, `most` of them at most; and how many there are in all. */
struct grid baseline_diff_grid(const struct baseline_diff *diff, size_t most);
size_t baseline_diff_rows(const struct baseline_diff *diff);

/* "worse: kahan/serial uniform:n=1024 120x256 replay: ulp_error max 0.50 then, 12.3 now" */
char *baseline_change_text(const struct baseline_change *change);
