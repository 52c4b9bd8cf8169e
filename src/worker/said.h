/* What the worker says to ulpscope, one packet at a time: its text is put together piece by piece, then sent.  No
 * memory is allocated and no lock taken, so that a signal handler can say something, too. */
#pragma once

#include "protocol.h"

#include <stdbool.h>

/* Appends to the text; what does not fit is left out.  Text of a plug-in may be any bytes: what is no UTF-8 becomes ?.
 */
void say(const char *text);
void say_number(uint64_t number);
void say_hex(uint64_t number);
void say_foreign(const char *text);
void say_json(const char *text); /* in quotes, escaped */

/* Whether all of the text fitted, and forgetting it. */
bool said_all(void);
void said_nothing(void);

/* The request that is answered from now on; until there is one, 0. */
void begin_answer(uint64_t number);

/* Sends the text with an answer, and forgets it.  Where nobody listens the process ends. */
void answer(enum worker_answer what, uint64_t nanoseconds);

/* Says WORKER_CANNOT before READY, WORKER_BROKEN afterwards, with the text, and ends the process at once. */
_Noreturn void give_up(void);
