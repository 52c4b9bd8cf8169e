/* Ranks without MPI: who is given which case, what a case is as bytes, and what becomes of a rank that dies, or hands
 * in what is not its own. */
#include "src/run/crew.h"

#include "src/ranks/case_bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "memory_transport.h"
#include "tests/support/heard.h"

enum { TRIALS = 40, IDENTITY_TEXT = 16 };

/* ---- a study, measured ---- */

static void make_study(struct study *study)
{
    char methods[2][32] = {"plain/serial", "kahan/pairwise"};
    char *globs[2] = {methods[0], methods[1]};
    assert_int_equal(study_read(NULL, NULL, study), OK);
    assert_int_equal(study_select_methods(study, globs, 2, "-m"), OK);
    study_clear_data(study);
    assert_int_equal(study_add_data(study, "gensum:n=64,cond=1e8", TRIALS, "-d", NONFINITE_REFUSE), OK);
    assert_int_equal(study_add_data(study, "uniform:n=100", TRIALS, "-d", NONFINITE_REFUSE), OK);
}

/* All rows of a store as text. */
static enum status add_row(void *context, const struct stored *row)
{
    const struct result *r = &row->result;
    fprintf(context, "%s %s %d %zu %s %a %a %a %a\n", r->method, r->data, (int)r->trial, row->launch, r->exact,
            r->computed, r->metrics[0], r->bound, r->condition);
    return OK;
}

static char *rows_of(struct store *store)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_int_equal(store_each(store, add_row, to), OK);
    fclose(to);
    return text;
}

/* ---- ranks ---- */

struct rank {
    struct place place;
    struct ranks ranks;
    struct study *study;
    char identity[IDENTITY_TEXT];
    pthread_t thread;
};

/* The linker leads callers of measure_cases() here: a GPU that is lost, of the thread that says so. */
static _Thread_local bool loses_device;
enum status __real_measure_cases(const struct measuring *measuring, const uint64_t *indices, size_t *count,
                                 struct finished_case *finished);
enum status __wrap_measure_cases(const struct measuring *measuring, const uint64_t *indices, size_t *count,
                                 struct finished_case *finished);

enum status __wrap_measure_cases(const struct measuring *measuring, const uint64_t *indices, size_t *count,
                                 struct finished_case *finished)
{
    const enum status status = __real_measure_cases(measuring, indices, count, finished);
    for (size_t c = 0; c < *count; c++)
        finished[c].unfinished = finished[c].device_lost = loses_device;
    return status;
}

/* What rank 1 says in place of following, up to a kind of 0; NULL: it follows. */
static const struct saying {
    int kind;
    const char *bytes;
    size_t count;
} * saying;

static void *follow_alone(void *context)
{
    struct rank *rank = context;
    for (const struct saying *said = rank->ranks.rank == 1 ? saying : NULL; said && said->kind > 0; said++)
        post_send(rank->ranks.post, 0, said->kind, said->bytes, said->count);
    if (saying && rank->ranks.rank == 1)
        return NULL;
    loses_device = rank->place.network->fault == FAULT_DEVICE && rank->place.rank == rank->place.network->faulty;
    struct shelf shelf = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    struct measuring measuring = {.study = rank->study, .shelf = &shelf, .case_workers = 1};
    follow(&measuring, &rank->ranks, rank->identity, 1);
    shelf_empty(&shelf);
    return NULL;
}

struct ran {
    enum status status;
    uint64_t done, unfinished;
    char *rows;
    struct heard heard;
};

static struct network network;

static bool waits_for_stop;
static const int cases_before[] = {[FAULT_NONE] = 0, [FAULT_DIES] = 2, [FAULT_FOREIGN] = 2, [FAULT_DEVICE] = 1};

/* The own work of rank 0, which leaves the faulty rank two cases, or begins when one has been refused. */
static void *work_late(void *context)
{
    for (bool is_time = false; !is_time; usleep(1000)) {
        pthread_mutex_lock(&network.mutex);
        is_time = waits_for_stop ? network.stops > 0 : network.cases >= (size_t)cases_before[network.fault];
        pthread_mutex_unlock(&network.mutex);
    }
    crew_work(context, 0);
    return NULL;
}

