/* Linked into the tests that start no thread: one that does stops here.  ThreadSanitizer has nothing to find in them
 * and takes ten times as long, so the preset tsan leaves out what has the label one_thread; this keeps the label true.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    (void)thread, (void)attributes, (void)start, (void)argument;
    fputs("this test starts a thread: name it among tests_with_threads in tests/CMakeLists.txt\n", stderr);
    exit(EXIT_FAILURE);
}
