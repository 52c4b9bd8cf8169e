/* Files that are being written under a temporary name, so that Ctrl-C leaves none behind.
 *
 * From the first one on SIGINT, SIGTERM and SIGHUP remove them before they end the program, unless somebody else
 * handles them or they are ignored.
 */
#pragma once

/* A name too long, or one too many, is not remembered: it is then left behind as it would be without. */
void unfinished_add(const char *path);

/* It is finished, or removed. */
void unfinished_drop(const char *path);

/* This signal does so as well, unless somebody handles it.  May be called in a handler. */
void unfinished_watch(int signal);

/* Removes them all: the program is about to end. */
void unfinished_remove(void);
