#include "../lesson_tools.h"

enum status lesson_rounding(struct sheet *sheet)
{
    sheet_question(sheet, "To be written.");
    return OK;
}
