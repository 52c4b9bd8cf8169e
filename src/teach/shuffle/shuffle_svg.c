/* The pictures as files: FILE.svg, or FOLDER/shuffle.svg and one per method beside it. */
#include "shuffle_chart.h"

#include "reports/chart/chart_svg.h"
#include "src/base/text.h"
#include "src/files/folder_lock.h"

#include <stdint.h>
#include <string.h>

/* `folder` NULL: `path` is the file's; else the chart's name in that folder. */
static enum status draw(const struct shuffled *shuffled, size_t method, const char *path, const char *folder)
{
    FREED_BY(chart_free) struct chart chart = {0};
    shuffle_chart(shuffled, method, &chart);
    OWNED char *in_folder = folder ? text_made("%s/%s.svg", folder, chart.name) : NULL;
    return chart_svg_write(&chart, folder ? in_folder : path);
}

bool shuffled_svg_is_file(const char *path)
{
    const size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".svg") == 0;
}

enum status shuffled_write_svg(const struct shuffled *shuffled, const char *path)
{
    if (shuffled->exact.kind != EXACT_FINITE)
        return bad_input("--svg %s: the exact sum is not finite, so that no sum has an error; expected finite data; "
                         "leave --svg out, or leave such numbers out with --nonfinite skip",
                         path);
    if (shuffled_svg_is_file(path))
        return draw(shuffled, SIZE_MAX, path, NULL);
    struct folder_lock lock;
    TRY(folder_lock_take(&lock, path));
    enum status status = draw(shuffled, SIZE_MAX, NULL, path);
    for (size_t m = 0; m < shuffled->request->method_count && status == OK; m++)
        status = draw(shuffled, m, NULL, path);
    folder_lock_release(&lock);
    return status;
}
