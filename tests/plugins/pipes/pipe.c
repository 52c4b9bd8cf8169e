/* A program for --pipe, and what programs do wrong: `pipe MODE` behaves until it is asked for a sum of TRIGGER numbers,
 * and then does what MODE says; `pipe good` behaves.  test_pipes.py has what is said of each. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIGGER = 300001 };

struct question {
    unsigned long long number, terms, bytes;
    char line[4096];
    float *x;
    uint32_t bits; /* of the sum */
};

/* The number behind "KEY": in a line of JSON. */
static unsigned long long number_of(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? strtoull(at + strlen(key) + 2, NULL, 10) : 0;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void answer(const struct question *question)
{
    printf("{\"number\": %llu, \"bits\": \"0x%08x\"}\n", question->number, question->bits);
    fflush(stdout);
}

static void wait_for_ever(void)
{
    for (;;)
        pause();
}

static void *sleep_in_thread(void *context)
{
    wait_for_ever();
    return context;
}

/* ---- good in other ways ---- */

static void say_value(const struct question *question)
{
    float sum;
    memcpy(&sum, &question->bits, sizeof sum);
    printf("{\"value\": \"%a\"}\n", sum);
}

static void say_number(const struct question *question)
{
    float sum;
    memcpy(&sum, &question->bits, sizeof sum);
    printf("{\"number\": %llu, \"value\": %.9g}\n", question->number, sum);
}

static void say_nan(const struct question *question)
{
    (void)question;
    puts("{\"value\": \"nan\"}");
}

static void flood_stderr(const struct question *question)
{
    for (int i = 0; i < 200000; i++)
        fprintf(stderr, "line %d of what nobody reads\n", i);
    answer(question);
}

static void fail(const struct question *question)
{
    printf("{\"number\": %llu, \"error\": \"the device is out of paper\"}\n", question->number);
}

/* ---- ends ---- */

static void crash(const struct question *question)
{
    (void)question;
    raise(SIGSEGV);
}

static void call_abort(const struct question *question)
{
    (void)question;
    abort();
}

static void exit_0(const struct question *question)
{
    (void)question;
    exit(0);
}

static void exit_3(const struct question *question)
{
    (void)question;
    exit(3);
}

static void leave_a_child(const struct question *question)
{
    (void)question;
    if (fork() == 0) {
        setsid();
        wait_for_ever();
    }
    raise(SIGKILL);
}

/* ---- does not end ---- */

static void loop(const struct question *question)
{
    for (volatile bool goes_on = true; goes_on;)
        (void)question;
}

static void close_input(const struct question *question)
{
    (void)question;
    fclose(stdin);
    wait_for_ever();
}

static void close_output(const struct question *question)
{
    (void)question;
    fclose(stdout);
    wait_for_ever();
}

static void drip(const struct question *question)
{
    (void)question;
    for (;;) {
        putchar(' ');
        fflush(stdout);
        usleep(1000);
    }
}

/* ---- other output ---- */

static void print_garbage(const struct question *question)
{
    (void)question;
    fwrite("\xff\0\x1b[31m\n", 1, 8, stdout);
}

static void print_before(const struct question *question)
{
    printf("debug: %llu numbers\n", question->terms);
    answer(question);
}

static void print_no_line(const struct question *question)
{
    printf("{\"number\": %llu, \"bits\": \"0x%08x\"}", question->number, question->bits);
    fflush(stdout);
    wait_for_ever();
}

static void print_half_and_end(const struct question *question)
{
    printf("{\"number\": %llu, \"bi", question->number);
    exit(0);
}

static void print_twice(const struct question *question)
{
    printf("{\"number\": %llu, \"bits\": \"0x%08x\"}\n", question->number, question->bits);
    answer(question);
}

static void flood(const struct question *question)
{
    (void)question;
    for (;;)
        putchar('y');
}

static void flood_lines(const struct question *question)
{
    (void)question;
    for (;;)
        puts("y");
}

/* ---- other answers ---- */

static void answer_another(const struct question *question)
{
    struct question another = *question;
    another.number--;
    answer(&another);
}

static void answer_wide(const struct question *question)
{
    (void)question;
    puts("{\"bits\": \"0x3ff0000000000000\"}");
}

static void answer_no_bits(const struct question *question)
{
    (void)question;
    puts("{\"bits\": \"1.5\"}");
}

static void answer_nothing(const struct question *question)
{
    (void)question;
    puts("{}");
}

static void answer_both(const struct question *question)
{
    (void)question;
    puts("{\"bits\": \"0x3f800000\", \"value\": 1}");
}

static void answer_list(const struct question *question)
{
    (void)question;
    puts("[\"0x3f800000\"]");
}

static void answer_and_wait(const struct question *question)
{
    answer(question);
    wait_for_ever();
}

static void answer_many(const struct question *question)
{
    (void)question;
    puts("{\"bits\": [\"0x3f800000\", \"0x3f800000\"]}");
}

static void answer_beyond(const struct question *question)
{
    (void)question;
    puts("{\"value\": \"1e60\"}");
}

static void answer_words(const struct question *question)
{
    (void)question;
    puts("{\"value\": \"about 12\"}");
}

/* ---- takes too much ---- */

static void take_memory(const struct question *question)
{
    (void)question;
    for (size_t mebibytes = 0; mebibytes < 512; mebibytes++)
        memset(malloc(1 << 20), 1, 1 << 20);
    wait_for_ever();
}

static void take_threads(const struct question *question)
{
    pthread_attr_t small;
    pthread_t thread;
    (void)question;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    for (int i = 0; i < 4200; i++)
        if (pthread_create(&thread, &small, sleep_in_thread, NULL) != 0)
            exit(77);
    wait_for_ever();
}

/* ---- */

static const struct mode {
    const char *name;
    void (*act)(const struct question *question);
    bool reads; /* its input, before it acts */
} modes[] = {
    {"good", answer, true},
    {"value", say_value, true},
    {"number", say_number, true},
    {"nan", say_nan, true},
    {"flood_stderr", flood_stderr, true},
    {"fail", fail, true},
    {"crash", crash, true},
    {"abort", call_abort, true},
    {"exit_0", exit_0, true},
    {"exit_3", exit_3, true},
    {"leave_a_child", leave_a_child, true},
    {"loop", loop, true},
    {"never_read", loop, false},
    {"answer_unread", answer_and_wait, false},
    {"close_input", close_input, false},
    {"close_output", close_output, true},
    {"drip", drip, true},
    {"print_garbage", print_garbage, true},
    {"print_before", print_before, true},
    {"print_no_line", print_no_line, true},
    {"print_half_and_end", print_half_and_end, true},
    {"print_twice", print_twice, true},
    {"flood", flood, true},
    {"flood_unread", flood, false},
    {"flood_lines", flood_lines, true},
    {"answer_another", answer_another, true},
    {"answer_wide", answer_wide, true},
    {"answer_no_bits", answer_no_bits, true},
    {"answer_nothing", answer_nothing, true},
    {"answer_both", answer_both, true},
    {"answer_list", answer_list, true},
    {"answer_many", answer_many, true},
    {"answer_beyond", answer_beyond, true},
    {"answer_words", answer_words, true},
    {"take_memory", take_memory, true},
    {"take_threads", take_threads, true},
    {"say_ready", NULL, true}, /* pipe say_ready TEXT: what it says of itself */
};

static const struct mode *mode_of(const char *name)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    fprintf(stderr, "no mode %s\n", name);
    exit(2);
}

static void read_numbers(struct question *question)
{
    float sum = 0;
    question->x = realloc(question->x, question->bytes);
    if (fread(question->x, 1, question->bytes, stdin) != question->bytes)
        exit(1);
    for (unsigned long long i = 0; i < question->bytes / sizeof sum; i++)
        sum += question->x[i];
    question->bits = bits_of(sum);
}

int main(int count, char **arguments)
{
    static struct question question;
    const struct mode *mode = mode_of(count > 1 ? arguments[1] : "good");
    while (fgets(question.line, sizeof question.line, stdin)) {
        question.number = number_of(question.line, "\"number\"");
        question.terms = number_of(question.line, "\"terms\"");
        question.bytes = number_of(question.line, "\"bytes\"");
        const bool is_first = strstr(question.line, "\"request\""), acts = question.terms == TRIGGER;
        if (!is_first && (!acts || mode->reads))
            read_numbers(&question);
        if (is_first)
            puts(count > 2 ? arguments[2] : "{}");
        else
            (acts && mode->act ? mode->act : answer)(&question);
        fflush(stdout);
    }
    return 0;
}
