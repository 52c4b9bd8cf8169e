#include "findings.h"

static const char ELLIPSIS[] = "\xe2\x80\xa6";

char *cut_text(const char *text, size_t most)
{
    const size_t length = strlen(text);
    if (length <= most)
        return memory_copy(text);
    size_t kept = most - strlen(ELLIPSIS);
    while (kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80) /* within a character */
        kept--;
    return text_made("%.*s%s", (int)kept, text, ELLIPSIS);
}
