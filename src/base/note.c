#include "note.h"

#include "base.h"
#include "list.h"

#include <pthread.h>
#include <stdarg.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char **said;
static size_t count, room;
static bool are_said;

void notes_begin(void)
{
    are_said = true;
}

/* Takes the text. */
static void say(char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(said[i], text) == 0) {
            free(text);
            return;
        }
    said = list_short(said, count, &room, sizeof *said);
    said[count++] = text;
    clean_line(stderr, "%s", text);
}

void note_once(const char *format, ...)
{
    va_list arguments;
    if (!are_said)
        return;
    va_start(arguments, format);
    char *text = clean_text_of(format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    say(text);
    pthread_mutex_unlock(&lock);
}
