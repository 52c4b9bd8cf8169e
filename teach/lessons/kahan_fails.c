#include "../lesson_claim.h"
#include "../lesson_tools.h"

enum status lesson_kahan_fails(struct sheet *sheet)
{
    sheet_question(sheet, "To be written.");
    return OK;
}
