#include "provenance.h"

#include "canary.h"

#include <generated/build.h>
#include <gmp.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <mpfr.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* UTC; SOURCE_DATE_EPOCH in its place, for reports that are to be the same byte for byte. */
static void read_date(char date[FACT_SIZE])
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    const time_t seconds = fixed ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(date, FACT_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static enum status record_files(struct store *store, const struct study *study)
{
    for (size_t i = 0; i < study->entry_count; i++) {
        const struct study_entry *entry = &study->entries[i];
        char fact[FACT_SIZE];
        if (!entry->specs[0].path)
            continue;
        snprintf(fact, sizeof fact, "sha256 %s", entry->file_hash);
        TRY(store_put_fact(store, "data", entry->specs[0].path, fact));
    }
    return OK;
}

/* Whose code the black boxes of the study are. */
static enum status record_peers(struct store *store, const struct study *study)
{
    char version[REASON_SIZE];
    for (size_t i = 0; i < study->method_count; i++) {
        const struct method *method = study->methods[i];
        if (!method->version || !method->can_do(study->launches[0], version))
            continue;
        method->version(version);
        TRY(store_put_fact(store, "library", method->accumulator, version));
    }
    return OK;
}

static enum status record_device(struct store *store, const struct device *device)
{
    const struct device_facts *facts = device_facts(device);
    char number[FACT_SIZE];
    if (!facts)
        return store_put_fact(store, "device", "name", "host (replays)");
    TRY(store_put_fact(store, "device", "name", facts->name));
    TRY(store_put_fact(store, "device", "option", facts->word));
    TRY(store_put_fact(store, "device", "compute capability", facts->capability));
    read_driver(number);
    TRY(store_put_fact(store, "device", "driver", number));
    TRY(store_put_fact(store, "device", "CUDA version of the driver", facts->driver));
    TRY(store_put_fact(store, "device", "CUDA runtime", facts->runtime));
    snprintf(number, sizeof number, "%u", facts->multiprocessors);
    TRY(store_put_fact(store, "device", "multiprocessors", number));
    snprintf(number, sizeof number, "%" PRIu64 " bytes", facts->memory_bytes);
    return store_put_fact(store, "device", "memory", number);
}

enum status provenance_record(struct store *store, const struct study *study, const struct device *device,
                              const char *command_line)
{
    char cpu[FACT_SIZE], date[FACT_SIZE], seed[FACT_SIZE], canary[FACT_SIZE];
    struct utsname system;
    size_t checks;
    read_date(date);
    if (store_has_rows(store)) {
        TRY(store_put_fact(store, "run", "resumed on", date));
        return store_put_fact(store, "run", "resumed by", command_line);
    }
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
    TRY(store_begin_facts(store));
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        TRY(store_put_fact(store, facts[i][0], facts[i][1], facts[i][2]));
    TRY(record_files(store, study));
    if (device)
        TRY(record_peers(store, study));
    TRY(record_device(store, device));
    return store_end_facts(store);
}
