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

enum { INPUTS = 100, AT_ONCE = MADE_MOST };

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

static float faulty(const struct made_sum *call)
{
    for (unsigned f = 0; f < FAULTY_SUMS; f++)
        if (strcmp(call->method->id, ids[f]) == 0)
            return faulty_sums[f].sum(call->x, call->n);
    fail_msg("%s", call->method->id);
    return 0;
}

/* ---- data ---- */

struct input {
    char spec[64];
};

static struct input input_of(unsigned i, enum random_kind *kind)
{
    static const char *const families[RANDOM_KINDS] = {"uniform:n=%u", "uniform:n=%u,low=-100,high=100", "normal:n=%u",
                                                       "lognormal:n=%u,sigma=2", "integers:n=%u,most=999"};
    struct input input;
    seed_random(i);
    *kind = (enum random_kind)(i % RANDOM_KINDS);
    snprintf(input.spec, sizeof input.spec, families[*kind], 16 + (unsigned)below(300));
    return input;
}

/* ---- what is said ---- */

struct named {
    unsigned asked, named, wrong;
};

static bool is_of(const char *sentence, const char *id)
{
    const size_t length = strlen(id);
    return strncmp(sentence, id, length) == 0 && (sentence[length] == ':' || sentence[length] == ' ');
}

static bool names_something(const char *sentence)
{
    return strstr(sentence, "bit for bit") || strstr(sentence, "correctly rounded") || strstr(sentence, ": gives ");
}

static bool is_hidden(const struct series *series)
{
    return series->not_nearest == 0;
}

static void count_input(const struct made_run *run, unsigned first, unsigned count, struct named *named)
{
    struct black_box_sentences sentences;
    assert_int_equal(diagnose_black_boxes(&run->results, BLACK_BOX_ADDITIONS, 2, &sentences), OK);
    for (unsigned f = first; f < first + count; f++) {
        bool is_named = false, is_wrong = false;
        unsigned said = 0;
        if (is_hidden(&run->results.series[f - first]))
            continue;
        for (size_t s = 0; s < sentences.count; s++) {
            const char *sentence = sentences.list[s];
            if (!is_of(sentence, ids[f]))
                continue;
            said++;
            is_named |= faulty_sums[f].words && has_words(sentence, faulty_sums[f].words);
            is_wrong |= names_something(sentence);
            if (getenv("SHOW") && (faulty_sums[f].words ? !is_named : is_wrong))
                print_message("%s\n", sentence);
        }
        assert_int_equal(said, 1);
        named[f].asked++;
        named[f].named += is_named;
        named[f].wrong += is_wrong && !is_named;
    }
    black_box_sentences_free(&sentences);
}

static void name_all(uint64_t trials, struct named named[FAULTY_SUMS])
{
    for (unsigned i = 0; i < INPUTS; i++) {
        enum random_kind kind;
        const struct input input = input_of(i, &kind);
        for (unsigned first = 0; first < FAULTY_SUMS; first += AT_ONCE) {
            const unsigned count = FAULTY_SUMS - first < AT_ONCE ? FAULTY_SUMS - first : AT_ONCE;
            struct run_recipe recipe = {.data = {input.spec}, .trials = trials, .sum = faulty};
            for (unsigned f = 0; f < count; f++)
                recipe.methods[f] = ids[first + f];
            struct made_run *run = make_run(recipe);
            assert_int_equal(run->results.series_count, count);
            struct named of_input[FAULTY_SUMS] = {0};
            count_input(run, first, count, of_input);
            for (unsigned f = first; f < first + count; f++)
                if (shows_on(&faulty_sums[f], kind)) {
                    named[f].asked += of_input[f].asked;
                    named[f].named += of_input[f].named;
                    named[f].wrong += of_input[f].wrong;
                }
            free_made_run(run);
        }
    }
}

static void of_100_inputs_95_name_a_known_fault_and_none_an_unknown_one(void **state)
{
    struct named named[FAULTY_SUMS] = {0};
    (void)state;
    name_all(getenv("TRIALS") ? (uint64_t)atoi(getenv("TRIALS")) : 8, named);
    for (unsigned f = 0; f < FAULTY_SUMS; f++)
        print_message("%-24s %-7s %3u asked, %3u named, %2u wrong\n", faulty_sums[f].name,
                      faulty_sums[f].words ? "known" : "UNKNOWN", named[f].asked, named[f].named, named[f].wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_100_inputs_95_name_a_known_fault_and_none_an_unknown_one),
    };
    return cmocka_run_group_tests(tests, add_boxes, NULL);
}
