#include "open_run.h"

enum status opened_run(const char *path, struct store **store, struct results *results)
{
    *store = NULL;
    *results = (struct results){0};
    TRY(store_open_to_read(path, store));
    TRY(results_load(*store, results));
    if (results->series_count > 0)
        return OK;
    if (shard_is_part(results->study.shard)) {
        char shard[SHARD_TEXT];
        shard_text(results->study.shard, shard);
        return bad_input("%s: is shard %s, which holds no sum; expected one that does; `ulpscope merge` takes it", path,
                         shard);
    }
    return bad_input("%s: holds no sum; expected a run that measured something; run the study again", path);
}
