/* ulpscope completion: the script with which a shell completes command lines. */
#include "command.h"
#include "generated/completion_bash.h"
#include "generated/completion_fish.h"
#include "generated/completion_zsh.h"

struct arguments {
    struct globals *globals;
};

static const struct script {
    const char *shell, *text;
} scripts[] = {{"bash", COMPLETION_BASH}, {"zsh", COMPLETION_ZSH}, {"fish", COMPLETION_FISH}};

static const struct argp parser = {
    .parser = command_take,
    .args_doc = "bash|zsh|fish",
    .doc = "Prints the script with which a shell completes commands, options, methods, families of data, formats, "
           "lessons and files.\n\n"
           "Examples:\n"
           "  . <(ulpscope completion bash)            in ~/.bashrc\n"
           "  . <(ulpscope completion zsh)             in ~/.zshrc, after compinit\n"
           "  ulpscope completion fish | source        in ~/.config/fish/config.fish\v"
           "An installed ulpscope has put "
           "the scripts in their places already.  A script asks the program, so that it knows what this version has.  "
           "docs/install.md has examples.\n\n"
           "Exit: 0 fine; 2 usage; 3 it could not be written.",
};

enum status command_completion(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    globals->wanted = (struct bare_wanted){1, "a word too many", "no shell; expected bash, zsh or fish"};
    TRY(command_parse(&parser, argc, argv, &arguments));
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (strcmp(globals->bare.word[0], scripts[i].shell) == 0) {
            fputs(scripts[i].text, stdout);
            return OK;
        }
    return bad_input("completion: \"%s\" is unknown; expected bash, zsh or fish", globals->bare.word[0]);
}
