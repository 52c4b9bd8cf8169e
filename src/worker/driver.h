/* CUDA's driver, looked for when it is first wanted: nothing of CUDA is needed to build or start the worker. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* cuda.h's functions; their _v2 are of 2010, and its types are numbers and pointers. */
struct driver {
    int (*init)(unsigned flags);
    int (*device_get)(int *device, int ordinal);
    int (*attribute)(int *value, int attribute, int device);
    int (*retain)(void **context, int device);
    int (*set_current)(void *context);
    int (*synchronize)(void);
    int (*stream_create)(void **stream, unsigned flags);
    int (*allocate)(uint64_t *at, size_t bytes);
    int (*allocate_on_host)(void **at, size_t bytes, unsigned flags);
    int (*release)(uint64_t at);
    int (*set)(uint64_t at, unsigned char byte, size_t count);
    int (*bring)(uint64_t to, const void *from, size_t bytes);
    int (*fetch)(void *to, uint64_t from, size_t bytes);
    int (*copy)(uint64_t to, uint64_t from, size_t bytes);
    int (*event_create)(void **event, unsigned flags);
    int (*event_record)(void *event, void *stream);
    int (*event_elapsed)(float *milliseconds, void *start, void *stop);
    int (*load_module)(void **module, const void *image);
    int (*find_function)(void **function, void *module, const char *name);
    int (*launch)(void *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
                  unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void *stream, void **arguments,
                  void **extra);
    int (*error_name)(int error, const char **name);
};
extern struct driver cuda;

/* NULL, or why it is not there. */
const char *driver_load(void);

/* Of an error. */
const char *driver_name_of(int error);

/* Whether there was no error; else it is said behind what failed.  After an illegal address and its like every call
 * fails, until the process ends: it gives up. */
bool driver_is_done(int error, const char *failed);
