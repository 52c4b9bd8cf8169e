#include "plugin_new.h"

#include "src/base/text.h"
#include "templates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum status plugin_new(const char *kind, const char *folder)
{
    static const char what[] = "plugin new";
    struct new_files files = {0};
    enum status status;
    if (access(folder, F_OK) == 0) {
        complain("%s: cannot make %s: %s; name another folder", what, folder, strerror(EEXIST));
        return BAD_INPUT;
    }
    char *name = text_made("plugins/%s", kind);
    TRY_DONE(template_add(&files, what, name));
    TRY_DONE(new_files_write(&files, what, folder, false));
    printf("%s: begin with %s/README.md\n", folder, folder);
done:
    new_files_free(&files);
    free(name);
    return status;
}
