/* A study file, and the study file that is written of it. */
#include "fuzz.h"

#include "src/study/study.h"
#include "src/study/study_record.h"

#include <stdlib.h>
#include <string.h>

enum { CASES_MOST = 1000, FEW_METHODS = 8 };

static void look_at_cases(const struct study *study)
{
    const uint64_t cases = study_case_count(study);
    for (uint64_t i = 0; i < cases && i < CASES_MOST; i += 1 + i / 4) {
        const struct study_case place = study_case_at(study, i);
        fuzz_check(place.entry < study->entry_count && place.spec < study->entries[place.entry].spec_count,
                   "a case outside of the study");
    }
}

static void check_again(struct study *study)
{
    struct study again;
    char *yaml = study_yaml(study), *text = study_text(study);
    fuzz_check(yaml && text, "a study without a text");
    if (!strstr(yaml, "# launch")) { /* which a file cannot say */
        fuzz_file(yaml, strlen(yaml));
        const enum status status = study_read(FUZZ_PATH, NULL, &again);
        fuzz_check(status == OK, "the file of a study is refused");
        char *second = study_text(&again);
        fuzz_check(second && strcmp(text, second) == 0, "the file of a study is another study");
        free(second);
        study_free(&again);
    }
    free(yaml);
    free(text);
}

static void one(const char *bytes, size_t size)
{
    struct study study;
    struct study_record record;
    fuzz_file(bytes, size);
    const enum status status = study_read(FUZZ_PATH, NULL, &study);
    fuzz_check_words(status);
    if (status == OK) {
        look_at_cases(&study);
        if (study.method_count <= FEW_METHODS || size % 64 == 0) /* the names of many take nine tenths of the time */
            check_again(&study);
        study_permute(&study);
        study_record_make(&study, &record);
        study_record_free(&record);
    }
    study_free(&study);
}

#define HEAD "schema: ulpscope-study/1\n"
static const struct fuzz_seed seeds[] = {
    SEED(
        HEAD
        "title: \"Four\"\nmethods: [plain/serial, \"kahan/serial*\"]\nlaunch: {blocks: 4..64*4, threads: 64}\nseed: 1\n"
        "data:\n  - {spec: \"uniform:n=1Ki..1Mi*32\", trials: 9}\n"),
    SEED(HEAD "methods: [naive]\nnonfinite: skip\npermutations: 3\nrepeats: 2\n"
              "data: [{file: \"x.csv\", column: 2, delimiter: \";\", order: reversed}, {file: x.raw, skip: 16}]\n"),
    SEED(HEAD "methods:\n- \"*\"\n- \"!*/serial\"\ndata: [&a {spec: \"gensum:n=8,cond=1e2\"}, *a]\n"),
    SEED("%YAML 1.1\n---\n{schema: !!str ulpscope-study/1, methods: ['tree'], data: [{spec: all}]}\n...\n"),
    SEED(HEAD "title: |\n  two\n  lines\nmethods: [naive]\ndata:\n- spec: >-\n    uniform:n=8\n"),
    {0},
};
const struct fuzz_family fuzz_study = {.one = one, .seeds = seeds};
