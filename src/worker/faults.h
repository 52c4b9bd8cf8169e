/* A plug-in that crashes or calls exit() says what it did, before the process ends. */
#pragma once

#include <stdbool.h>

/* From now on, in this thread and those that are started later. */
void faults_watch(void);

/* What the plug-in does now, " while it was loaded", for the ends of sentences; "" in a call. */
void faults_while(const char *what);

/* exit() is the worker's own from now on. */
void faults_end(void);

/* Appends "its input 1" of the arrays of a call. */
void say_array(int array);
