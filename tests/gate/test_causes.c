/* What the bits of foreign sums are said to be: of faults that are known, as realistic ones are written, nearly all by
 * name, on whatever data; of those that are not known, none. */
#include "src/gate/diagnosis/black_boxes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "tests/support/faulty_sums.h"
#include "tests/support/made_run.h"
#include "tests/support/plugin.h"

static char ids[FAULTY_SUMS][64];

static int add_boxes(void **state)
{
    (void)state;
    for (unsigned f = 0; f < FAULTY_SUMS; f++) {
        snprintf(ids[f], sizeof ids[f], "mine/%s", faulty_sums[f].name);
        plugin_method(ids[f], loop_sum);
    }
    return 0;
}

/* The first one of the run, and which ones have other sums than sound ones on some of its data. */
static unsigned first_box;
static bool shows[FAULTY_SUMS];

static float faulty(const struct made_sum *call)
{
    unsigned f = first_box;
    while (strcmp(call->method->id, ids[f]) != 0)
        f++;
    const float sum = faulty_sums[f].sum(call->x, call->n);
    shows[f] |= float_bits(sum) != float_bits(add_all(call->x, call->n));
    return sum;
}

/* ---- data ---- */

struct input {
    char spec[64];
};

static struct input input_of(unsigned i, enum random_kind *kind)
{
    static const char *const families[RANDOM_KINDS] = {"uniform:n=%u", "uniform:n=%u,low=-100,high=100", "normal:n=%u",
                                                       "lognormal:n=%u,sigma=2", "integers:n=%u,most=9999"};
    struct input input;
    seed_random(i);
    *kind = (enum random_kind)(i % RANDOM_KINDS);
    snprintf(input.spec, sizeof input.spec, families[*kind], 16 + (unsigned)below(300));
    return input;
}

/* ---- what is said ---- */

struct named {
    unsigned asked, named, wrong; /* inputs on which the fault shows; those with its name, or with others' alone */
};

static bool names_something(const char *sentence)
{
    return strstr(sentence, "bit for bit") || strstr(sentence, "correctly rounded") || strstr(sentence, ": gives ");
}

static void count_sentence(const struct faulty_sum *fault, const char *sentence, struct named *count)
{
    const bool is_named = fault->words && has_words(sentence, fault->words), is_wrong = names_something(sentence);
    count->asked++;
    count->named += is_named;
    count->wrong += is_wrong && !is_named;
    if (fault->words ? !is_named : is_wrong)
        print_message("%s\n", sentence);
}

/* One sentence is of each, since there is one data set. */
static void name_some(unsigned count, const char *data, uint64_t trials, struct named named[FAULTY_SUMS])
{
    struct black_box_sentences sentences;
    struct run_recipe recipe = {.data = {data}, .trials = trials, .sum = faulty};
    for (unsigned f = 0; f < count; f++)
        recipe.methods[f] = ids[first_box + f];
    struct made_run *run = make_run(recipe);
    assert_int_equal(diagnose_black_boxes(&run->results, BLACK_BOX_ADDITIONS, 2, &sentences), OK);
    assert_int_equal(sentences.count, count);
    for (unsigned f = 0; f < count; f++) {
        assert_ptr_equal(strstr(sentences.list[f], ids[first_box + f]), sentences.list[f]);
        if (shows[first_box + f])
            count_sentence(&faulty_sums[first_box + f], sentences.list[f], &named[f]);
    }
    black_box_sentences_free(&sentences);
    free_made_run(run);
}

static unsigned inputs = 10, trials = 8;

static void nearly_all_known_faults_are_named_and_no_unknown_one(void **state)
{
    struct named named[FAULTY_SUMS + MADE_MOST] = {0};
    unsigned asked = 0;
    (void)state;
    for (unsigned i = 0; i < inputs; i++) {
        enum random_kind kind;
        const struct input input = input_of(i, &kind);
        memset(shows, 0, sizeof shows);
        for (first_box = 0; first_box < FAULTY_SUMS;) {
            unsigned count = 0;
            while (count < MADE_MOST && first_box + count < FAULTY_SUMS &&
                   shows_on(&faulty_sums[first_box + count], kind))
                count++;
            if (count > 0)
                name_some(count, input.spec, trials, &named[first_box]);
            first_box += count > 0 ? count : 1;
        }
    }
    for (unsigned f = 0; f < FAULTY_SUMS; f++) {
        const struct named of = named[f];
        print_message("%-24s %3u asked, %3u named, %2u wrong\n", faulty_sums[f].name, of.asked, of.named, of.wrong);
        assert_true(of.asked > 0);
        assert_true(!faulty_sums[f].words || 20 * of.named >= 19 * of.asked);
        assert_true(faulty_sums[f].words || of.wrong == 0);
        asked += of.asked;
    }
    assert_int_equal(asked, inputs == 100 ? 3750 : 374); /* not each fault shows on all data */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_all_known_faults_are_named_and_no_unknown_one),
    };
    inputs = argc > 1 ? (unsigned)atoi(argv[1]) : inputs;
    trials = argc > 2 ? (unsigned)atoi(argv[2]) : trials;
    return cmocka_run_group_tests(tests, add_boxes, NULL);
}
