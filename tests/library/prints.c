/* What a library must not do: the twin of test_library_symbols.sh. */
#include <stdio.h>

void prints(void);
void prints(void)
{
    puts("here");
}
