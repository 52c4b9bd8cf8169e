#!/bin/sh
# Mutants of the reference: one fault at a time in a copy of the sources, each to be killed by a short test.  A fault that
# no test sees is a test that is missing.
#
#   mutate_reference.sh SOURCE_DIRECTORY [WORD]     WORD: only the mutants whose line of output has it
#
#   killed    exact.c     a ternary value ignored                  test_reference
#   SURVIVED  bins.c      a carry is lost
#
# A mutant that does not compile, or whose text is not found exactly once, is a failure of this script: mend its row.
set -u
source=$(realpath "$1")
wanted=${2-}
tests="test_reference test_opinions test_rounding test_bins"
limit=120 # seconds: a loop that never ends is killed, too
work=$(mktemp -d "${TMPDIR:-/tmp}/ulpscope_mutants.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failures=0
mutants=0

fail() {
    echo "FAIL  $*"
    failures=$((failures + 1))
}

# ---- a copy, built once ----
mkdir "$work/tree"
for part in CMakeLists.txt cmake datasets kernels reference reports src tests; do
    cp -R "$source/$part" "$work/tree"
done

build() {
    # shellcheck disable=SC2086 # a list of targets
    cmake --build "$work/build" --target $tests >"$work/built" 2>&1
}

if ! cmake -S "$work/tree" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DULPSCOPE_CUDA=OFF \
    >"$work/built" 2>&1 || ! build; then
    cat "$work/built"
    echo "FAIL  the sources do not build"
    exit 1
fi

# Runs all tests at once; prints those that fail.
run_tests() {
    for test in $tests; do
        {
            timeout "$limit" "$work/build/tests/$test" >"$work/$test.said" 2>&1
            echo $? >"$work/$test.status"
        } &
    done
    wait
    for test in $tests; do
        [ "$(cat "$work/$test.status")" -eq 0 ] || printf ' %s' "$test"
    done
}

killers=$(run_tests)
if [ -n "$killers" ]; then
    echo "FAIL  the tests fail without any mutant:$killers"
    exit 1
fi

# replace FILE TEXT REPLACEMENT: in FILE, where TEXT stands exactly once.
replace() {
    TEXT=$2 REPLACEMENT=$3 awk '
        { whole = whole $0 "\n" }
        END {
            text = ENVIRON["TEXT"]
            at = index(whole, text)
            rest = substr(whole, at + 1)
            if (at == 0 || index(rest, text) > 0)
                exit 1
            printf "%s%s%s", substr(whole, 1, at - 1), ENVIRON["REPLACEMENT"], substr(whole, at + length(text))
        }' "$1" >"$work/mutant" && cp "$work/mutant" "$1"
}

# try FILE NAME TEXT REPLACEMENT: killers are the tests that see it; false where it cannot be tried.
try() {
    cp "$work/tree/reference/$1" "$work/kept"
    tried=0
    if ! replace "$work/tree/reference/$1" "$3" "$4"; then
        fail "$1: $2: its text does not stand there exactly once"
    elif ! build; then
        grep -m 3 'error' "$work/built"
        fail "$1: $2: does not compile"
    else
        killers=$(run_tests)
        tried=1
    fi
    cp "$work/kept" "$work/tree/reference/$1"
    [ $tried -eq 1 ]
}

# mutant FILE NAME TEXT REPLACEMENT: one row of the table.
mutant() {
    case "$1 $2" in *"$wanted"*) ;; *) return ;; esac
    mutants=$((mutants + 1))
    try "$@" || return
    if [ -n "$killers" ]; then
        printf 'killed    %-11s %-56s%s\n' "$1" "$2" "$killers"
    else
        printf 'SURVIVED  %-11s %s\n' "$1" "$2"
        failures=$((failures + 1))
    fi
}

# ---- exact.c ----
mutant exact.c 'the precision lacks the carries' \
    'overflow_exponent - format->least_exponent + carries' \
    'overflow_exponent - format->least_exponent'
mutant exact.c 'a NaN is not counted' \
    'exact->nans++' \
    'exact->nans += 0'
mutant exact.c 'infinities change places' \
    'isinf(x) && x > 0' \
    'isinf(x) && x < 0'
mutant exact.c 'every zero is negative' \
    'term == 0 && signbit(term)' \
    'term == 0'
mutant exact.c 'the least normal number is subnormal' \
    'fabs(term) < least_normal;' \
    'fabs(term) <= least_normal;'
mutant exact.c 'the ternary value of the sum is ignored' \
    'if (mpfr_add_d(exact->sum, exact->sum, term, MPFR_RNDN) != 0)' \
    'if (mpfr_add_d(exact->sum, exact->sum, term, MPFR_RNDN) > 2)'
mutant exact.c 'opposite infinities are an infinity' \
    'exact->nans > 0 || both' \
    'exact->nans > 0 + 0 * both'
mutant exact.c 'the sign of an infinite sum is lost' \
    'mpfr_set_inf(exact->sum, exact->positive_infinities > 0 ? 1 : -1)' \
    'mpfr_set_inf(exact->sum, 1)'
mutant exact.c 'a sum of negative zeros is +0' \
    'all_negative ? -1 : 1' \
    'all_negative ? 1 : 1'
mutant exact.c 'the empty sum is -0' \
    'exact->n > 0 && exact->negative_zeros' \
    'exact->negative_zeros'
mutant exact.c 'the condition of zeros alone is infinite' \
    'mpfr_zero_p(exact->sum_abs) ? 1 : INFINITY' \
    'INFINITY'
