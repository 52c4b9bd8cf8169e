#include "page.h"

#include "page_style.h"

#include <nettle/base64.h>

static void void_element(struct page *page, const char *element, const char *name, const char *value,
                         const char *other_name, const char *other_value)
{
    page_open(page, element);
    page_attribute(page, name, value);
    if (other_name)
        page_attribute(page, other_name, other_value);
    xml_close(&page->xml); /* <meta ... />: elements without content only */
}

void page_begin(struct page *page, const char *title)
{
    page_begin_styled(page, title, "");
}

void page_begin_styled(struct page *page, const char *title, const char *more_style)
{
    *page = (struct page){.deeper = 0};
    xml_begin(&page->xml);
    xml_raw(&page->xml, "<!DOCTYPE html>\n");
    page_open(page, "html");
    page_attribute(page, "xmlns", "http://www.w3.org/1999/xhtml");
    page_attribute(page, "lang", "en");
    page_open(page, "head");
    void_element(page, "meta", "charset", "utf-8", NULL, NULL);
    void_element(page, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    void_element(page, "meta", "name", "color-scheme", "content", "light dark");
    page_element(page, "title", "%s", title);
    page_open(page, "style");
    for (size_t i = 0; i < sizeof page_style / sizeof *page_style; i++) /* ours; holds no '<' and no '&' */
        xml_raw(&page->xml, page_style[i]);
    xml_raw(&page->xml, more_style);
    page_close(page);
    page_close(page);
    page_open(page, "body");
    page_open(page, "main");
    page->limit = xml_length(&page->xml);
}

static void forget(struct said *said)
{
    for (size_t i = 0; i < said->count; i++)
        free(said->list[i]);
    free(said->list);
    *said = (struct said){0};
}

static void forget_all(struct page *page)
{
    forget(&page->names);
    forget(&page->readings);
    forget(&page->left_out);
}

enum status page_end(struct page *page, enum status status, const char *path)
{
    for (int i = 0; i < 3; i++) /* main, body, html */
        page_close(page);
    forget_all(page);
    if (status == OK)
        return xml_write(&page->xml, path);
    size_t length;
    free(xml_take(&page->xml, &length));
    return status;
}

void page_begin_pieces(struct page *page)
{
    *page = (struct page){.limit = SIZE_MAX / 2};
    xml_begin(&page->xml);
}

char *page_take_piece(struct page *page)
{
    return xml_cut(&page->xml);
}

void page_end_pieces(struct page *page)
{
    size_t length;
    forget_all(page);
    free(xml_take(&page->xml, &length));
}

void page_open(struct page *page, const char *element)
{
    xml_open(&page->xml, element);
}

/* Inline elements close without a line break: a break is a blank in the text. */
static bool is_inline(const char *element)
{
    static const char *const names[] = {"code", "strong", "em", "span", "a", "small"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(element, names[i]) == 0)
            return true;
    return false;
}

void page_close(struct page *page)
{
    xml_close_in_full(&page->xml);
    xml_raw(&page->xml, "\n");
}

void page_close_inline(struct page *page)
{
    xml_close_in_full(&page->xml);
}

void page_attribute(struct page *page, const char *name, const char *value)
{
    xml_attribute(&page->xml, name, "%s", value);
}

void page_identify(struct page *page, const char *format, ...)
{
    char text[96];
    va_list arguments;
    const int prefix = snprintf(text, sizeof text, "%s", page->prefix);
    va_start(arguments, format);
    vsnprintf(text + prefix, sizeof text - (size_t)prefix, format, arguments);
    va_end(arguments);
    page_attribute(page, "id", text);
}

void page_text(struct page *page, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    xml_text_of(&page->xml, format, arguments);
    va_end(arguments);
}

void page_heading(struct page *page, int level, const char *format, ...)
{
    const char element[] = {'h', (char)('0' + level + page->deeper), '\0'};
    va_list arguments;
    page_open(page, element);
    va_start(arguments, format);
    xml_text_of(&page->xml, format, arguments);
    va_end(arguments);
    page_close(page);
}

void page_fold(struct page *page, int level, bool open, const char *title, const char *format, ...)
{
    char id[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(id, sizeof id, format, arguments);
    va_end(arguments);
    page_open_as(page, "details", "part");
    if (open)
        page_attribute(page, "open", "open");
    page_open(page, "summary");
    page_heading(page, level, "%s", title);
    page_close(page);
    page_open(page, "div");
    page_identify(page, "%s", id);
}

void page_unfold(struct page *page)
{
    page_close(page);
    page_close(page);
}

void page_unfold_box(struct page *page)
{
    page_open_as(page, "label", "unfold");
    page_open(page, "input");
    page_attribute(page, "type", "checkbox");
    page_attribute(page, "id", "unfold");
    xml_close(&page->xml);
    page_text(page, " unfold all");
    page_close(page);
}

void page_link(struct page *page, const char *text, const char *format, ...)
{
    char address[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(address, sizeof address, format, arguments);
    va_end(arguments);
    page_open(page, "a");
    page_attribute(page, "href", address);
    page_text(page, "%s", text);
    page_close_inline(page);
}

void page_element(struct page *page, const char *element, const char *format, ...)
{
    va_list arguments;
    page_open(page, element);
    va_start(arguments, format);
    xml_text_of(&page->xml, format, arguments);
    va_end(arguments);
    if (is_inline(element))
        page_close_inline(page);
    else
        page_close(page);
}

void page_open_as(struct page *page, const char *element, const char *class)
{
    page_open(page, element);
    page_attribute(page, "class", class);
}

void page_element_as(struct page *page, const char *element, const char *class, const char *text)
{
    page_open_as(page, element, class);
    page_text(page, "%s", text);
    page_close(page);
}

void page_list(struct page *page, const char *class, char *lines, const char *end)
{
    if (lines[strspn(lines, "\n")]) {
        page_open(page, "ul");
        if (class)
            page_attribute(page, "class", class);
        for (char *rest = lines, *line; (line = strsep(&rest, "\n"));)
            if (*line)
                page_element(page, "li", "%s%s", line, end);
        page_close(page);
    }
    free(lines);
}

/* ---- what there is room for ---- */

bool page_says_first(struct said *said, const char *text)
{
    for (size_t i = 0; i < said->count; i++)
        if (strcmp(said->list[i], text) == 0)
            return false;
    said->list = memory_resized(said->list, (said->count + 1) * sizeof *said->list);
    said->list[said->count++] = memory_copy(text);
    return true;
}

void page_allow(struct page *page, size_t length)
{
    forget(&page->readings);
    page->limit += length;
    page->for_tables = length / 4;
    page->pictures_full = false;
}

bool page_has_room(struct page *page, size_t length)
{
    return xml_length(&page->xml) + length <= page->limit;
}

bool page_takes_picture(struct page *page, size_t length)
{
    const bool takes = page_has_room(page, BASE64_ENCODE_RAW_LENGTH(length) + page->for_tables);
    page->pictures_full |= !takes;
    return takes;
}

void page_leave_out(struct page *page, const char *picture)
{
    page->pictures_left_out++;
    if (page->left_out.count < PICTURES_NAMED)
        page_says_first(&page->left_out, picture);
}

/* "1 table", "2 tables" */
static void counted(struct page *page, size_t count, const char *what)
{
    page_text(page, "%zu %s%s%s", count, page->pictures_left_out > 0 ? "more " : "", what, count == 1 ? "" : "s");
}

static void name_pictures(struct page *page)
{
    for (size_t i = 0; i < page->left_out.count; i++) {
        page_text(page, i ? ", " : ": ");
        page_element(page, "code", "%s", page->left_out.list[i]);
    }
    page_text(page, page->pictures_left_out > page->left_out.count ? ", ..." : ".");
}

void page_say_left_out(struct page *page)
{
    const size_t pictures = page->pictures_left_out, tables = page->tables_left_out;
    if (pictures + tables == 0)
        return;
    page_open_as(page, "p", "missing");
    if (pictures > 0)
        counted(page, pictures, "picture");
    if (pictures > 0 && tables > 0)
        page_text(page, " and ");
    if (tables > 0)
        counted(page, tables, "table");
    page_text(page, " w%s omitted", pictures + tables == 1 ? "as" : "ere");
    if (tables > 0)
        page_text(page, "; summary.csv, which -o DIR writes, has the numbers");
    if (pictures > 0) {
        page_text(page, "; the folder that --svg writes has the pictures");
        name_pictures(page);
    } else
        page_text(page, ".");
    page_close(page);
    forget(&page->left_out);
    page->pictures_left_out = page->tables_left_out = 0;
}

void page_scrolls(struct page *page, const char *role, const char *name)
{
    OWNED char *numbered = memory_copy(name);
    for (int i = 2; !page_says_first(&page->names, numbered); i++) {
        free(numbered);
        numbered = text_made("%s (%d)", name, i);
    }
    page_attribute(page, "role", role);
    page_attribute(page, "aria-label", numbered);
    page_attribute(page, "tabindex", "0");
}

void page_lines(struct page *page, const char *name, const char *text)
{
    page_open(page, "pre");
    page_scrolls(page, "region", name);
    xml_lines(&page->xml, text);
    page_close(page);
}

/* Allocated. */
static char *address_of(const char *svg, size_t length)
{
    static const char scheme[] = "data:image/svg+xml;base64,";
    const size_t encoded = BASE64_ENCODE_RAW_LENGTH(length);
    char *address = memory_resized(NULL, sizeof scheme + encoded);
    memcpy(address, scheme, sizeof scheme - 1);
    base64_encode_raw(address + sizeof scheme - 1, length, (const uint8_t *)svg);
    address[sizeof scheme - 1 + encoded] = '\0';
    return address;
}

void page_svg(struct page *page, const char *svg, size_t length, const char *alternative)
{
    OWNED char *address = address_of(svg, length);
    void_element(page, "img", "src", address, "alt", alternative);
}

void page_svg_of_two(struct page *page, const char *svg, const char *narrow, const char *alternative)
{
    OWNED char *address = address_of(narrow, strlen(narrow));
    page_open(page, "picture");
    void_element(page, "source", "media", "screen and (max-width: 40rem)", "srcset", address);
    page_svg(page, svg, strlen(svg), alternative);
    page_close(page);
}

void page_boxed_svg(struct page *page, const char *class, const char *name, const char *svg, const char *alternative)
{
    page_open_as(page, "div", class);
    page_scrolls(page, "group", name);
    page_svg(page, svg, strlen(svg), alternative);
    page_close(page);
}
