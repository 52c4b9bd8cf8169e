/* A program that adds what it is sent: one line of JSON for each sum, then its numbers.  The protocol is in
 * docs/plugins.md; nothing of ulpscope is needed to build it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long long number_of(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? atoll(at + strlen(key)) : 0;
}

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        float sum = 0, x;
        if (strstr(line, "\"methods\"")) {
            puts("{\"name\": \"mysum\", \"version\": \"1.0\", "
                 "\"methods\": [{\"name\": \"loop\", \"deterministic\": true}]}");
        } else {
            for (long long left = number_of(line, "\"bytes\": "); left > 0; left -= (long long)sizeof x) {
                if (fread(&x, sizeof x, 1, stdin) != 1)
                    return 1;
                sum += x;
            }
            printf("{\"value\": \"%a\"}\n", (double)sum);
        }
        fflush(stdout);
    }
    return 0;
}