mutant exact.c 'the condition is rounded down' \
    'mpfr_div(quotient, exact->sum_abs, exact->sum, MPFR_RNDN)' \
    'mpfr_div(quotient, exact->sum_abs, exact->sum, MPFR_RNDZ)'
mutant exact.c 'the sign of the condition' \
    'fabs(mpfr_get_d(quotient, MPFR_RNDN))' \
    'mpfr_get_d(quotient, MPFR_RNDN)'
mutant exact.c 'a bound is rounded to nearest' \
    'mpfr_get_d(exact->sum, MPFR_RNDA)' \
    'mpfr_get_d(exact->sum, MPFR_RNDN)'
mutant exact.c 'sum_abs is rounded down' \
    'mpfr_get_d(exact->sum_abs, MPFR_RNDU)' \
    'mpfr_get_d(exact->sum_abs, MPFR_RNDD)'

# ---- rounding.c ----
mutant rounding.c 'a subnormal keeps all bits of a normal number' \
    'return above_least < format->precision ? above_least : format->precision;' \
    'return above_least < 1 ? above_least : format->precision;'
mutant rounding.c 'a subnormal keeps one bit too few' \
    'return above_least < format->precision ? above_least :' \
    'return above_least < format->precision ? above_least - 1 :'
mutant rounding.c 'half the least subnormal is a tie to odd' \
    'format->least_exponent - 1) > 0' \
    'format->least_exponent - 1) >= 0'
mutant rounding.c 'the sign of what rounds to zero is lost' \
    'return copysign(above_half ? ldexp(1, format->least_exponent) : 0, sign);' \
    'return above_half ? copysign(ldexp(1, format->least_exponent), sign) : 0;'
mutant rounding.c 'through binary64' \
    'mpfr_set(rounded, value, MPFR_RNDN)' \
    'mpfr_set_d(rounded, mpfr_get_d(value, MPFR_RNDN), MPFR_RNDN)'
mutant rounding.c 'the sticky bit is dropped' \
    'mpfr_set(rounded, value, MPFR_RNDN);' \
    'mpfr_t cut;
    mpfr_init2(cut, bits + 1);
    mpfr_set(cut, value, MPFR_RNDZ);
    mpfr_set(rounded, cut, MPFR_RNDN);
    mpfr_clear(cut);'
mutant rounding.c 'ties go away from zero' \
    'mpfr_set(rounded, value, MPFR_RNDN);' \
    'mpfr_t cut;
    mpfr_init2(cut, bits + 1);
    mpfr_set(cut, value, MPFR_RNDZ);
    mpfr_set(rounded, cut, MPFR_RNDA);
    mpfr_clear(cut);'
mutant rounding.c 'truncated' \
    'mpfr_set(rounded, value, MPFR_RNDN)' \
    'mpfr_set(rounded, value, MPFR_RNDZ)'
mutant rounding.c 'negative numbers are rounded down' \
    'mpfr_set(rounded, value, MPFR_RNDN)' \
    'mpfr_set(rounded, value, mpfr_sgn(value) < 0 ? MPFR_RNDD : MPFR_RNDN)'
mutant rounding.c 'overflow from the last binade on' \
    'mpfr_get_exp(rounded) > format->overflow_exponent' \
    'mpfr_get_exp(rounded) >= format->overflow_exponent'
mutant rounding.c 'overflow one binade too late' \
    'mpfr_get_exp(rounded) > format->overflow_exponent' \
    'mpfr_get_exp(rounded) > format->overflow_exponent + 1'
mutant rounding.c 'overflow before the rounding' \
    'mpfr_get_exp(rounded) > format->overflow_exponent' \
    'mpfr_get_exp(value) > format->overflow_exponent'
mutant rounding.c 'the sign of an overflow is lost' \
    'return copysign(INFINITY, mpfr_sgn(value))' \
    'return INFINITY'
mutant rounding.c 'ulp is one binade too large' \
    'mpfr_get_exp(value) - format->precision;' \
    'mpfr_get_exp(value) - format->precision + 1;'
mutant rounding.c 'ulp of a subnormal has no floor' \
    'last_bit > format->least_exponent ? (int)last_bit : format->least_exponent' \
    '(int)last_bit'
mutant rounding.c 'hex of another exponent' \
    'exponent = mpfr_get_exp(value) - 1;' \
    'exponent = mpfr_get_exp(value);'
mutant rounding.c 'decimal of one digit more' \
    '"%.*Re", digits - 1,' \
    '"%.*Re", digits,'

# ---- fixed.c: an opinion with a fault is found as well ----
mutant fixed.c 'a subnormal has the hidden bit' \
    'return field == 0 ? (struct decoded){fraction, 0,' \
    'return field == 0 ? (struct decoded){fraction | hidden, 0,'
mutant fixed.c 'the shift is one too large' \
    '(struct decoded){fraction | hidden, field - 1,' \
    '(struct decoded){fraction | hidden, field,'
mutant fixed.c 'the sign is lost' \
    'if (number.negative)' \
    'if (0)'
mutant fixed.c 'ties go away from zero' \
    'if (!mpz_tstbit(magnitude, shift))' \
    'if (0)'
mutant fixed.c 'infinity is not reached' \
    'bits < infinity ? bits : infinity' \
    'bits'

# ---- the twin: a mutant that changes nothing is called a survivor ----
if try exact.c 'no fault' 'complain("the exact reference rounded while adding' 'complain("" "the exact reference rounded while adding' &&
    [ -z "$killers" ]; then
    echo "ok    a mutant without a fault survives"
else
    fail "a mutant without a fault is killed by$killers"
fi

echo "$mutants mutants, $failures failures"
[ $failures -eq 0 ]
