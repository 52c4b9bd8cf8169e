#!/bin/sh
# Runs every kernel under the tools of compute-sanitizer, which must find nothing, and the planted fault of each tool,
# which it must find.
#
#   sanitize_kernels.sh GOLDEN_BITS PLANTED_FAULTS [TOOL ...]     memcheck racecheck initcheck synccheck
#
# A line for each run.  Exit 0; 1: something was found in the kernels, or a planted fault was not; 2: usage; 77: there is
# no GPU or no compute-sanitizer.  COMPUTE_SANITIZER names one that is not on PATH.
set -u
found=99 # what compute-sanitizer exits with when it finds something: no exit code of the programs
sanitizer=${COMPUTE_SANITIZER:-compute-sanitizer}

[ $# -ge 2 ] || { echo "usage: sanitize_kernels.sh GOLDEN_BITS PLANTED_FAULTS [TOOL ...]"; exit 2; }
golden_bits=$1
planted_faults=$2
shift 2
[ $# -gt 0 ] || set -- memcheck racecheck initcheck synccheck

command -v "$sanitizer" >/dev/null || { echo "skipped: no $sanitizer, which comes with the CUDA toolkit"; exit 77; }
said=$("$planted_faults" none)
code=$?
[ $code -ne 77 ] || { echo "$said"; exit 77; }
[ $code -eq 0 ] || { echo "FAIL  planted_faults none: exit $code: $said"; exit 1; }

log=$(mktemp "${TMPDIR:-/tmp}/ulpscope_sanitize.XXXXXX") || exit 1
trap 'rm -f "$log"' EXIT
failures=0

# expect CODE WHAT TOOL COMMAND...: runs the command under the tool.
expect() {
    expected=$1
    what=$2
    tool=$3
    shift 3
    "$sanitizer" --tool "$tool" --error-exitcode $found "$@" >"$log" 2>&1
    got=$?
    if [ $got -eq "$expected" ]; then
        echo "ok    $tool: $what"
    else
        failures=$((failures + 1))
        echo "FAIL  $tool: $what: exit $got, expected $expected; the beginning and the end of what it said:"
        head -n 40 "$log"
        echo "..."
        tail -n 5 "$log"
    fi
}

for tool; do
    expect $found "finds the planted fault" "$tool" "$planted_faults" "$tool"
    expect 0 "finds nothing where the fault is mended" "$tool" "$planted_faults" none
    expect 0 "finds nothing in every kernel" "$tool" "$golden_bits" --device cuda:0 --each-kernel
done
[ $failures -eq 0 ]
