#!/bin/sh
# A repository with a study, limits and a baseline (tests/gate_example), as CI sees it: the sound program passes; the one
# whose kahan_two_sum does not keep its corrections is caught and named; repaired, it passes again.
#
#   test_gate_example.sh ULPSCOPE ULPSCOPE_REGRESSED
set -u
ulpscope=$1
regressed=$2
example=$(dirname "$0")/../gate_example
work=$(mktemp -d "${TMPDIR:-/tmp}/ulpscope_gate.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cp -R "$example" "$work/repository" && cd "$work/repository" || exit 1
failures=0
limits=limits.yaml
baseline="--baseline main"

# measure PROGRAM: a run in out/.  A sum above its bound makes it exit 1, and is reported all the same.
measure() {
    rm -rf out
    "$1" -q run study.yaml -o out --speed 0 --device host >../run.out 2>&1
    [ $? -le 1 ]
}

# check EXIT PROGRAM [ARGUMENT...]: what a check exits with; its words are in ../check.out
check() {
    expected=$1
    program=$2
    shift 2
    # shellcheck disable=SC2086 # without a baseline there is no such argument
    "$program" check out --limits "$limits" $baseline --today 2026-11-21 "$@" >../check.out 2>&1
    code=$?
    if [ $code -eq "$expected" ]; then
        echo "ok    exit $code"
    else
        echo "FAIL  exit $code, expected $expected:"
        cat ../check.out
        failures=$((failures + 1))
    fi
}

# update EXIT PROGRAM [ARGUMENT...]: likewise of `baseline save --update`
update() {
    expected=$1
    program=$2
    shift 2
    "$program" baseline save main out --update "$@" >../check.out 2>&1
    code=$?
    if [ $code -eq "$expected" ]; then
        echo "ok    exit $code"
    else
        echo "FAIL  exit $code, expected $expected:"
        cat ../check.out
        failures=$((failures + 1))
    fi
}

# says WORDS: the check said so
says() {
    if grep -qF -- "$1" ../check.out; then
        echo "ok    says: $1"
    else
        echo "FAIL  does not say \"$1\":"
        cat ../check.out
        failures=$((failures + 1))
    fi
}

says_not() {
    if grep -qF -- "$1" ../check.out; then
        echo "FAIL  says \"$1\":"
        cat ../check.out
        failures=$((failures + 1))
    else
        echo "ok    does not say: $1"
    fi
}

echo "-- sound"
measure "$ulpscope" || failures=$((failures + 1))
check 0 "$ulpscope"
says "30 ok"

"$ulpscope" baseline save sound out >../check.out 2>&1
says_not "was saved all the same"

echo "-- regressed: kahan_two_sum computes its corrections and does not keep them"
measure "$regressed" || failures=$((failures + 1))
"$regressed" baseline save broken out >../check.out 2>&1
says "was saved all the same"
check 1 "$ulpscope"
says "FAIL  limits.yaml"
says "bit for bit plain/serial"
says "the compensation has no effect"
says "the error of an addition is not kept"
says "rerun: ulpscope run -m kahan_two_sum/serial"
check 1 "$regressed" # whoever builds the program anew has the fault in the replays that it diagnoses with
says "bit for bit plain/serial"

echo "-- repaired"
measure "$ulpscope" || failures=$((failures + 1))
check 0 "$ulpscope"

echo "-- a regression does not become the baseline"
measure "$regressed" || failures=$((failures + 1))
CI=true update 2 "$ulpscope"
CI='' update 2 "$ulpscope"
says "--accept-worse"
CI='' update 0 "$ulpscope" --accept-worse
check 1 "$ulpscope" # its errors are above their bounds still
measure "$ulpscope" || failures=$((failures + 1))
CI='' check 1 "$ulpscope"
says "bits: not those of the baseline"
CI='' update 0 "$ulpscope"
check 0 "$ulpscope"

exit $((failures > 0))
