#include "worker.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>

static const char *volatile doing = "";
static volatile bool is_over;
static uintptr_t stack_top, stack_bytes; /* of the main thread */

void faults_while(const char *what)
{
    doing = what;
}

void faults_end(void)
{
    is_over = true;
}

void say_array(int array)
{
    say(array == OUTPUT ? "its output" : "its input ");
    if (array != OUTPUT)
        say_number((uint64_t)array + 1);
}

struct machine {
    uintptr_t instruction; /* 0: unknown */
    enum { READ, WROTE, TOUCHED } did;
    bool has_address; /* x86-64 gives none of an address that cannot be one */
};

static struct machine machine_of(void *context)
{
#ifdef __x86_64__
    enum { PAGE_FAULT = 14, BY_WRITING = 2 };
    const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
    return (struct machine){(uintptr_t)registers[REG_RIP], registers[REG_ERR] & BY_WRITING ? WROTE : READ,
                            registers[REG_TRAPNO] == PAGE_FAULT};
#else
    (void)context;
    return (struct machine){0, TOUCHED, true};
#endif
}

static void say_access(const siginfo_t *info, const struct machine *machine)
{
    static const char *const words[] = {"read", "wrote", "touched"};
    static const char *const sides[] = {" before the beginning of ", " to ", " past the end of "};
    enum { PAGE = 4096, GAP = 2 << 20 }; /* Linux keeps 1 MiB free below a stack */
    const uintptr_t address = (uintptr_t)info->si_addr;
    const struct place place = windows_place(info->si_addr);
    if (!machine->has_address) {
        say("used an address that cannot be one, or data that its instruction needs aligned");
        return;
    }
    if (address < stack_top && address > stack_top - stack_bytes - GAP) {
        say("ran out of stack: an endless recursion, or a large array within a function");
        return;
    }
    say(words[machine->did]);
    if (place.array >= 0) {
        say(sides[place.where]);
        say_array(place.array);
    } else if (address < PAGE)
        say(" through a null pointer");
    else {
        say(" at ");
        say_hex(address);
        say(", which is not its own");
    }
}

static const char *of_signal(int number, int code)
{
    if (number != SIGABRT && code <= 0)
        return "was sent the signal";
    return number == SIGABRT    ? "called abort(), or failed an assertion"
           : number == SIGILL   ? "came to an instruction that this processor lacks, or to __builtin_trap()"
           : code == FPE_INTDIV ? "divided an integer by zero"
                                : "raised a floating-point exception, which it had made a trap";
}

/* dladdr is not listed as safe here; where it hangs, ulpscope's patience ends. */
static void say_where(uintptr_t instruction)
{
    Dl_info found;
    if (instruction == 0 || !dladdr((void *)instruction, &found) || !found.dli_fname)
        return;
    const char *slash = strrchr(found.dli_fname, '/');
    say(", at ");
    say_foreign(slash ? slash + 1 : found.dli_fname);
    say("+");
    say_hex(instruction - (uintptr_t)found.dli_fbase);
}

static void fault(int number, siginfo_t *info, void *context)
{
    const struct machine machine = machine_of(context);
    const bool is_of_memory = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;
    said_nothing();
    if (is_of_memory)
        say_access(info, &machine);
    else
        say(of_signal(number, info->si_code));
    say(doing);
    say(" (SIG");
    say(sigabbrev_np(number));
    if (info->si_code > 0)
        say_where(machine.instruction);
    say(")");
    give_up();
}

static void ended(int status, void *unused)
{
    (void)unused;
    if (is_over)
        return;
    said_nothing();
    say("called exit(");
    if (status < 0)
        say("-");
    say_number(status < 0 ? 0 - (uint64_t)status : (uint64_t)status);
    say(")");
    say(doing);
    give_up();
}

void faults_watch(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char own_stack[64 * 1024];
    const stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof own_stack};
    struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct rlimit limit = {0, 0};
    sigfillset(&action.sa_mask);
    sigaltstack(&stack, NULL);
    for (unsigned s = 0; s < sizeof signals / sizeof *signals; s++)
        sigaction(signals[s], &action, NULL);
    getrlimit(RLIMIT_STACK, &limit);
    stack_top = (uintptr_t)__builtin_frame_address(0);
    stack_bytes = limit.rlim_cur == RLIM_INFINITY ? 0 : limit.rlim_cur;
    on_exit(ended, NULL);
}
