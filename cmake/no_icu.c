/* For the preset portable, in place of 33 MB of ICU.  Debian's libxml2 asks ICU for the encodings that it does not know
 * itself; this program writes UTF-8, which libxml2 knows.  So there are no other encodings, and nothing to do with
 * them. A libxml2 that wants more of ICU than this does not link. */
#include <stdlib.h>
#include <unicode/utypes.h>

void *ucnv_open(const char *name, UErrorCode *error);
void *ucnv_open(const char *name, UErrorCode *error)
{
    (void)name;
    *error = U_UNSUPPORTED_ERROR;
    return NULL;
}

#define NEVER_CALLED(name)                                                                                             \
    _Noreturn void name(void);                                                                                         \
    _Noreturn void name(void)                                                                                          \
    {                                                                                                                  \
        abort();                                                                                                       \
    }
NEVER_CALLED(ucnv_close)
NEVER_CALLED(ucnv_convertEx)
NEVER_CALLED(ucnv_setFromUCallBack)
NEVER_CALLED(ucnv_setToUCallBack)
NEVER_CALLED(UCNV_FROM_U_CALLBACK_STOP)
NEVER_CALLED(UCNV_TO_U_CALLBACK_STOP)
