#include "bare.h"

#include <dlfcn.h>
#include <string.h>

static void *function;
static const char *signature; /* src/plugins/prototype.h */

/* Both ABIs that ulpscope runs on, x86-64's and AArch64's, pass pointers and integers of any width alike, in registers;
 * registers beyond the parameters are not looked at.  So one call serves for every order and every type of a length. */
#define CALL(type) ((type(*)(intptr_t, intptr_t, intptr_t, intptr_t))at)(words[0], words[1], words[2], words[3])

static int run(void *state, const struct ulpscope_call *call)
{
    const int64_t n = call->inputs[0].shape[0];
    void *const to = ulpscope_data(&call->outputs[0]);
    intptr_t words[4] = {0};
    void (*at)(void);
    (void)state;
    memcpy(&at, &function, sizeof at);
    for (int p = 0; signature[2 + p]; p++)
        switch (signature[2 + p]) {
        case 'x':
        case 'y':
            words[p] = (intptr_t)ulpscope_data(&call->inputs[signature[2 + p] - 'x']);
            break;
        case 'r':
            words[p] = (intptr_t)to;
            break;
        default:
            words[p] = (intptr_t)n;
        }
    if (strchr(signature, 'i') && n > INT32_MAX)
        return 1;
    if (strchr(signature, 'r'))
        CALL(void);
    else if (signature[1] == 'd')
        *(double *)to = CALL(double);
    else
        *(float *)to = CALL(float);
    return 0;
}

static const char *meaning(int status)
{
    (void)status;
    return "its length is a number of 32 bits";
}

const struct ulpscope_plugin *bare_plugin(void *handle, char *const words[BARE_WORDS], int *is_checked)
{
    static struct ulpscope_method method;
    static struct ulpscope_plugin plugin;
    function = dlsym(handle, words[BARE_METHOD]);
    *is_checked = !function;
    function = function ? function : dlsym(handle, words[BARE_MANGLED]);
    signature = words[BARE_SIGNATURE];
    static char own[PLUGIN_NAME_MOST + 1];
    const char *name = strrchr(words[BARE_METHOD], ':');
    strncpy(own, name ? name + 1 : words[BARE_METHOD], PLUGIN_NAME_MOST);
    method = (struct ulpscope_method){.size = sizeof method,
                                      .name = own,
                                      .operation = strchr(signature, 'y') ? "dot" : "sum",
                                      .format = words[BARE_FORMAT],
                                      .run = run,
                                      .claim = words[BARE_PROTOTYPE]};
    plugin = (struct ulpscope_plugin){
        .size = sizeof plugin, .name = words[BARE_PLUGIN], .methods = &method, .method_count = 1, .error = meaning};
    return function ? &plugin : NULL;
}
