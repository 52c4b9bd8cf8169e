/* What an attack on a method found, judged again: the data on which it is least accurate, and the fewest of which that
 * is left.
 *
 *   attack_result_make      the search (datasets/attack/attack.h); its find, computed and summed exactly once more:
 *                           nothing that is reported comes from the search's own arithmetic
 *   attack_result_shrink    the witness: the fewest and simplest numbers whose error is as large still
 *   attack_result_print     for people, _write_json for scripts, _write_data and _write_witness to run it again
 */
#pragma once

#include "datasets/attack/attack.h"
#include "src/measure/judge.h"
#include "src/teach/shrink/simplify.h"

/* Some numbers, their exact sum, and what the method makes of them. */
struct attack_result_sum {
    struct exact_sum exact; /* empty of a witness that was not looked for */
    struct measured judged; /* of a crash nothing */
};

struct attack_result {
    struct attack_request request;
    struct attack_find find;
    struct attack_result_sum sum;
    bool repeats;        /* the same bits, or the same failure, once more */
    bool is_interrupted; /* by Ctrl-C, and the search or the look for the witness ended before its time */

    double kept;                   /* the witness's error is at least this, of what was climbed */
    struct shrunken witness;       /* n is 0: none was looked for, or there is none */
    struct attack_result_sum core; /* of the witness; the bound is that of as many numbers as were attacked */
    uint64_t evaluations;          /* that it took */
};

/* The part of the error that a witness keeps, where no limit was broken. */
#define ATTACK_RESULT_KEEPS 0.99

/* What is climbed, as the metric that it is judged by. */
enum metric attack_result_metric(enum attack_climbs climbs);

/* The error that was found: NaN of a crash, and where nothing was. */
double attack_result_value(const struct attack_result *attacked);

/* As attack_make, where an onlooker makes Ctrl-C end the search alone; also NOT_MEASURED, which was complained about,
 * where the method has other bits than the search says, though its order is its own. */
enum status attack_result_make(const struct attack_request *request, struct attack_result *attacked);

/* Fills in the witness, unless a plug-in fails on smaller data, which is complained about.  Its error is beyond
 * `limit`, where the error is; else most of what it is. */
enum status attack_result_shrink(struct attack_result *attacked, double limit);
void attack_result_free(struct attack_result *attacked);

/* What repeats the attack, and where the find is kept. */
struct attack_result_names {
    const char *command;
    const char *device;         /* of a method that no host computes: "cuda:0" */
    const char *data, *witness; /* files; NULL: none was asked for */
    const char *limit;          /* "4ulp"; NULL: there was none */
    bool is_broken;
};

/* The command that runs the method on the numbers of a file.  Allocated. */
char *attack_result_rerun(const struct attack_result *attacked, const struct attack_result_names *names,
                          const char *file);

void attack_result_print(const struct attack_result *attacked, const struct attack_result_names *names, FILE *to,
                         bool colour);

/* Schema ulpscope-attack/1, described in docs/attack.md. */
enum status attack_result_write_json(const struct attack_result *attacked, const struct attack_result_names *names,
                                     const char *path);

/* By the ending of its name, as data files are (datasets/files/file.h). */
enum status attack_result_write_data(const struct attack_result *attacked, const struct attack_result_names *names);
enum status attack_result_write_witness(const struct attack_result *attacked, const struct attack_result_names *names);

/* Moves *step to the next that is reported, from SIZE_MAX to the first; false: there is none.  Those are the
 * last of each doubling of the calls, if it is a thousandth better than the one before, and the last of all. */
bool attack_result_next_told(const struct attack_find *find, size_t *step);

/* Words of an attack that several outputs share.  Allocated. */

/* "97.3 % of its bound", "12.4 ulp": a value of what is climbed, rounded up. */
char *attack_words_value(enum attack_climbs climbs, double value);

/* "3 numbers: 16777216, 1, 1"; of more than a few how many are negative, and their binades. */
char *attack_words_numbers(const struct format *format, const void *x, const struct exact_sum *exact);

/* The sentence on the witness. */
char *attack_words_witness(const struct attack_result *attacked);