static struct ran run_ranks(unsigned size, enum fault fault, double patience, const char *other_identity)
{
    pthread_t own;
    struct study study = {0};
    struct rank all[RANKS_MOST];
    struct store *store;
    struct shelf shelf = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    make_study(&study);
    network = (struct network){.size = size, .faulty = size - 1, .fault = fault, .mutex = PTHREAD_MUTEX_INITIALIZER};
    struct ran ran = {.heard = listen_to_stderr()};
    for (unsigned r = 0; r < size; r++) {
        struct rank *rank = &all[r];
        *rank = (struct rank){.place = {.network = &network, .rank = r}, .study = &study};
        snprintf(rank->identity, sizeof rank->identity, "%s", r == 1 && other_identity ? other_identity : "equal");
        rank->ranks = (struct ranks){.rank = r, .size = size, .patience = patience};
        rank->ranks.post = post_start(network_start, &rank->place);
        assert_non_null(rank->ranks.post);
        if (r > 0)
            assert_int_equal(pthread_create(&rank->thread, NULL, follow_alone, rank), 0);
    }
    assert_int_equal(store_open(NULL, STORE_NEW, &study, "equal", "host", &store), OK);
    static const struct devices no_devices;
    struct crew crew = {
        .measuring = {.study = &study, .shelf = &shelf, .case_workers = 1},
        .devices = &no_devices,
        .store = store,
        .writer = writer_start(store, &study),
        .end = study_case_count(&study),
        .total = study_case_count(&study),
        .has_others = true,
        .workers = 1,
        .at_work = 1,
        .mutex = PTHREAD_MUTEX_INITIALIZER,
        .changed = PTHREAD_COND_INITIALIZER,
    };
    progress_start(&crew.progress, crew.total, 0, true);
    assert_int_equal(pthread_create(&own, NULL, work_late, &crew), 0);
    lead(&crew, &all[0].ranks, "equal", 1);
    pthread_join(own, NULL);
    for (unsigned r = 1; r < size; r++)
        pthread_join(all[r].thread, NULL);
    for (unsigned r = 0; r < size; r++)
        post_end(all[r].ranks.post, true);
    heard_all(&ran.heard);
    ran.status = writer_end(crew.writer);
    ran.status = crew.status != OK ? crew.status : ran.status;
    ran.done = crew.done;
    ran.unfinished = crew.unfinished;
    ran.rows = rows_of(store);
    assert_int_equal(store_close(store), OK);
    crew_free(&crew);
    shelf_empty(&shelf);
    network_empty(&network);
    study_free(&study);
    return ran;
}

static void assert_says(const struct ran *ran, const char *what)
{
    if (!strstr(ran->heard.text, what))
        fail_msg("\"%s\" is not in: %s", what, ran->heard.text);
}

/* All cases are there, with the rows of one process. */
static void assert_complete(struct ran *ran)
{
    struct ran alone = run_ranks(1, FAULT_NONE, 3600, NULL);
    assert_int_equal(alone.done, 2 * TRIALS);
    assert_int_equal(ran->status, OK);
    assert_int_equal(ran->done, alone.done);
    assert_int_equal(ran->unfinished, 0);
    assert_string_equal(ran->rows, alone.rows);
    free(alone.rows);
    free(ran->rows);
}

/* ---- facts ---- */

static void ranks_give_the_rows_of_one_process(void **state)
{
    (void)state;
    for (unsigned size = 2; size <= 7; size += 5) {
        struct ran ran = run_ranks(size, FAULT_NONE, 3600, NULL);
        assert_complete(&ran);
        assert_string_equal(ran.heard.text, "");
    }
}

static void cases_of_a_dead_rank_go_to_the_others(void **state)
{
    (void)state;
    struct ran ran = run_ranks(3, FAULT_DIES, 3, NULL);
    assert_says(&ran, "rank 2 is not heard any more");
    assert_complete(&ran);
}

static void last_rank_that_dies_leaves_its_cases_to_rank_0(void **state)
{
    (void)state;
    struct ran ran = run_ranks(2, FAULT_DIES, 3, NULL);
    assert_complete(&ran);
}

