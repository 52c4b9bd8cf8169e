/* For the preset portable: libstdc++ 12, which CUB brings in, takes arc4random from glibc 2.36, for std::random_device;
 * nothing here asks for one.  With this the program starts on glibc 2.35, that of Ubuntu 22.04. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

uint32_t arc4random(void);
uint32_t arc4random(void)
{
    uint32_t word;
    if (getrandom(&word, sizeof word, 0) != (ssize_t)sizeof word)
        abort();
    return word;
}
