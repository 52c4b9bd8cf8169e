/* Every day without a fuzzer.
 *
 *   fuzz_everyday [RUNS]              each family: its seeds, and RUNS (default 2000) of them changed, always the same
 *   fuzz_everyday FAMILY FILE...      one family, fed with files: what a fuzzer found; says what complain() is told
 *   fuzz_everyday --seeds FOLDER      writes the seeds, a folder for each family
 *   fuzz_everyday --planted           the twin: a family with a fault, which must be found
 */
#include "fuzz.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUNS = 2000, SIZE_MOST = 1 << 16 };

#define FAMILY(id, meaning) extern const struct fuzz_family fuzz_##id;
#include "families.def"

static const struct {
    const char *id;
    const struct fuzz_family *family;
} families[] = {
#define FAMILY(id, meaning) {#id, &fuzz_##id},
#include "families.def"
};
enum { FAMILIES = sizeof families / sizeof *families };

/* ---- changes ---- */

/* xorshift64*: its seed is the number of the run. */
static uint64_t chance(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static size_t below(uint64_t *state, size_t most)
{
    return most > 0 ? (size_t)((chance(state) >> 11) % most) : 0;
}

struct input {
    char bytes[SIZE_MOST];
    size_t size;
};

static void put_byte(struct input *in, uint64_t *state)
{
    static const char likely[] = "0123456789.:,=\"'[]{}*-+\n \t\\/%&!<>#xXeEpPaA\x7f\xff";
    const size_t pick = below(state, 2 * sizeof likely); /* its NUL, too */
    if (in->size > 0)
        in->bytes[below(state, in->size)] = pick < sizeof likely ? likely[pick] : (char)chance(state);
}

static void flip_bit(struct input *in, uint64_t *state)
{
    if (in->size > 0)
        in->bytes[below(state, in->size)] ^= (char)(1 << below(state, 8));
}

/* A piece of the input moves up, over what was there, or makes room for itself. */
static void copy_piece(struct input *in, uint64_t *state)
{
    const size_t from = below(state, in->size), to = below(state, in->size);
    size_t length = below(state, in->size - from > 32 ? 32 : in->size - from);
    if (in->size + length > SIZE_MOST)
        return;
    char piece[32];
    memcpy(piece, in->bytes + from, length);
    memmove(in->bytes + to + length, in->bytes + to, in->size - to);
    memcpy(in->bytes + to, piece, length);
    in->size += length;
}

static void remove_piece(struct input *in, uint64_t *state)
{
    const size_t from = below(state, in->size);
    const size_t length = below(state, in->size - from > 16 ? 16 : in->size - from + 1);
    memmove(in->bytes + from, in->bytes + from + length, in->size - from - length);
    in->size -= length;
}

static void cut(struct input *in, uint64_t *state)
{
    in->size = below(state, in->size + 1);
}

static void change(struct input *in, uint64_t *state)
{
    static void (*const ways[])(struct input *, uint64_t *) = {
        put_byte, put_byte, put_byte, flip_bit, copy_piece, copy_piece, remove_piece, remove_piece, cut};
    for (size_t changes = 1 + below(state, 6); changes > 0; changes--)
        ways[below(state, changes > 1 ? sizeof ways / sizeof *ways - 1 : sizeof ways / sizeof *ways)](in, state);
}

/* ---- runs ---- */

static void seed_input(const struct fuzz_family *family, size_t which, struct input *in)
{
    in->size = family->seeds[which].size;
    memcpy(in->bytes, family->seeds[which].bytes, in->size);
}

static void feed(const struct fuzz_family *family, const struct input *in)
{
    char *exact = fuzz_text(in->bytes, in->size); /* where ASan sees what is read beyond */
    fuzz_feed(family, exact, in->size);
    free(exact);
}

static size_t seed_count(const struct fuzz_family *family)
{
    size_t count = 0;
    while (family->seeds[count].bytes)
        count++;
    return count;
}

static void run_family(const char *id, const struct fuzz_family *family, size_t runs)
{
    static struct input in;
    const size_t seeds = seed_count(family);
    fuzz_accepted = 0;
    for (size_t i = 0; i < seeds + runs; i++) {
        uint64_t state = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        seed_input(family, i % seeds, &in);
        if (i >= seeds)
            change(&in, &state);
        feed(family, &in);
    }
    printf("%s: %zu seeds, %zu inputs, %zu accepted\n", id, seeds, seeds + runs, fuzz_accepted);
}

static void planted(const char *bytes, size_t size)
{
    fuzz_check(!memchr(bytes, 'Z' + 1, size), "the planted fault");
}

static void found(int signal)
{
    (void)signal;
    _exit(0);
}

static int run_file(const struct fuzz_family *family, const char *path)
{
    static struct input in;
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 2;
    }
    in.size = fread(in.bytes, 1, SIZE_MOST, file);
    fclose(file);
    fuzz_says = true;
    feed(family, &in);
    return 0;
}

static void write_seeds(const char *folder)
{
    char path[4096];
    mkdir(folder, 0777);
    for (size_t f = 0; f < FAMILIES; f++) {
        snprintf(path, sizeof path, "%s/%s", folder, families[f].id);
        mkdir(path, 0777);
        for (size_t i = 0; i < seed_count(families[f].family); i++) {
            snprintf(path, sizeof path, "%s/%s/seed%zu", folder, families[f].id, i);
            FILE *file = fopen(path, "wb");
            if (file) {
                fwrite(families[f].family->seeds[i].bytes, 1, families[f].family->seeds[i].size, file);
                fclose(file);
            }
        }
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--seeds") == 0) {
        write_seeds(argv[2]);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--planted") == 0) {
        const struct fuzz_seed seeds[] = {SEED("xyz"), {0}};
        signal(SIGABRT, found);
        run_family("planted", &(struct fuzz_family){.one = planted, .seeds = seeds}, RUNS);
        return 1;
    }
    for (size_t f = 0; f < FAMILIES && argc > 2; f++)
        for (int i = 2; i < argc && strcmp(argv[1], families[f].id) == 0; i++)
            if (run_file(families[f].family, argv[i]) != 0)
                return 2;
    for (size_t f = 0; f < FAMILIES && argc <= 2; f++)
        run_family(families[f].id, families[f].family,
                   (argc == 2 ? strtoul(argv[1], NULL, 10) : RUNS) / (families[f].family->is_slow ? 8 : 1));
    return 0;
}
