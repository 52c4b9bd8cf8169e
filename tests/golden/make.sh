#!/bin/sh
# Turns the run.db of the golden study on a GPU into the lines of a golden file:  make.sh out/run.db > h200.txt
set -eu
sqlite3 "$1" "
    SELECT '# ' || topic || ': ' || name || ': ' || value FROM provenance
     WHERE topic IN ('device', 'build', 'program') AND name <> 'commit' ORDER BY topic, name"
echo "# data seed trial method blocks threads bits"
sqlite3 -separator ' ' "$1" "
    SELECT data, seed, trial, method, blocks, threads, printf('0x%08x', computed_bits) FROM results
     WHERE backend = 'cuda' ORDER BY case_index, launch_index, method_index"