/* The last of what it says is answered, so that all of it was heard. */
static void who_takes_no_cases_says_why(void **state)
{
    static const char sorry[] = "ulpscope: no GPU here\nand none there\n";
    static const struct saying says[] = {{CANNOT, sorry, sizeof sorry - 1}, {JOINS, sorry, 4}, {0, NULL, 0}};
    (void)state;
    waits_for_stop = true;
    saying = says;
    struct ran ran = run_ranks(2, FAULT_NONE, 3600, NULL);
    saying = NULL;
    waits_for_stop = false;
    assert_says(&ran, "rank 1 takes no cases: no GPU here and none there\n");
    assert_says(&ran, "rank 1 takes no cases: it has another device, build, study");
    assert_complete(&ran);
}

static void rows_of_another_case_are_noticed(void **state)
{
    (void)state;
    struct ran ran = run_ranks(3, FAULT_FOREIGN, 3600, NULL);
    assert_says(&ran, "rank 2 handed in what is none of its cases");
    assert_complete(&ran);
}

static void cases_of_a_rank_that_lost_its_device_go_to_the_others(void **state)
{
    (void)state;
    struct ran ran = run_ranks(3, FAULT_DEVICE, 3600, NULL);
    assert_says(&ran, "rank 2 has lost its GPU");
    assert_complete(&ran);
}

static void rank_of_another_device_takes_no_cases(void **state)
{
    (void)state;
    waits_for_stop = true;
    struct ran ran = run_ranks(3, FAULT_NONE, 3600, "another");
    waits_for_stop = false;
    assert_says(&ran, "rank 1 takes no cases: it has another device, build, study");
    assert_complete(&ran);
}

/* ---- two posts ---- */

/* Waits until the other is heard again; false: it is not. */
static bool is_heard(struct post *post, unsigned rank)
{
    double before = 0, silence = 0;
    for (int look = 0; look < 60000 && silence >= before; look++) {
        before = silence;
        silence = post_silence(post, rank);
        usleep(1000);
    }
    return silence < before;
}

static void both_hear_the_other_live(void **state)
{
    struct place places[2];
    struct post *posts[2];
    (void)state;
    network = (struct network){.size = 2, .faulty = 9, .mutex = PTHREAD_MUTEX_INITIALIZER};
    for (unsigned r = 0; r < 2; r++) {
        places[r] = (struct place){.network = &network, .rank = r};
        posts[r] = post_start(network_start, &places[r]);
        assert_non_null(posts[r]);
    }
    assert_true(is_heard(posts[0], 1));
    assert_true(is_heard(posts[1], 0));
    post_end(posts[0], true);
    post_end(posts[1], true);
    network_empty(&network);
}

/* Of a rank that is forgotten nothing comes, and nothing goes to it; before, both did. */
static void who_is_forgotten_is_neither_heard_nor_written_to(void **state)
{
    struct place places[2];
    struct post *posts[2];
    (void)state;
    network = (struct network){.size = 2, .faulty = 9, .mutex = PTHREAD_MUTEX_INITIALIZER};
    for (unsigned r = 0; r < 2; r++) {
        places[r] = (struct place){.network = &network, .rank = r};
        posts[r] = post_start(network_start, &places[r]);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct message *came[2] = {NULL, NULL};
        for (unsigned r = 0; r < 2; r++)
            post_send(posts[r], 1 - r, LEAVES, "words", 5);
        for (int look = 0; look < (i == 0 ? 600 : 5); look++)
            for (unsigned r = 0; r < 2; r++)
                came[r] = came[r] ? came[r] : post_take(posts[r]);
        for (unsigned r = 0; r < 2; r++) {
            assert_int_equal(came[r] != NULL, i == 0);
            free(came[r]);
        }
        post_forget(posts[0], 1);
    }
    post_end(posts[0], true);
    post_end(posts[1], true);
    network_empty(&network);
}

/* ---- a case as bytes ---- */

static struct measured some_row(const char *exact, const char *digest, const char *map)
{
    struct measured row;
    memset(&row, 0, sizeof row);
    for (size_t i = 0; i < sizeof row; i++)
        ((unsigned char *)&row)[i] = (unsigned char)(i * 7 + 1);
    row.exact = exact;
    row.digest = digest;
    row.map = map;
    return row;
}

static void assert_same_text(const char *a, const char *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a)
        assert_string_equal(a, b);
}

/* Bit for bit, but for where the texts lie. */
static void assert_same_row(struct measured a, struct measured b)
{
    assert_same_text(a.exact, b.exact);
    assert_same_text(a.digest, b.digest);
    assert_same_text(a.map, b.map);
    a.exact = a.digest = a.map = b.exact = b.digest = b.map = NULL;
    assert_memory_equal(&a, &b, sizeof a);
}

