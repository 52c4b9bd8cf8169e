#!/bin/sh
# docs/matrix.md is what the commands on it print, and docs/generators.md names every family.
#
#   test_matrix_page.sh SOURCE_DIRECTORY PROGRAM
set -u
command -v python3 >/dev/null || exit 77
source=$1
program=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/ulpscope_matrix.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
say() {
    echo "$1  $2"
    [ "$1" = FAIL ] && failures=$((failures + 1))
    return 0
}

# The page without the command of the run, whose words differ: a page and pictures of the run are not made here.
page() {
    grep -v '^    ulpscope run' "$1"
}

arguments=$(sed -n 's/^    ulpscope run \(.*\) -o run$/\1/p' "$source/docs/matrix.md")
[ -n "$arguments" ] || say FAIL "docs/matrix.md names no command"
(
    cd "$work" && mkdir run && eval "\"$program\" run $arguments --csv run/results.csv --json run/run.json" &&
        "$source/tools/matrix" run >made.md
) >"$work/out" 2>&1 || cat "$work/out"
page "$source/docs/matrix.md" >"$work/kept"
page "$work/made.md" >"$work/made" 2>/dev/null
if cmp -s "$work/kept" "$work/made"; then
    say ok "docs/matrix.md is what its commands print"
else
    diff "$work/kept" "$work/made" | head -20
    say FAIL "docs/matrix.md is not what its commands print; run them again"
fi
# The twin: another digit is seen.
sed 's/| swamp | \*\*0/| swamp | **1/' "$work/kept" >"$work/changed"
if cmp -s "$work/kept" "$work/changed" || cmp -s "$work/changed" "$work/made"; then
    say FAIL "another digit is not seen"
else
    say ok "another digit is seen"
fi

# Every accumulator but superacc is defeated.
undefeated=$(sed -n '/^## Who/,$p' "$work/made" | sed -n 's/^| \([a-z0-9_]*\) | none |$/\1/p' | tr '\n' ' ')
if [ "$undefeated" = "superacc " ]; then
    say ok "every accumulator but superacc is defeated"
else
    say FAIL "undefeated: $undefeated"
fi

missing=
for family in $("$program" list generators | sed '/^$/,$d' | cut -d' ' -f1); do
    grep -q -w "$family" "$source/docs/generators.md" || missing="$missing $family"
done
if [ -z "$missing" ]; then
    say ok "docs/generators.md names every family"
else
    say FAIL "docs/generators.md does not name$missing"
fi
[ $failures -eq 0 ]
