/* A line for people on standard error: said once, however often and by however many threads its cause is met.  For what
 * is no fault, and changes what results mean.
 *
 *   note_once("%s: read as binary32, ...", path);
 */
#pragma once

void note_once(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From here on they are said: not with --quiet, nor in tests of the library. */
void notes_begin(void);
