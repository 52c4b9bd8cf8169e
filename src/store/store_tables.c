#include "store_tables.h"

/* No table needs an index beside it, which could say something else. */
const char store_tables[] =
    "CREATE TABLE run(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;CREATE TABLE provenance(topic TEXT, "
    "name TEXT, value TEXT, PRIMARY KEY(topic, name)) WITHOUT ROWID;CREATE TABLE methods(method_index INTEGER PRIMARY "
    "KEY, id TEXT, accumulator TEXT, addition_order TEXT, accumulator_claim TEXT, order_claim TEXT, determinism "
    "INTEGER, slow_above INTEGER, is_black_box INTEGER, format TEXT, operation TEXT, plugin_flag TEXT, plugin "
    "TEXT);CREATE TABLE launches(launch_index INTEGER PRIMARY KEY, blocks INTEGER, threads INTEGER);CREATE TABLE "
    "entries(entry INTEGER PRIMARY KEY, text TEXT, trials INTEGER, permuted INTEGER);CREATE TABLE specs(entry INTEGER, "
    "spec INTEGER, text TEXT, unordered TEXT, family TEXT, arguments TEXT, attacked INTEGER, PRIMARY KEY(entry, spec)) "
    "WITHOUT ROWID;CREATE TABLE speeds(launch_index INTEGER, backend_index INTEGER, method_index INTEGER, n INTEGER, "
    "bytes INTEGER, rounds INTEGER, microseconds REAL, median REAL, PRIMARY KEY(launch_index, backend_index, "
    "method_index)) WITHOUT ROWID;CREATE TABLE variations(entry INTEGER, spec INTEGER, launch_index INTEGER, "
    "backend_index INTEGER, method_index INTEGER, axis TEXT, variants INTEGER, results INTEGER, spread REAL, first "
    "TEXT, base INTEGER, bits INTEGER, why TEXT, PRIMARY KEY(entry, spec, launch_index, backend_index, method_index, "
    "axis)) WITHOUT ROWID;CREATE TABLE backends(backend_index INTEGER PRIMARY KEY, id TEXT, device TEXT);CREATE TABLE "
    "classes(class INTEGER PRIMARY KEY, name TEXT);CREATE TABLE cases(case_index INTEGER PRIMARY KEY, entry INTEGER, "
    "spec INTEGER, trial INTEGER, n INTEGER, exact TEXT, condition REAL, is_finished INTEGER, row_count INTEGER, seal "
    "BLOB);CREATE TABLE measured(id INTEGER PRIMARY KEY, launch_index INTEGER, backend_index INTEGER, method_index "
    "INTEGER, repeat INTEGER, weight INTEGER, computed REAL, computed_bits INTEGER, nearest_bits INTEGER,"
#define METRIC(id, summarised, unit, meaning) " " #id " REAL,"
#include "src/measure/metrics.def"
    " bound REAL, probable_bound REAL, height INTEGER, class INTEGER);CREATE TABLE elements(id INTEGER PRIMARY KEY, i "
    "INTEGER, j INTEGER, exact TEXT, condition REAL, digest TEXT, map TEXT"
#define METRIC(id, summarised, unit, meaning) ", mean_" #id " REAL"
#include "src/measure/metrics.def"
    ");"
    /* CROSS JOIN: case by case, each a range of ids */
    "CREATE VIEW results AS SELECT case_index, launch_index, backend_index, method_index, repeat, coalesce(i, 0) AS i, "
    "coalesce(j, 0) AS j, c.entry AS entry, c.spec AS spec, m.id AS method, s.text AS data, n, format, operation, "
    "CAST((SELECT value FROM run WHERE key = 'seed') AS INTEGER) AS seed, trial, b.id AS backend, device, blocks, "
    "threads, computed, computed_bits, coalesce(e.exact, c.exact) AS exact, nearest_bits,"
#define METRIC(id, summarised, unit, meaning) " " #id ","
#include "src/measure/metrics.def"
    " CASE WHEN e.exact IS NULL THEN c.condition ELSE e.condition END AS condition, bound, k.name AS class, height, "
    "probable_bound, weight, coalesce(digest, '') AS digest, coalesce(map, '') AS map"
#define METRIC(id, summarised, unit, meaning) ", mean_" #id
#include "src/measure/metrics.def"
    " FROM cases c CROSS JOIN measured r ON r.id BETWEEN case_index << 24 AND (case_index << 24) + 16777215 LEFT JOIN "
    "elements e ON e.id = r.id JOIN specs s USING (entry, spec) JOIN methods m USING (method_index) JOIN launches "
    "USING (launch_index) JOIN backends b USING (backend_index) JOIN classes k USING (class);CREATE TABLE seal(cases "
    "INTEGER, seal BLOB);" /* how many cases there are; of the small tables */
    "INSERT INTO seal VALUES(0, x'')";

const struct table store_small_tables[SMALL_TABLES] = {
    {"SELECT * FROM run ORDER BY key", "tt"},
    {"SELECT * FROM provenance ORDER BY topic, name", "ttt"},
    {"SELECT * FROM methods ORDER BY method_index", "itttttiiitttt"},
    {"SELECT * FROM launches ORDER BY launch_index", "iii"},
    {"SELECT * FROM entries ORDER BY entry", "itii"},
    {"SELECT * FROM specs ORDER BY entry, spec", "iitttti"},
    {"SELECT * FROM speeds ORDER BY launch_index, backend_index, method_index", "iiiiiirr"},
    {"SELECT * FROM backends ORDER BY backend_index", "itt"},
    {"SELECT * FROM classes ORDER BY class", "it"},
    {"SELECT * FROM variations ORDER BY entry, spec, launch_index, backend_index, method_index, axis", "iiiiitiintiit"},
};

static const char types_of_rows[] = "iiiiiinii"
#define METRIC(id, summarised, unit, meaning) "n"
#include "src/measure/metrics.def"
                                    "nnii";
_Static_assert(sizeof types_of_rows == COLUMNS + 1, "a letter for each column");
_Static_assert(POSITION_BITS == 24, "as the view has it");

static const char types_of_elements[] = "iiimnmm"
#define METRIC(id, summarised, unit, meaning) "n"
#include "src/measure/metrics.def"
    ;
_Static_assert(sizeof types_of_elements == ELEMENT_COLUMNS + 1, "a letter for each column");

const struct table store_cases = {"SELECT * FROM cases ORDER BY case_index", "iiiiitnii"};
const struct table store_measured = {"SELECT * FROM measured ORDER BY id", types_of_rows};
const struct table store_elements = {"SELECT * FROM elements ORDER BY id", types_of_elements};
