/* What an SVG says, by XPath; s: is its namespace. */
#ifndef ULPSCOPE_TESTS_SVG_H
#define ULPSCOPE_TESTS_SVG_H

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <math.h>
#include <string.h>

/* $text stands for `text`.  NaN: it is not well-formed. */
static inline double svg_number_of(const char *svg, const char *expression, const char *text)
{
    xmlDocPtr document = xmlReadMemory(svg, (int)strlen(svg), "picture.svg", NULL, XML_PARSE_NONET | XML_PARSE_NOERROR);
    if (!document)
        return NAN;
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    xmlXPathRegisterNs(context, BAD_CAST "s", BAD_CAST "http://www.w3.org/2000/svg");
    xmlXPathRegisterVariable(context, BAD_CAST "text", xmlXPathNewCString(text));
    xmlXPathObjectPtr object = xmlXPathEvalExpression(BAD_CAST expression, context);
    const double value = xmlXPathCastToNumber(object);
    xmlXPathFreeObject(object);
    xmlXPathFreeContext(context);
    xmlFreeDoc(document);
    return value;
}

static inline double svg_number(const char *svg, const char *expression)
{
    return svg_number_of(svg, expression, "");
}

#endif
