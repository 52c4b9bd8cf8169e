#include "provenance.h"
#include "src/measure/canary.h"

#include <generated/build.h>
#include <gmp.h>
#include <gnu/libc-version.h>
#include <sqlite3.h>
#include <sys/utsname.h>
#include <time.h>

enum { FACT_SIZE = 512 };

const char *provenance_version(void)
{
    return "ulpscope " BUILD_VERSION " (commit " BUILD_COMMIT ")";
}

const char *provenance_build(void)
{
    return "ulpscope " BUILD_VERSION " (commit " BUILD_COMMIT "), " BUILD_C_COMPILER " " BUILD_C_FLAGS
           ", " BUILD_CUDA_COMPILER " " BUILD_CUDA_FLAGS " " BUILD_CUDA_ARCHITECTURES;
}

/* "model name" of /proc/cpuinfo; "unknown" elsewhere. */
static void read_cpu(char cpu[FACT_SIZE])
{
    strcpy(cpu, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[FACT_SIZE];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %511[^\n]", cpu) == 1)
            break;
    if (file)
        fclose(file);
}

/* The version of the kernel driver, "580.159.04", from its own file; "unknown" without that. */
static void read_driver(char driver[FACT_SIZE])
{
    strcpy(driver, "unknown");
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    char line[FACT_SIZE];
    if (file && fgets(line, sizeof line, file))
        for (char *rest = line, *next; (next = strsep(&rest, " "));)
            if (next[0] >= '0' && next[0] <= '9' && strchr(next, '.')) {
                strcpy(driver, next);
                break;
            }
    if (file)
        fclose(file);
}

/* Digits alone, as reproducible-builds.org has it. */
static enum status read_fixed_seconds(const char *text, time_t *seconds)
{
    enum { DIGITS_MOST = 12 };
    static const long long end_of_9999 = 253402300799;
    const size_t digits = strspn(text, "0123456789");
    const bool is_number = digits > 0 && digits <= DIGITS_MOST && text[digits] == '\0';
    const long long value = is_number ? strtoll(text, NULL, 10) : -1;
    *seconds = (time_t)value;
    if (value >= 0 && value <= end_of_9999)
        return OK;
    return bad_input("SOURCE_DATE_EPOCH: \"%s\" is not a date; expected seconds since 1970 in digits, from 0 to %lld; "
                     "unset it for the date of the clock",
                     text, end_of_9999);
}

/* UTC; SOURCE_DATE_EPOCH in its place, for reports that are to be the same byte for byte. */
static enum status read_date(char date[FACT_SIZE])
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    time_t seconds = time(NULL);
    struct tm utc;
    if (fixed)
        TRY(read_fixed_seconds(fixed, &seconds));
    if (gmtime_r(&seconds, &utc) && strftime(date, FACT_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
        return OK;
    return not_measured("the clock: %lld s since 1970 are no date; expected one; set the clock, or SOURCE_DATE_EPOCH",
                        (long long)seconds);
}

enum status provenance_check(void)
{
    char date[FACT_SIZE];
    return read_date(date);
}

/* Where facts go. */
struct recorder {
    fact_visitor *visit;
    void *context;
};

static enum status put(const struct recorder *to, const char *topic, const char *name, const char *value)
{
    return to->visit(to->context, topic, name, value);
}

static enum status put_file(const struct recorder *to, const char *path, const char *hash)
{
    char fact[FACT_SIZE];
    if (!path)
        return OK;
    snprintf(fact, sizeof fact, "sha256 %s", hash);
    struct text name = {0};
    data_spec_append_file(&name, path);
    OWNED char *file = text_take(&name);
    return put(to, "data", file, fact);
}

static enum status put_files(const struct recorder *to, const struct study *study)
{
    for (size_t i = 0; i < study->entry_count; i++) {
        const struct study_entry *entry = &study->entries[i];
        TRY(put_file(to, entry->specs[0].path, entry->file_hash));
        TRY(put_file(to, study_second_path(entry), entry->second_hash));
        struct file_sums sums = {0};
        if (entry->sums > 0) /* trials are results along an axis */
            TRY(data_spec_sums(entry->specs, &sums));
        if (entry->sums > 0)
            TRY(put(to, "shape", entry->specs->text, sums.shape));
    }
    return OK;
}

/* Whose code the black boxes of the study are: those of a GPU where there is one. */
static enum status put_black_boxes(const struct recorder *to, const struct study *study, const struct device *device)
{
    char version[REASON_SIZE];
    for (size_t i = 0; i < study->method_count; i++) {
        const struct method *method = study->methods[i];
        if (!method->version || (!device && !method->plugin) || !method_can_do(method, study->launches[0], version))
            continue;
        method->version(method, version);
        TRY(put(to, "library", method->accumulator, version));
    }
    return OK;
}

static enum status put_device(const struct recorder *to, const struct device *device)
{
    const struct device_facts *facts = device_facts(device);
    char number[FACT_SIZE];
    if (!facts)
        return put(to, "device", "name", "host (replays)");
    TRY(put(to, "device", "name", facts->name));
    TRY(put(to, "device", "option", facts->word));
    TRY(put(to, "device", "compute capability", facts->capability));
    read_driver(number);
    TRY(put(to, "device", "driver", number));
    TRY(put(to, "device", "CUDA version of the driver", facts->driver));
    TRY(put(to, "device", "CUDA runtime", facts->runtime));
    snprintf(number, sizeof number, "%u", facts->multiprocessors);
    TRY(put(to, "device", "multiprocessors", number));
    snprintf(number, sizeof number, "%u MHz, memory %u MHz", facts->megahertz, facts->memory_megahertz);
    TRY(put(to, "device", "highest clocks", number));
    snprintf(number, sizeof number, "%" PRIu64 " bytes", facts->memory_bytes);
    return put(to, "device", "memory", number);
}

/* The method of a label in full: a name without a format is that of the only one that the study has it in. */
static const char *labelled(const struct study *study, const char *name)
{
    const struct method *method = method_find(name);
    const size_t length = strlen(name);
    const char *first = NULL, *other = NULL;
    for (size_t m = 0; m < study->method_count; m++) {
        const char *id = study->methods[m]->id;
        if (method && strcmp(method->id, id) == 0)
            return id;
        if (strncmp(id, name, length) == 0 && id[length] == '@') {
            other = first;
            first = id;
        }
    }
    if (other)
        complain("label of %s: expected a method with its format, like %s or %s; it is left out", name, other, first);
    return first && !other ? first : name;
}

enum status provenance_each(const struct study *study, const struct device *device, const char *command_line,
                            fact_visitor *visit, void *context)
{
    const struct recorder to = {visit, context};
    char cpu[FACT_SIZE], date[FACT_SIZE], seed[FACT_SIZE], canary[FACT_SIZE];
    struct utsname system;
    size_t checks;
    TRY(read_date(date));
    read_cpu(cpu);
    uname(&system);
    (void)canary_checks(&checks);
    snprintf(seed, sizeof seed, "%" PRIu64, study->seed);
    snprintf(canary, sizeof canary, "%zu of %zu checks passed", checks, checks); /* or the run would not have begun */
    const char *const facts[][3] = {
        {"program", "version", BUILD_VERSION},
        {"program", "commit", BUILD_COMMIT},
        {"program", "canary", canary},
        {"build", "C compiler", BUILD_C_COMPILER},
        {"build", "C flags", BUILD_C_FLAGS},
        {"build", "CUDA compiler", BUILD_CUDA_COMPILER},
        {"build", "CUDA flags", BUILD_CUDA_FLAGS},
        {"build", "CUDA architectures", BUILD_CUDA_ARCHITECTURES},
        {"library", "MPFR", mpfr_get_version()},
        {"library", "GMP", gmp_version},
        {"library", "SQLite", sqlite3_libversion()},
        {"library", "glibc", gnu_get_libc_version()},
        {"host", "processor", cpu},
        {"host", "system", system.sysname},
        {"host", "machine", system.machine},
        {"host", "kernel", system.release},
        {"run", "date", date},
        {"run", "seed", seed},
        {"run", "command", command_line},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        TRY(put(&to, facts[i][0], facts[i][1], facts[i][2]));
    TRY(put_files(&to, study));
    for (size_t i = 0; i < study->label_count; i++)
        TRY(put(&to, "label", labelled(study, study->labels[i].method), study->labels[i].text));
    TRY(put_black_boxes(&to, study, device));
    return put_device(&to, device);
}

/* A study is resumed with the labels that it has now. */
static enum status renew_labels(struct store *store, const struct study *study)
{
    for (size_t m = 0; m < study->method_count; m++)
        TRY(store_drop_fact(store, "label", study->methods[m]->id));
    for (size_t i = 0; i < study->label_count; i++)
        TRY(store_put_fact(store, "label", labelled(study, study->labels[i].method), study->labels[i].text));
    return OK;
}

static enum status put_in_store(void *store, const char *topic, const char *name, const char *value)
{
    return store_put_fact(store, topic, name, value);
}

enum status provenance_record(struct store *store, const struct study *study, const struct device *device,
                              const char *command_line)
{
    TRY(store_begin(store));
    if (store_has_rows(store)) {
        char date[FACT_SIZE];
        TRY(read_date(date));
        TRY(store_put_fact(store, "run", "resumed on", date));
        TRY(store_put_fact(store, "run", "resumed by", command_line));
        TRY(renew_labels(store, study));
    } else {
        TRY(provenance_each(study, device, command_line, put_in_store, store));
    }
    return store_end(store);
}
