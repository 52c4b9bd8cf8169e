/* What tests/attacks/memory.py must find: a program with one fault of each kind, chosen by its argument. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int say(void)
{
    fputs("out of memory\n", stderr);
    return 3;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        exit(say());
    setvbuf(file, NULL, _IONBF, 0);
    fputs(text, file);
    fclose(file);
}

static void *work(void *unused)
{
    return unused;
}

int main(int argc, char **argv)
{
    const char *fault = argc > 1 ? argv[1] : "";
    volatile char *volatile made = malloc(100);
    pthread_t thread;
    if (strcmp(fault, "none") == 0) /* the twin of all the others */
        return made ? (put("planted", "whole\n"), 0) : say();
    if (strcmp(fault, "leak") == 0) /* of memory.py --valgrind */
        made = NULL;
    else if (strcmp(fault, "crash") == 0)
        *made = 'x';
    else if (strcmp(fault, "silent") == 0)
        return made ? 0 : 3;
    else if (strcmp(fault, "wrong_code") == 0)
        return made ? 0 : (fputs("out of memory\n", stderr), 2);
    else if (strcmp(fault, "wrong_words") == 0)
        return made ? 0 : (fputs("something went wrong\n", stderr), 3);
    else if (strcmp(fault, "wrong_text") == 0)
        puts(made ? "0.5" : "nan");
    else if (strcmp(fault, "wrong_file") == 0)
        put("planted", made ? "whole\n" : "half");
    else if (strcmp(fault, "lost_file") == 0)
        return made ? 0 : (remove("study.yaml"), say());
    else if (strcmp(fault, "left_file") == 0)
        return made ? 0 : (put("planted.tmp", "half"), say());
    else if (strcmp(fault, "threads") == 0)
        return pthread_create(&thread, NULL, work, NULL) == 0 ? pthread_join(thread, NULL) : 1;
    return 0;
}
