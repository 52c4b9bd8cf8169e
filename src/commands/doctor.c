/* ulpscope doctor: what works here. */
#include "command.h"
#include "src/measure/canary.h"
#include "src/store/provenance.h"

#include <generated/build.h>
#include <sys/statvfs.h>

static void say(bool fine, const char *what, const char *how)
{
    printf("%-5s %-24s %s\n", fine ? "ok" : "FAIL", what, how);
}

static bool check_canary(void)
{
    size_t count;
    bool all_fine = true;
    const struct canary_check *checks = canary_checks(&count);
    for (size_t i = 0; i < count; i++) {
        const bool fine = checks[i].sings();
        say(fine, checks[i].name, fine ? "" : checks[i].otherwise);
        all_fine = all_fine && fine;
    }
    return all_fine;
}

/* The reference counts on MPFR's ternary value: 1 + 2^-60 does not fit into 53 bits. */
static bool check_mpfr(void)
{
    mpfr_t sum;
    mpfr_init2(sum, 53);
    mpfr_set_ui(sum, 1, MPFR_RNDN);
    const bool tells = mpfr_add_d(sum, sum, 0x1p-60, MPFR_RNDN) != 0 && mpfr_add_d(sum, sum, 0x1p-52, MPFR_RNDN) == 0;
    mpfr_clear(sum);
    say(tells, "MPFR tells when it rounds", mpfr_get_version());
    return tells;
}

/* What a GPU of a compute capability has instructions for, and what binary64 costs there: it adds one for so many of
 * binary32 (CUDA C++ Programming Guide, "Arithmetic Instructions"; PTX ISA, add, fma and cvt). */
static void say_what_is_native(const struct device_facts *facts)
{
    static const struct {
        const char *what;
        double since, before;
    } rows[] = {{"binary16", 5.3, HUGE_VAL},
                {"bfloat16 through fma", 8.0, 9.0},
                {"bfloat16", 9.0, HUGE_VAL},
                {"conversions of fp8", 8.9, HUGE_VAL}};
    static const struct {
        const char *capabilities; /* others are not in the table of the guide */
        unsigned of_binary32;
    } rates[] = {{" 6.0 7.0 8.0 9.0 10.0 ", 2}, {" 5.0 5.2 5.3 6.1 6.2 7.5 ", 32}, {" 8.6 8.9 12.0 ", 64}};
    const double capability = strtod(facts->capability, NULL);
    char word[sizeof facts->capability + sizeof "  "];
    snprintf(word, sizeof word, " %s ", facts->capability);
    printf("%-5s %-24s binary32, binary64", "", "native");
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
        if (strstr(rates[r].capabilities, word))
            printf(" at 1/%u of its rate", rates[r].of_binary32);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        if (capability >= rows[r].since && capability < rows[r].before)
            printf(", %s", rows[r].what);
    printf(" (compute capability %s)\n", facts->capability);
}

static void check_gpu(void)
{
    char why[REASON_SIZE] = "";
    struct device *device = NULL;
    if (device_count(why) > 0 && device_open("cuda:0", &device, why) == OK)
        say(true, "GPU", device_facts(device)->name);
    if (device)
        say_what_is_native(device_facts(device));
    else
        printf("%-5s %-24s %s; replays are used, with the same bits\n", "none", "GPU", why);
    device_close(device);
}

static void check_disk(void)
{
    struct statvfs disk;
    char text[64];
    if (statvfs(".", &disk) != 0)
        return;
    const double free_bytes = (double)disk.f_bavail * (double)disk.f_frsize;
    snprintf(text, sizeof text, "%.1f GB free here", free_bytes / 1e9);
    say(free_bytes > 1e8, "disk", text);
}

struct arguments {
    struct globals *globals;
};

static const struct argp parser = {
    .parser = command_take,
    .doc = "Says what works here: rounding, libraries, GPU, disk.  Exit 3 when results could not be trusted.",
};

enum status command_doctor(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {globals};
    globals->wanted.too_many = "expected no argument";
    TRY(command_parse(&parser, argc, argv, &arguments));
    puts(provenance_version());
    printf("%-5s %-24s %s, %s\n", "", "C compiler and flags", BUILD_C_COMPILER, BUILD_C_FLAGS);
    printf("%-5s %-24s %s\n", "", "CUDA compiler", BUILD_CUDA_COMPILER);
    const bool rounds = check_canary();
    const bool exact = check_mpfr();
    printf("%-5s %-24s %s\n", "", "formats",
           "binary64 and binary32 are added by the processor, binary16 and bfloat16 in binary32, rounded once");
    check_gpu();
    check_disk();
    return rounds && exact ? OK : NOT_MEASURED;
}
