/* A test of somebody's sum: exits with 0 if it is within 2 ulp, of n numbers that cancel; BROKEN leaves one out. */
#include <ulpscope/ulpscope.h>

#include <stdio.h>
#include <string.h>

static float my_sum(const float *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return (float)sum;
}

int main(int argc, char **argv)
{
    static const float x[] = {1e8f, 1.5f, -1e8f, 0.25f};
    const size_t n = sizeof x / sizeof *x;
    const int broken = argc > 1 && strcmp(argv[1], "broken") == 0;
    const float computed = my_sum(x, n - (broken ? 1 : 0));
    const struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, n));
    struct ulpscope_verdict verdict;
    verdict.size = sizeof verdict;
    if (ulpscope_judge(&sum, &computed, "2ulp", &verdict) != ULPSCOPE_OK) {
        puts(ulpscope_why());
        return 2;
    }
    printf("libulpscope %s: %s\n", ulpscope_version(), verdict.words);
    return verdict.passed ? 0 : 1;
}
