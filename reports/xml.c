#include "xml.h"

#include "src/files/output.h"

/* What libxml2 refuses, it had no memory for. */
static void check(int written)
{
    if (written < 0)
        memory_ran_out();
}

void xml_begin(struct xml *xml)
{
    *xml = (struct xml){.buffer = xmlBufferCreate()};
    xml->writer = xml->buffer ? xmlNewTextWriterMemory(xml->buffer, 0) : NULL;
    if (!xml->writer)
        memory_ran_out();
}

void xml_declare(struct xml *xml)
{
    check(xmlTextWriterSetIndent(xml->writer, 1));
    check(xmlTextWriterStartDocument(xml->writer, NULL, "UTF-8", NULL));
}

void xml_open(struct xml *xml, const char *element)
{
    check(xmlTextWriterStartElement(xml->writer, BAD_CAST element));
}

void xml_close(struct xml *xml)
{
    check(xmlTextWriterEndElement(xml->writer));
}

void xml_close_in_full(struct xml *xml)
{
    check(xmlTextWriterFullEndElement(xml->writer));
}

void xml_attribute(struct xml *xml, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    OWNED char *value = clean_text_of(format, arguments);
    va_end(arguments);
    if (value)
        check(xmlTextWriterWriteAttribute(xml->writer, BAD_CAST name, BAD_CAST value));
}

void xml_text_of(struct xml *xml, const char *format, va_list arguments)
{
    OWNED char *text = clean_text_of(format, arguments);
    if (text)
        check(xmlTextWriterWriteString(xml->writer, BAD_CAST text));
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
    check(xmlTextWriterWriteRaw(xml->writer, BAD_CAST text));
}

size_t xml_length(struct xml *xml)
{
    check(xmlTextWriterFlush(xml->writer));
    return (size_t)xmlBufferLength(xml->buffer);
}

char *xml_cut(struct xml *xml)
{
    check(xmlTextWriterFlush(xml->writer));
    char *text = memory_copy((const char *)xmlBufferContent(xml->buffer));
    xmlBufferEmpty(xml->buffer);
    return text;
}

char *xml_take(struct xml *xml, size_t *length)
{
    *length = xml_length(xml);
    xmlFreeTextWriter(xml->writer);
    char *text = (char *)xmlBufferDetach(xml->buffer);
    xmlBufferFree(xml->buffer);
    *xml = (struct xml){NULL, NULL};
    return text;
}

enum status xml_write(struct xml *xml, const char *path)
{
    struct output out;
    size_t length;
    OWNED char *text = xml_take(xml, &length);
    TRY(output_open(&out, path));
    fwrite(text, 1, length, out.file);
    return output_close(&out);
}
