/* ulpscope: how accurate is a floating-point sum?  The table of subcommands, and the only place that turns a status
 * into an exit code. */
#include "src/base/mode.h"
#include "src/base/suggest.h"
#include "src/commands/command.h"
#include "src/commands/complete.h"
#include "src/files/claim.h"
#include "src/files/output.h"
#include "src/measure/canary.h"
#include "src/ranks/ranks.h"
#include "src/store/provenance.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct command {
    const char *name, *summary;
    enum status (*run)(int argc, char **argv, struct globals *globals);
} commands[] = {
#define COMMAND(name, summary) {#name, summary, command_##name},
#include "src/commands/commands.def"
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const int exit_codes[] = {
    [OK] = 0, [LIMIT_BROKEN] = 1, [BAD_INPUT] = 2, [NOT_MEASURED] = 3, [NO_DEVICE] = 4, [INTERRUPTED] = 130,
};

static void print_usage(FILE *to)
{
    fputs("Usage: ulpscope COMMAND [ARGUMENTS] [-q] [--color WHEN], or ulpscope --version\n\n"
          "Measures how accurate a floating-point sum really is.\n\n",
          to);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-11s %s\n", commands[i].name, commands[i].summary);
    fputs("\n`ulpscope help COMMAND` or `ulpscope COMMAND -h` documents a command.\n"
          "Exit: 0 fine, 1 a limit or a bound is broken, or a kernel differs from its replay, 2 usage or bad file, 3 "
          "not measured, 4 no such device, 130 interrupted.\n",
          to);
}

static const struct command *find_command(const char *name)
{
    const char *known[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
        known[i] = commands[i].name;
    }
    const char *near = suggest(name, known, COMMANDS);
    complain("unknown command \"%s\"%s%s%s; see `ulpscope help`", name, near ? "; did you mean \"" : "",
             near ? near : "", near ? "\"?" : "");
    return NULL;
}

/* argp's usage line starts with argv[0]: "ulpscope run". */
static enum status run_command(const struct command *command, int argc, char **argv, struct globals *globals)
{
    char name[64];
    snprintf(name, sizeof name, "ulpscope %s", command->name);
    argv[0] = name;
    return command->run(argc, argv, globals);
}

static bool stdout_is_written(void)
{
    struct output out;
    return output_open(&out, "-") == OK && output_close(&out) == OK;
}

/* What stdout held is dropped before libraries end, which may write it: cuBLAS does. */
static bool is_held_back;

/* No command says anything in a process that does not round as the methods assume, be it a number or the verdict of a
 * gate; but doctor, whose subject that is.  It costs 45 microseconds.  What a library changes later is seen by outputs,
 * which are then held back (output.h). */
static enum status start_command(const struct command *command, int argc, char **argv, struct globals *globals)
{
    TRY(ranks_begin(command->name, command->run == command_run));
    mode_mask_traps();
    if (command->run == command_doctor)
        return run_command(command, argc, argv, globals);
    TRY(canary_check());
    mode_watch();
    const enum status status = run_command(command, argc, argv, globals);
    if (!mode_lost())
        return status;
    is_held_back = !stdout_is_written();
    return NOT_MEASURED;
}

/* The first word that is no option; argc when there is none. */
static int find_word(int argc, char **argv)
{
    int i = 1;
    while (i < argc && argv[i][0] == '-')
        i += strcmp(argv[i], "--color") == 0 ? 2 : 1;
    return i < argc ? i : argc;
}

/* "help", "help run"; options beside it say nothing more. */
static enum status help(int argc, char **argv, struct globals *globals)
{
    const int at = find_word(argc, argv);
    if (at == argc) {
        print_usage(stdout);
        return OK;
    }
    const struct command *command = find_command(argv[at]);
    if (!command)
        return BAD_INPUT;
    char flag[] = "--help";
    char *arguments[] = {argv[0], flag, NULL};
    return run_command(command, 2, arguments, globals);
}

/* With its summary, without the example behind that. */
static void offer_command(struct asked asked, const struct command *command)
{
    size_t length = (size_t)(strstr(command->summary, " ulpscope ") - command->summary);
    while (length > 0 && command->summary[length - 1] == ' ')
        length--;
    OWNED char *meaning = text_made("%.*s", (int)length, command->summary);
    complete_offer(asked, command->name, "", meaning);
}

/* ulpscope --complete WORD...: prints what the last of the words may be, or nothing (complete.h). */
static enum status complete(int argc, char **argv, struct globals *globals)
{
    static const char *const words[] = {"help", "--help", "--version"};
    const int last = argc - 1;
    int at = find_word(last, argv);
    const bool is_help = at < last && strcmp(argv[at], "help") == 0;
    if (is_help)
        at += find_word(last - at, argv + at);
    if (at >= last && last > 0) {
        struct asked asked = {.word = argv[last], .subject = ""};
        for (size_t i = 0; i < COMMANDS; i++)
            offer_command(asked, &commands[i]);
        for (size_t i = 0; i < sizeof words / sizeof *words && !is_help; i++)
            complete_offer(asked, words[i], "", "");
        return OK;
    }
    for (size_t i = 0; i < COMMANDS && last > 0 && !is_help; i++)
        if (strcmp(commands[i].name, argv[at]) == 0) {
            complete_words(last - at, argv + at + 1);
            return run_command(&commands[i], 1, argv, globals);
        }
    return OK;
}

/* No command, but an option: --version, or what asks for help. */
static enum status without_command(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--version") == 0) {
            puts(provenance_version());
            return OK;
        } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_usage(stdout);
            return OK;
        }
    return bad_input("%s: found no command behind it; expected one; see `ulpscope help`", argv[1]);
}

