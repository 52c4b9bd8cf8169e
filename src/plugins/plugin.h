/* Plug-ins: other people's sums, dot products and matrix products, as methods of the one list.  Each runs in a
 * process of its own, which gets the data and returns bits; a crash costs one case, nothing else.
 *
 *   TRY(plugin_load(PLUGIN_library, "./libmine.so", "--plugin", &plugin));
 *   method_find("mine/loop")->ask(...)
 *   plugins_close();
 *
 * What goes wrong is complained about once, by the method's id: "mine/loop: was killed by signal 11 (Segmentation
 * fault): it reads past the end of its input".  Then the process is another one. */
#pragma once

#include "kernels/method.h"
#include "src/base/base.h"
#include "src/base/circumstances.h"

enum plugin_kind_id {
#define PLUGIN_KIND(id, flag, argument, claim) PLUGIN_##id,
#include "kinds.def"
    PLUGIN_KINDS
};

/* What a process may take.  A call that takes longer, or more, is ended. */
struct plugin_limits {
    double seconds;   /* a call; until it is ready: ten times that, from 10 to 120, and no less than a call */
    uint64_t bytes;   /* of memory of its own */
    unsigned threads; /* of all its processes together */
};

/* Where nobody says anything else. */
#define PLUGIN_LIMITS                                                                                                  \
    {                                                                                                                  \
        60, UINT64_C(16) << 30, 4096                                                                                   \
    }

/* For all plug-ins, whenever they are loaded. */
void plugins_limit(const struct plugin_limits *limits);

/* Whether it names a function of a library that is there, like "./libx.so.1:total". */
bool plugin_names_function(const char *text);

/* Adds its methods to the list, in the order in which it has them; before other threads look at it.  `text` is what
 * follows the flag, `where` starts complaints.  BAD_INPUT when it cannot be loaded; NOT_MEASURED when the machine is to
 * blame. */
enum status plugin_load(enum plugin_kind_id kind, const char *text, const char *where, struct plugin **plugin);

/* Asked before the process of a plug-in is first started, which it may refuse. */
struct plugin_start {
    const char *flag, *text, *where;
};
void plugins_ask_before(enum status (*may_start)(const struct plugin_start *start));

/* From now on under this tool of compute-sanitizer, "memcheck".  BAD_INPUT where that is not in the PATH, or knows no
 * such tool. */
enum status plugins_sanitize(const char *tool, const char *where);

/* Ends the process; whether compute-sanitizer found errors in it, which it has printed. */
bool plugin_ends_with_errors(struct plugin *plugin);

/* What is beside this program, or where it was installed: "python", "examples"; allocated.  The variable says
 * otherwise. NULL: it is not there. */
char *plugin_companion(const char *name, const char *variable);

/* All that are loaded. */
struct plugin *const *plugins_loaded(size_t *count);

/* Ends all processes; their methods stay in the list and cannot be asked. */
void plugins_close(void);

const struct method *const *plugin_methods(const struct plugin *plugin, size_t *count);

/* As the command line names it, --FLAG TEXT; both "" of NULL. */
struct plugin_name {
    const char *flag, *text;
};
struct plugin_name plugin_name(const struct plugin *plugin);

/* Whether there is such a flag. */
bool plugin_is_flag(const char *flag);

/* Ends its process; the next question starts another. */
void plugin_restart(const struct method *method);

/* Whether it takes sums of n terms; many take only some n, which are the lengths; none: it takes any. */
bool plugin_takes(const struct method *method, uint64_t n);
const uint64_t *plugin_lengths(const struct method *method, size_t *count);

/* Whether it is another of its methods, for data of another format: of a filter, which has one for each. */
bool plugin_is_variant(const struct method *method);

/* The most terms that a run has asked it for. */
uint64_t plugin_most_terms(const struct method *method);

/* Whether it adds up the rows of a matrix in one call, a result each, and whether it does so on a GPU. */
bool plugin_takes_rows(const struct method *method);
bool plugin_is_on_device(const struct method *method);

/* Asks it under circumstances, or for many rows.  But for {0} and one row nothing is complained about and no failure
 * counted: why it failed is a finding, which plugin_failure() has.  BAD_INPUT when it cannot be asked so, and has not
 * been; NOT_MEASURED when it crashed, hung or broke its contract. */
enum status plugin_ask(const struct method *method, const struct operands *of, struct launch launch,
                       const struct circumstances *circumstances, uint64_t *bits);

/* Whether the time between two events of a GPU can be had of it. */
bool plugin_has_events(const struct method *method);

/* How a bench asks; all 0: on the data of `of`, as a run does, and the time is that of the worker's clock. */
struct plugin_timing {
    uint64_t data; /* 1 or more: of plugin_has_events(); a question for the data of the last one leaves them where they
                      lie on the GPU, and the time is the GPU's */
    uint64_t period; /* then: so many elements of `of`, repeated to all of its rows */
    bool is_queued;  /* then: the GPU begins when all of the call is launched */
};

/* No failure is complained about or counted: plugin_failure() has it. */
enum status plugin_time(const struct method *method, const struct operands *of, struct launch launch,
                        const struct plugin_timing *timing, uint64_t *bits, double *seconds);

/* Asks for the results of `count` operands of one shape, all at once, so many times one after the other, each time at
 * other addresses: bits[time * count + i].  Anything but OK: it does not take them so, takes too long for it, or one of
 * the calls failed, which is neither complained about nor counted; ask one by one. */
enum status plugin_ask_many(const struct method *method, const struct operands *of, size_t count, struct launch launch,
                            uint64_t times, uint64_t *bits);

/* Why the last question that this thread asked a plug-in has no answer, as a sentence without its subject; "". */
const char *plugin_failure(void);

/* Whether it failed so often that it is asked no more, which was reported. */
bool plugin_is_left_out(const struct method *method);

/* Notes that a claim was broken, and says how often there was one. */
unsigned plugin_breaks_claim(const struct method *method);
unsigned plugin_broken_claims(const struct method *method);

/* How often it failed, but for its claims. */
unsigned plugin_failures(const struct method *method);

/* What a method is asked beside the data of a study: asked.c has the tables. */
enum plugin_asking {
    A_DOZEN,         /* sums of integers: at a dozen lengths */
    SHAPES_OF_A_RUN, /* at each that it was asked for, other than by these, since the last time */
    EVERYTHING,      /* shapes, alignments, subnormals, repetitions ... */
};
enum { PLUGIN_COUNTS_MOST = 32, PLUGIN_NOTES_MOST = 8 };
struct plugin_count {
    const char *what; /* "lengths"; NULL behind the last */
    unsigned asked, left_out;
    uint64_t most_terms, least_left_out;
};
struct plugin_answers {
    unsigned asked, refused, undeclared, unaligned, overflowed, note_count;
    struct plugin_count counts[PLUGIN_COUNTS_MOST];
    char *notes[PLUGIN_NOTES_MOST]; /* what breaks no promise */
    char *wrong;                    /* NULL: nothing */
};

/* Until the next question would end after so many seconds.  LIMIT_BROKEN, which was complained about, when an answer is
 * wrong: then no more is asked.  NOT_MEASURED when it failed for some of them.  Free the answers. */
enum status plugin_question(const struct method *method, enum plugin_asking what, double seconds,
                            struct plugin_answers *answers);
void plugin_answers_free(struct plugin_answers *answers);
