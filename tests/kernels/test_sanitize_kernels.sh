#!/bin/sh
# sanitize_kernels.sh with programs that stand for compute-sanitizer, the kernels and the planted faults: what it lets
# pass, what it calls a failure, and when it skips.
# shellcheck disable=SC2016 # the programs' own arguments
set -u
sanitize=$(realpath "$(dirname "$0")/sanitize_kernels.sh")
work=$(mktemp -d "${TMPDIR:-/tmp}/ulpscope_sanitize.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

# program NAME LINE...: an executable $work/NAME.
program() {
    name=$1
    shift
    { echo '#!/bin/sh' && printf '%s\n' "$@"; } >"$work/$name"
    chmod +x "$work/$name"
}

# expect CODE LINES TOOL...: exit code, and the number of lines that begin with "ok" or "FAIL".
expect() {
    code=$1
    lines=$2
    shift 2
    COMPUTE_SANITIZER="$work/sanitizer" sh "$sanitize" "$work/kernels" "$work/faults" "$@" >"$work/said" 2>&1
    got=$?
    if [ $got -ne "$code" ] || [ "$(grep -c -E '^(ok|FAIL) ' "$work/said")" -ne "$lines" ]; then
        failures=$((failures + 1))
        echo "FAIL  tools \"$*\": exit $got, expected $code with $lines lines"
        cat "$work/said"
    fi
}

# Called as: sanitizer --tool TOOL --error-exitcode 99 PROGRAM ARGUMENT...
finds_planted='case "$6" in memcheck | racecheck | initcheck | synccheck) [ "$6" = "$2" ] && exit $4 ;; esac'
runs='shift 4; "$@"'
program kernels 'exit 0'
program faults 'exit 0'
program sanitizer "$finds_planted" "$runs"
expect 0 12
expect 0 3 racecheck
expect 0 6 racecheck memcheck

program sanitizer "$runs" # finds nothing
expect 1 12
expect 1 3 synccheck
program sanitizer 'exit $4' # finds something everywhere
expect 1 12
program sanitizer "$finds_planted" 'case "$5" in *kernels) exit $4 ;; esac'
expect 1 3 initcheck
program sanitizer 'exit 1' # fails itself
expect 1 3 memcheck

program sanitizer "$finds_planted" "$runs"
program kernels 'exit 1' # results differ
expect 1 3 memcheck
program kernels 'exit 77' # a skip is no success
expect 1 3 memcheck
program kernels 'exit 0'
program faults 'exit 1'
expect 1 1 memcheck
program faults 'echo "skipped: no GPU"' 'exit 77'
expect 77 0
rm "$work/sanitizer"
expect 77 0
sh "$sanitize" "$work/kernels" >/dev/null 2>&1
[ $? -eq 2 ] || { failures=$((failures + 1)); echo "FAIL  one argument is not refused"; }
echo "$failures failed"
[ $failures -eq 0 ]
