/* A program of any language, its standard input and output: bytes go in while others come out, so that nobody waits for
 * the other. */
#pragma once

#include "plugin_kind.h"

struct exchange {
    int to, from;        /* -1: closed */
    char *text;          /* what it wrote, a 0 behind it; of a line without its end */
    size_t length, room; /* room: that text has */
};

enum exchange_end {
    ONE_LINE,  /* the answer is a line, before which all must be read; the program goes on */
    ALL_OF_IT, /* its input ends after the bytes, and the answer is all that it writes until it ends with status 0 */
};

/* Whether it is the name of one, by PATH where it has no slash. */
bool exchange_is_program(const char *name);

/* Starts `sh -c COMMAND` as the plug-in's process; false: why says so. */
bool exchange_start(struct exchange *exchange, struct plugin *plugin, const char *command);

/* Gives it bytes and takes its answer of at most so many; false: why says so. */
bool exchange_bytes(struct exchange *exchange, struct plugin *plugin, const char *bytes, size_t count,
                    enum exchange_end end, size_t most, double seconds);

/* Ends the process, too. */
void exchange_stop(struct exchange *exchange, struct plugin *plugin);

/* As plugin_failed(), and the beginning of what it wrote is quoted. */
bool exchange_failed(const struct exchange *exchange, struct plugin *plugin, const char *why);

/* Workers that speak src/worker/protocol.h: those of shared libraries and of Python. */

/* As plugin_kind has them; `arguments` and `environment` as in process_wish. */
bool packets_start(struct plugin *plugin, char *const *arguments, char *const *environment, json_t **ready);
bool packets_ask(struct plugin *plugin, const struct question *question, uint64_t *bits, double *seconds,
                 bool *refuses);
/* Of a process that has ended by itself: whether compute-sanitizer says so. */
bool packets_found_errors(const struct plugin *plugin);

void packets_stop(struct plugin *plugin);
