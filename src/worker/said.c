#include "worker.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
    struct worker_reply header;
    char text[WORKER_PACKET_MOST - sizeof(struct worker_reply)];
} packet;
static size_t length; /* of the text */
static bool is_cut;

static void say_bytes(const char *bytes, size_t count)
{
    if (count > sizeof packet.text - length) {
        is_cut = true;
        return;
    }
    memcpy(packet.text + length, bytes, count);
    length += count;
}

void say(const char *text)
{
    say_bytes(text, strlen(text));
}

static void say_digits(uint64_t number, unsigned base)
{
    char digits[20];
    size_t first = sizeof digits;
    do
        digits[--first] = "0123456789abcdef"[number % base];
    while (number /= base);
    say_bytes(digits + first, sizeof digits - first);
}

void say_number(uint64_t number)
{
    say_digits(number, 10);
}

void say_hex(uint64_t number)
{
    say("0x");
    say_digits(number, 16);
}

/* Of the character that begins here; 0: it is no UTF-8.  By the table of RFC 3629, whose second bytes exclude what is
 * overlong, surrogates and what lies beyond U+10FFFF. */
static size_t bytes_of_character(const unsigned char *text)
{
    static const struct {
        unsigned char first, last, second_least, second_most, bytes;
    } forms[] = {{0x01, 0x7f, 0, 0xff, 1},    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
                 {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        if (text[0] >= forms[f].first && text[0] <= forms[f].last) {
            if (text[1] < forms[f].second_least || text[1] > forms[f].second_most)
                return 0;
            for (size_t i = 2; i < forms[f].bytes; i++)
                if ((text[i] & 0xc0) != 0x80)
                    return 0;
            return forms[f].bytes;
        }
    return 0;
}

static void say_characters(const char *text, bool is_json)
{
    while (*text) {
        const size_t bytes = bytes_of_character((const unsigned char *)text);
        const unsigned char first = (unsigned char)*text;
        const char escape[] = {'\\', 'u', '0', '0', "0123456789abcdef"[first / 16], "0123456789abcdef"[first % 16]};
        if (bytes == 0)
            say("?");
        else if (is_json && (first < ' ' || first == '"' || first == '\\'))
            say_bytes(escape, sizeof escape);
        else
            say_bytes(text, bytes);
        text += bytes > 0 ? bytes : 1;
    }
}

void say_foreign(const char *text)
{
    say_characters(text, false);
}

void say_json(const char *text)
{
    say("\"");
    say_characters(text, true);
    say("\"");
}

bool said_all(void)
{
    return !is_cut;
}

void said_nothing(void)
{
    length = 0;
    is_cut = false;
}

void begin_answer(uint64_t number)
{
    packet.header.number = number;
}

void answer(enum worker_answer what, uint64_t nanoseconds)
{
    ssize_t sent;
    packet.header.answer = what;
    packet.header.nanoseconds = nanoseconds;
    do
        sent = send(WORKER_SOCKET, &packet, sizeof packet.header + length, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0) {
        static const char why[] = "ulpscope-worker: its answer cannot be sent: descriptor 3 was closed\n";
        _exit(write(STDERR_FILENO, why, sizeof why - 1) < 0 ? 2 : 1);
    }
    said_nothing();
}

void give_up(void)
{
    answer(packet.header.number > 0 ? WORKER_BROKEN : WORKER_CANNOT, 0);
    _exit(0);
}
