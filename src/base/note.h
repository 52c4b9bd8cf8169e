/* A line for people on standard error: said once, however often and by however many threads its cause is met, and not
 * at all with --quiet.  For what is no fault, and changes what results mean.
 *
 *   note_once("%s: read as binary32, ...", path);
 */
#ifndef ULPSCOPE_NOTE_H
#define ULPSCOPE_NOTE_H

void note_once(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From here on none is said. */
void notes_quiet(void);

#endif
