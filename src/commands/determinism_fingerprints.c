#include "determinism_fingerprints.h"

#include "src/base/interrupts.h"
#include "src/determinism/fingerprints.h"
#include "src/device/device.h"

static enum status make_fingerprints(const struct study *study, const struct config *config, struct fingerprints *made)
{
    const char *source;
    char why[REASON_SIZE];
    struct device *device;
    unsigned jobs;
    TRY(command_read_jobs(config, &jobs));
    TRY(device_open(config_value(config, SETTING_DEVICE, &source), &device, why));
    interrupts_catch("the sums in hand");
    const enum status status = fingerprints_make(study, device, jobs, made);
    interrupts_release();
    if (status == INTERRUPTED)
        complain("interrupted; no fingerprints are written");
    device_close(device);
    return status;
}

enum status command_write_fingerprints(const struct study *study, const struct config *config, const char *path)
{
    FREED_BY(fingerprints_free) struct fingerprints made = {0};
    TRY(make_fingerprints(study, config, &made));
    return fingerprints_write(&made, path);
}

enum status command_compare_fingerprints(const struct words *words)
{
    FREED_BY(fingerprints_free) struct fingerprints left = {0}, right = {0};
    enum status status = BAD_INPUT;
    if (words->count != 3)
        return bad_input("determinism diff: expected two files of fingerprints, found %zu; write them with `ulpscope "
                         "determinism --fingerprints FILE`",
                         words->count - 1);
    TRY_DONE(fingerprints_read(words->word[1], &left));
    TRY_DONE(fingerprints_read(words->word[2], &right));
    status = fingerprints_compare(&left, &right);
done:
    return status;
}
