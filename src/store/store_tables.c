#include "store_tables.h"

/* The columns of results.csv, and before them the place of the row in the study.  No table needs an index beside it,
 * which could say something else. */
const char store_tables[] =
    "CREATE TABLE run(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE provenance(topic TEXT, name TEXT, value TEXT, PRIMARY KEY(topic, name)) WITHOUT ROWID;"
    "CREATE TABLE methods(method_index INTEGER PRIMARY KEY, id TEXT, accumulator TEXT, addition_order TEXT,"
    " accumulator_claim TEXT, order_claim TEXT, determinism INTEGER, slow_above INTEGER, is_black_box INTEGER,"
    " format TEXT, operation TEXT, plugin_flag TEXT, plugin TEXT);"
    "CREATE TABLE launches(launch_index INTEGER PRIMARY KEY, blocks INTEGER, threads INTEGER);"
    "CREATE TABLE entries(entry INTEGER PRIMARY KEY, text TEXT, trials INTEGER, permuted INTEGER);"
    "CREATE TABLE specs(entry INTEGER, spec INTEGER, text TEXT, unordered TEXT, family TEXT, arguments TEXT,"
    " attacked INTEGER,"
    " PRIMARY KEY(entry, spec)) WITHOUT ROWID;"
    "CREATE TABLE speeds(launch_index INTEGER, backend_index INTEGER, method_index INTEGER, n INTEGER, bytes INTEGER,"
    " rounds INTEGER, microseconds REAL, median REAL, PRIMARY KEY(launch_index, backend_index, method_index))"
    " WITHOUT ROWID;"
    "CREATE TABLE variations(entry INTEGER, spec INTEGER, launch_index INTEGER, backend_index INTEGER,"
    " method_index INTEGER, axis TEXT, variants INTEGER, results INTEGER, spread REAL, first TEXT, base INTEGER,"
    " bits INTEGER, why TEXT, PRIMARY KEY(entry, spec, launch_index, backend_index, method_index, axis)) WITHOUT ROWID;"
    "CREATE TABLE cases(case_index INTEGER PRIMARY KEY, is_finished INTEGER, row_count INTEGER, seal BLOB);"
    "CREATE TABLE results("
    " case_index INTEGER, launch_index INTEGER, backend_index INTEGER, method_index INTEGER, repeat INTEGER,"
    " i INTEGER, j INTEGER, entry INTEGER, spec INTEGER, method TEXT, data TEXT, n INTEGER, format TEXT, operation "
    "TEXT, seed INTEGER,"
    " trial INTEGER, backend TEXT, device TEXT, blocks INTEGER, threads INTEGER, computed REAL, computed_bits INTEGER,"
    " exact TEXT, nearest_bits INTEGER,"
#define METRIC(id, summarised, unit, meaning) " " #id " REAL,"
#include "src/measure/metrics.def"
    " condition REAL, bound REAL, class TEXT, height INTEGER, probable_bound REAL, weight INTEGER,"
    " digest TEXT, map TEXT,"
#define METRIC(id, summarised, unit, meaning) " mean_" #id " REAL,"
#include "src/measure/metrics.def"
    " PRIMARY KEY(case_index, launch_index, backend_index, method_index, repeat, i, j)) WITHOUT ROWID;"
    "CREATE TABLE seal(cases INTEGER, seal BLOB);" /* how many cases there are; of all tables but these three */
    "INSERT INTO seal VALUES(0, x'')";

const struct table store_small_tables[SMALL_TABLES] = {
    {"SELECT * FROM run ORDER BY key", "tt"},
    {"SELECT * FROM provenance ORDER BY topic, name", "ttt"},
    {"SELECT * FROM methods ORDER BY method_index", "itttttiiitttt"},
    {"SELECT * FROM launches ORDER BY launch_index", "iii"},
    {"SELECT * FROM entries ORDER BY entry", "itii"},
    {"SELECT * FROM specs ORDER BY entry, spec", "iitttti"},
    {"SELECT * FROM speeds ORDER BY launch_index, backend_index, method_index", "iiiiiirr"},
    {"SELECT * FROM variations ORDER BY entry, spec, launch_index, backend_index, method_index, axis", "iiiiitiintiit"},
};

static const char types_of_results[] = "iiiiiiiiittittiittiinit"
                                       "i"
#define METRIC(id, summarised, unit, meaning) "n"
#include "src/measure/metrics.def"
                                       "nntinitt"
#define METRIC(id, summarised, unit, meaning) "n"
#include "src/measure/metrics.def"
    ;
_Static_assert(sizeof types_of_results == COLUMNS + 1, "a letter for each column");

const struct table store_results = {
    "SELECT * FROM results ORDER BY case_index, launch_index, backend_index, method_index, repeat, i, j",
    types_of_results};
