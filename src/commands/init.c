#include "command.h"
enum status command_init(int argc, char **argv, struct globals *globals) { (void)argc;(void)argv;(void)globals; return OK; }
