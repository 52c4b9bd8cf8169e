#include "xml.h"

#include "clean_text.h"
#include "src/base/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(struct xml *xml, int written)
{
    xml->failed |= written < 0;
}

void xml_begin(struct xml *xml)
{
    *xml = (struct xml){.buffer = xmlBufferCreate()};
    xml->writer = xml->buffer ? xmlNewTextWriterMemory(xml->buffer, 0) : NULL;
    xml->failed = !xml->writer;
}

void xml_declare(struct xml *xml)
{
    if (xml->failed)
        return;
    check(xml, xmlTextWriterSetIndent(xml->writer, 1));
    check(xml, xmlTextWriterStartDocument(xml->writer, NULL, "UTF-8", NULL));
}

void xml_open(struct xml *xml, const char *element)
{
    if (!xml->failed)
        check(xml, xmlTextWriterStartElement(xml->writer, BAD_CAST element));
}

void xml_close(struct xml *xml)
{
    if (!xml->failed)
        check(xml, xmlTextWriterEndElement(xml->writer));
}

void xml_close_in_full(struct xml *xml)
{
    if (!xml->failed)
        check(xml, xmlTextWriterFullEndElement(xml->writer));
}

/* Allocated; NULL when memory is or was short. */
static char *cleaned(struct xml *xml, const char *format, va_list arguments)
{
    char *text = NULL, *clean = NULL;
    if (!xml->failed && vasprintf(&text, format, arguments) >= 0) {
        clean = clean_text(text);
        free(text);
    }
    xml->failed |= !clean;
    return clean;
}

void xml_attribute(struct xml *xml, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *value = cleaned(xml, format, arguments);
    va_end(arguments);
    if (value)
        check(xml, xmlTextWriterWriteAttribute(xml->writer, BAD_CAST name, BAD_CAST value));
    free(value);
}

void xml_text_of(struct xml *xml, const char *format, va_list arguments)
{
    char *text = cleaned(xml, format, arguments);
    if (text)
        check(xml, xmlTextWriterWriteString(xml->writer, BAD_CAST text));
    free(text);
}

void xml_text(struct xml *xml, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    xml_text_of(xml, format, arguments);
    va_end(arguments);
}

void xml_lines(struct xml *xml, const char *text)
{
    for (;;) {
        const size_t length = strcspn(text, "\n");
        xml_text(xml, "%.*s", (int)length, text);
        if (text[length] == '\0')
            return;
        xml_raw(xml, "\n");
        text += length + 1;
    }
}

void xml_raw(struct xml *xml, const char *text)
{
    if (!xml->failed)
        check(xml, xmlTextWriterWriteRaw(xml->writer, BAD_CAST text));
}

size_t xml_length(struct xml *xml)
{
    if (xml->failed)
        return 0;
    check(xml, xmlTextWriterFlush(xml->writer));
    return (size_t)xmlBufferLength(xml->buffer);
}

enum status xml_take(struct xml *xml, const char *what, char **text, size_t *length)
{
    *length = xml_length(xml);
    if (xml->writer)
        xmlFreeTextWriter(xml->writer);
    *text = xml->failed ? NULL : (char *)xmlBufferDetach(xml->buffer);
    if (xml->buffer)
        xmlBufferFree(xml->buffer);
    *xml = (struct xml){.failed = true};
    return *text ? OK : out_of_memory(what);
}

enum status xml_write(struct xml *xml, enum status status, const char *what, const char *path)
{
    struct output out;
    char *text;
    size_t length;
    const enum status taken = xml_take(xml, what, &text, &length);
    status = status == OK ? taken : status;
    if (status == OK)
        status = output_open(&out, path);
    if (status == OK) {
        fwrite(text, 1, length, out.file);
        status = output_close(&out);
    }
    free(text);
    return status;
}
