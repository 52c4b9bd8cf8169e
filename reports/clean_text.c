#include "clean_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the character at `text`, or 0 when it is none that may be printed: broken, overlong, a surrogate, a control
 * character, one of the two that XML forbids, or one that turns the direction of what follows. */
static size_t character_bytes(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0x20, 0xa0, 0x800, 0x10000}; /* by bytes; below 0xa0 are the C1 controls */
    const size_t bytes = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : text[0] >= 0xc0 ? 2 : 0;
    if (bytes == 0 || text[0] >= 0xf8)
        return 0;
    uint32_t code = bytes == 1 ? text[0] : text[0] & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    const int forbidden = code < least[bytes] || code == 0x7f || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ||
                          code == 0xfffe || code == 0xffff || (code >= 0x202a && code <= 0x202e) ||
                          (code >= 0x2066 && code <= 0x2069);
    return forbidden ? 0 : bytes;
}

char *clean_text(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD: at most three bytes for one */
    char *clean = malloc(3 * strlen(text) + 1), *end = clean;
    if (!clean)
        return NULL;
    while (*text) {
        const size_t bytes = character_bytes((const unsigned char *)text);
        if (bytes > 0) {
            memcpy(end, text, bytes);
            end += bytes;
            text += bytes;
        } else if (strchr("\t\n\r", *text)) {
            *end++ = ' ';
            text++;
        } else {
            memcpy(end, replacement, 3);
            end += 3;
            text++;
        }
    }
    *end = '\0';
    return clean;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}
