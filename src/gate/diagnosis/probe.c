/* A fault that is made twice is often the same fault: a sum without its tail of 4 is the same sum without it.  So a
 * fault that changes nothing, on data on which it should, is there already.
 *
 * The data are of binary32, also where a method's numbers are narrower: replays add those of every format alike, and
 * the last bits of what was added are compared, which a narrower result would hide.  Methods that add in 16 bits are
 * not asked: to them these data are infinite. */
#include "elements.h"

/* No n is a multiple of 4 or of a block.  What most faults show on stands first. */
static const char *const specs[] = {
    "exp_uniform:n=4099,range=30",
    "integers:n=4097,most=4095",
    "subnormal:n=4097",
    "gensum:n=4099,cond=1e8",
    "gensum:n=4099,cond=1e20",
    "lognormal:n=4099,sigma=4",
    "swamp:n=4099",
    "kahan_killer:n=4099",
    "binary64_killer:n=4099",
    "ties_mid:n=4099",
    "exp_uniform:n=65539,range=30",       /* 128 blocks of fabsum_512 */
    "const:n=270003,value=0x1.ffffcp-11", /* 4,218 a thread, which is more than a bin of `binned` holds */
};
_Static_assert(sizeof specs / sizeof *specs <= PROBES_MOST, "room for all");

static const struct launch launch = {2, 32};

static enum status make_probe(const char *family, const struct format *format, struct dataset *data)
{
    char text[64];
    struct data_spec *spec;
    size_t count;
    snprintf(text, sizeof text, "%s,format=%s", family, format->name);
    TRY(data_specs_read(text, "a probe", NONFINITE_REFUSE, &spec, &count));
    const enum status status = dataset_make(spec, 1, 0, data);
    data_specs_free(spec, count);
    return status;
}

enum status probes_make(struct probes *probes)
{
    *probes = (struct probes){0};
    for (; probes->count < sizeof specs / sizeof *specs; probes->count++) {
        TRY(make_probe(specs[probes->count], &FORMAT_BINARY32, &probes->data[probes->count]));
        TRY(make_probe(specs[probes->count], &FORMAT_BINARY64, &probes->wide[probes->count]));
    }
    return OK;
}

void probes_free(struct probes *probes)
{
    for (size_t i = 0; i < probes->count; i++) {
        dataset_free(&probes->data[i]);
        dataset_free(&probes->wide[i]);
    }
    probes->count = 0;
}

static enum status changes_nothing(const struct probes *probes, struct claimed_method claimed,
                                   const struct hypothesis *hypothesis, bool *same)
{
    *same = true;
    const struct hypothesis sound = {.kind = THE_METHOD, .method = claimed.method, .launch = launch};
    const bool is_wide = claimed.method->sum_format->stored->precision > FORMAT_BINARY32.precision;
    for (size_t i = 0; i < probes->count && *same; i++) {
        const struct dataset *data = is_wide ? &probes->wide[i] : &probes->data[i];
        uint64_t own = 0, sum = 0;
        TRY(hypothesis_unrounded_sum(sound, data, &own));
        TRY(hypothesis_unrounded_sum(*hypothesis, data, &sum));
        *same = format_same(claimed.method->sum_format->added, own, sum);
    }
    return OK;
}

enum status probes_accuse(const struct probes *probes, struct claimed_method claimed, const struct elements *elements,
                          struct hypotheses *accused)
{
    char why[REASON_SIZE];
    struct hypotheses all = {0};
    enum status status = OK;
    if (!method_can_do(claimed.method, launch, why) || claimed.method->sum_format->added->bytes < sizeof(float))
        return OK;
    status = hypotheses_of_faults((struct claimed_method){.method = claimed.method, .launch = launch}, &all);
    for (size_t i = 0; i < all.count && status == OK; i++) {
        struct hypothesis hypothesis = all.list[i];
        bool same = false;
        if (elements_allow(elements, &hypothesis))
            status = changes_nothing(probes, claimed, &hypothesis, &same);
        hypothesis.launch = claimed.launch;
        if (status == OK && same)
            status = hypotheses_append(accused, hypothesis);
    }
    hypotheses_free(&all);
    return status;
}