/* Options before the command are options of the command. */
static enum status dispatch(int argc, char **argv, struct globals *globals)
{
    const int at = find_word(argc, argv);
    if (argc == 1) {
        print_usage(stdout);
        return BAD_INPUT;
    }
    if (strcmp(argv[1], "--complete") == 0)
        return complete(argc - 1, argv + 1, globals);
    if (at == argc)
        return without_command(argc, argv);
    char *word = argv[at];
    memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof *argv);
    argv[1] = word;
    if (strcmp(word, "help") == 0)
        return help(argc - 1, argv + 1, globals);
    const struct command *command = find_command(word);
    return command ? start_command(command, argc - 1, argv + 1, globals) : BAD_INPUT;
}

/* A closed 0, 1 or 2 would be given to the next file that is opened, and messages would go into it.  /dev/null takes
 * the place, in the mode that is not used, so that reading and writing still fail. */
static bool hold_standard_streams(void)
{
    static const int modes[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", modes[fd]) != fd) {
            complain("/dev/null: cannot be opened in the place of a closed stream: %s", strerror(errno));
            return false;
        }
    return true;
}

/* In one log, or one pipe, lines of both stand whole and in order. */
static void share_lines(void)
{
    struct stat out, err;
    if (fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 && out.st_dev == err.st_dev &&
        out.st_ino == err.st_ino)
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

/* At every exit, so that a --help that could not be written is reported too. */
static void check_stdout(int code, void *unused)
{
    (void)unused;
    if (!is_held_back && !stdout_is_written())
        _exit(code == 0 ? exit_codes[NOT_MEASURED] : code);
}

int main(int argc, char **argv)
{
    mode_mask_traps();
    if (!hold_standard_streams() || on_exit(check_stdout, NULL) != 0)
        return exit_codes[NOT_MEASURED];
    share_lines();
    signal(SIGXFSZ, SIG_IGN); /* `ulimit -f`: a file that may not grow is a write that fails, like a full disk */
    library_memory_guard();
    struct globals globals = {0};
    struct text command_line = {0};
    argp_err_exit_status = exit_codes[BAD_INPUT];
    text_append(&command_line, "ulpscope");
    for (int i = 1; i < argc; i++) {
        text_append(&command_line, " ");
        text_append_shell_word(&command_line, argv[i]);
    }
    globals.command_line = text_take(&command_line);
    globals.words = memory_cleared((size_t)argc, sizeof *globals.words);
    for (int i = 0; i < argc; i++)
        globals.words[globals.word_count++] = (struct word_given){argv[i], memory_copy(argv[i])};
    enum status status = claims_begin();
    if (status == OK)
        status = dispatch(argc, argv, &globals);
    for (size_t i = 0; i < globals.word_count; i++)
        free(globals.words[i].text);
    free_all(globals.words, globals.command_line);
    return exit_codes[status];
}
