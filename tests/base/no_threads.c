/* Linked into the tests: a group that starts no thread and does stops here.  ThreadSanitizer has nothing to find in
 * them and takes ten times as long, so the preset tsan leaves out what has the label one_thread; this keeps the label
 * true.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

extern int may_start_threads;
int may_start_threads = 0; /* room.c knows of its groups */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    if (may_start_threads)
        return __real_pthread_create(thread, attributes, start, argument);
    fputs("this test starts a thread: name it among tests_with_threads in tests/CMakeLists.txt\n", stderr);
    exit(EXIT_FAILURE);
}
