/* XML, and the HTML and SVG that are XML: libxml2 writes and escapes it.
 *
 *   xml_begin(&xml);
 *   xml_open(&xml, "rect");  xml_attribute(&xml, "x", "%d", 4);  xml_close(&xml);       <rect x="4"/>
 *   return xml_write(&xml, path);
 *
 * Texts and the values of attributes may hold any bytes (clean_text.h).
 */
#pragma once

#include "src/base/base.h"

#include <libxml/xmlwriter.h>

struct xml {
    xmlBufferPtr buffer;
    xmlTextWriterPtr writer;
};

void xml_begin(struct xml *xml);
void xml_declare(struct xml *xml); /* <?xml version="1.0" encoding="UTF-8"?>; then each element has a line */

void xml_open(struct xml *xml, const char *element);
void xml_close(struct xml *xml);
void xml_close_in_full(struct xml *xml); /* <td></td>: HTML would take <td/> for an opening tag */

void xml_attribute(struct xml *xml, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void xml_text(struct xml *xml, const char *format, ...) __attribute__((format(printf, 2, 3)));
void xml_text_of(struct xml *xml, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
void xml_lines(struct xml *xml, const char *text); /* its line breaks stay; in any other text they become blanks */
void xml_raw(struct xml *xml, const char *text);   /* ours, as it stands */

/* So far. */
size_t xml_length(struct xml *xml);

/* What was written since the last cut, between elements; allocated. */
char *xml_cut(struct xml *xml);

/* One of the two ends it, and frees what it holds. */
char *xml_take(struct xml *xml, size_t *length);          /* allocated; ends with a 0 */
enum status xml_write(struct xml *xml, const char *path); /* to a file that appears whole or not at all */