static void case_comes_back_from_its_bytes(void **state)
{
    (void)state;
    char exact[] = "0x1p+0", other[] = "0x1p+1", digest[] = "abc",
         map[] = "m", *const gone[] = {exact, other, digest, map};
    const struct measured expected[] = {some_row("0x1p+0", NULL, NULL), some_row("0x1p+0", "abc", "m"),
                                        some_row("0x1p+1", NULL, "m"), some_row("0x1p+1", NULL, "")};
    struct measured rows[] = {some_row(exact, NULL, NULL), some_row(exact, digest, map), some_row(other, NULL, map),
                              some_row(other, NULL, "")};
    const struct finished_case finished = {.index = 7,
                                           .unfinished = true,
                                           .device_lost = true,
                                           .n = 99,
                                           .conversion = {&FORMAT_BINARY64, 1, 2, 3, 4.5, 6.5},
                                           .rows = rows,
                                           .row_count = 4};
    const struct case_bytes all = case_to_bytes(&finished);
    struct finished_case back;
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        *gone[i] = '?'; /* another process has no such text */
    assert_true(case_from_bytes(all.bytes, all.count, &back));
    assert_int_equal(back.index, 7);
    assert_true(back.unfinished && back.device_lost);
    assert_int_equal(back.n, 99);
    assert_string_equal(back.conversion.from->name, "binary64");
    back.conversion.from = finished.conversion.from; /* each file has constants of its own */
    assert_memory_equal(&back.conversion, &finished.conversion, sizeof back.conversion);
    assert_int_equal(back.row_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_same_row(back.rows[i], expected[i]);
    finished_case_free(&back);
    free(all.bytes);
}

static void bytes_that_are_no_case_are_refused(void **state)
{
    (void)state;
    struct measured row = some_row("0x1p+0", NULL, NULL);
    const struct finished_case finished = {.rows = &row, .row_count = 1};
    const struct case_bytes all = case_to_bytes(&finished);
    struct finished_case back;
    for (size_t count = 0; count < all.count; count++) {
        assert_false(case_from_bytes(all.bytes, count, &back));
        finished_case_free(&back);
    }
    unsigned char *longer = calloc(1, all.count + 1);
    assert_non_null(longer);
    memcpy(longer, all.bytes, all.count);
    assert_false(case_from_bytes(longer, all.count + 1, &back));
    finished_case_free(&back);
    free(longer);
    const uintptr_t text_bytes = sizeof "0x1p+0", behind = text_bytes + 1;
    unsigned char *const place = all.bytes + all.count - text_bytes - sizeof row + offsetof(struct measured, exact);
    assert_memory_equal(place, &(uintptr_t){1}, sizeof behind);
    memcpy(place, &behind, sizeof behind);
    assert_false(case_from_bytes(all.bytes, all.count, &back));
    finished_case_free(&back);
    memcpy(place, &(uintptr_t){1}, sizeof behind);
    const size_t wrapped = 1 + (SIZE_MAX / 8 + 1); /* so many rows of a multiple of 8 bytes are as long as one */
    memcpy(all.bytes + offsetof(struct finished_case, row_count), &wrapped, sizeof wrapped);
    assert_int_equal(wrapped * sizeof row, sizeof row);
    assert_false(case_from_bytes(all.bytes, all.count, &back));
    finished_case_free(&back);
    free(all.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_give_the_rows_of_one_process),
        cmocka_unit_test(cases_of_a_dead_rank_go_to_the_others),
        cmocka_unit_test(last_rank_that_dies_leaves_its_cases_to_rank_0),
        cmocka_unit_test(who_takes_no_cases_says_why),
        cmocka_unit_test(both_hear_the_other_live),
        cmocka_unit_test(who_is_forgotten_is_neither_heard_nor_written_to),
        cmocka_unit_test(rows_of_another_case_are_noticed),
        cmocka_unit_test(cases_of_a_rank_that_lost_its_device_go_to_the_others),
        cmocka_unit_test(rank_of_another_device_takes_no_cases),
        cmocka_unit_test(case_comes_back_from_its_bytes),
        cmocka_unit_test(bytes_that_are_no_case_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
