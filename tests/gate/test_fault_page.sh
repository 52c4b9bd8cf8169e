#!/bin/sh
# The tables of docs/faults.md are what tests/gate/fault_table.c prints, every fault has its row, and at least 24 broken sums
# are caught.
#
#   test_fault_page.sh SOURCE_DIRECTORY FAULT_TABLE
set -u
source=$1
program=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/ulpscope_faults.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
say() {
    echo "$1  $2"
    [ "$1" = FAIL ] && failures=$((failures + 1))
    return 0
}

case $(uname -m) in
x86_64) ;;
*)
    echo "skipped: subnormals are flushed in another way than on an x86-64, by hand"
    exit 77
    ;;
esac

if "$program" >"$work/made"; then
    say ok "every broken sum has other bits than the sound one somewhere, and no sound sum is beyond its bound"
else
    say FAIL "a broken sum is never seen, or a sound one is called broken"
fi
sed '1,/^<!-- the line -->$/d' "$source/docs/faults.md" >"$work/kept"
if cmp -s "$work/kept" "$work/made"; then
    say ok "the tables of docs/faults.md are what fault_table prints"
else
    diff "$work/kept" "$work/made" | head -20
    say FAIL "the tables of docs/faults.md are not what fault_table prints; the page says how to make them again"
fi
# The twin: another word is seen.
sed 's/^| drop_last | –/| drop_last | caught/' "$work/kept" >"$work/changed"
if cmp -s "$work/kept" "$work/changed" || cmp -s "$work/changed" "$work/made"; then
    say FAIL "another word is not seen"
else
    say ok "another word is seen"
fi

# Ids of the list of faults, and of the tables after it.
listed=$(sed -n 's/^| \[\([a-z0-9_]*\)\](.*/\1/p' "$work/made" | sort)
shown=$(sed -n '/^### /,$s/^| \([a-z0-9_]*\) | \(caught\|–\) .*/\1/p' "$work/made" | sort -u)
if [ -n "$listed" ] && [ "$listed" = "$shown" ]; then
    say ok "each of $(echo "$listed" | wc -l) faults is in a table"
else
    say FAIL "listed: $listed; in tables: $shown"
fi
if [ "$(echo "$shown" | wc -l)" -lt 24 ]; then
    say FAIL "fewer than 24 faults are shown"
fi

# Every row has its file, every file its row, and the page leads to it.
(cd "$source" && find src/gate/faults kernels/broken -name '*.[ch]') | sort >"$work/files"
sed -n 's/^| \[[a-z0-9_]*\](\.\.\/\([^)]*\)) .*/\1/p' "$work/made" | sort >"$work/rows"
if cmp -s "$work/files" "$work/rows"; then
    say ok "rows and files are the same"
else
    diff "$work/files" "$work/rows"
    say FAIL "rows and files differ"
fi
[ $failures -eq 0 ]
