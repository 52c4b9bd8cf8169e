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
tests="test_reference test_reference_stops test_opinions test_dot_opinions test_rounding test_exact_text test_bins test_bins_pieces
    test_bins_products test_bins_specials"
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
        printf 'killed    %-17s %-56s%s\n' "$1" "$2" "$killers"
    else
        printf 'SURVIVED  %-17s %s\n' "$1" "$2"
        failures=$((failures + 1))
    fi
}

# ---- bins_of_format.h: the counters ----
mutant bins_of_format.h 'the counter limit is one too high' \
    '#define TERMS_MOST (((uint64_t)1 << (COUNT_BIT - 8 * sizeof(WORD))) - 1)' \
    '#define TERMS_MOST ((uint64_t)1 << (COUNT_BIT - 8 * sizeof(WORD)))'
mutant bins_of_format.h 'terms are forgotten that the counters hold' \
    'bins->held += arriving;' \
    'bins->held = arriving;'
mutant bins_of_format.h 'a block more than the counters hold' \
    'if (bins->held + arriving > most)' \
    'if (bins->held > most)'
mutant bins_of_format.h 'the window stays when counters were folded' \
    'bins->first = NAME(FIELDS) - 1;
    bins->last = 0;' \
    ''
mutant bins_of_format.h 'counters of negative numbers are not cleared' \
    'memset(&banks[b][NAME(FIELDS) + first], 0, (last - first + 1) * sizeof(COUNTER));' \
    ''
mutant bins_of_format.h 'the last counter of the window is not cleared' \
    'memset(&banks[b][first], 0, (last - first + 1) * sizeof(COUNTER));' \
    'memset(&banks[b][first], 0, (last - first) * sizeof(COUNTER));'
mutant bins_of_format.h 'the window does not grow downwards' \
    'NAME(clear)(bins->counters, first, bins->first - 1);
        bins->first = first;' \
    'NAME(clear)(bins->counters, first, bins->first - 1);'
mutant bins_of_format.h 'the window does not grow upwards' \
    'NAME(clear)(bins->counters, bins->last + 1, last);
        bins->last = last;' \
    'NAME(clear)(bins->counters, bins->last + 1, last);'
mutant bins_of_format.h 'a window that grows is cleared' \
    'NAME(clear)(bins->counters, first, bins->first - 1);' \
    'NAME(clear)(bins->counters, first, bins->first);'
mutant bins_of_format.h 'a bank is dropped' \
    'for (size_t b = 0; b < BANKS; b++) {
        words' \
    'for (size_t b = 1; b < BANKS; b++) {
        words'
mutant bins_of_format.h 'the last term of the tail is dropped' \
    'for (size_t b = 0; i < n; i++, b++)' \
    'for (size_t b = 0; i + 1 < n; i++, b++)'
mutant bins_of_format.h 'the tail is dropped' \
    'for (size_t b = 0; i < n; i++, b++)' \
    'for (size_t b = 0; i < n && n < BANKS; i++, b++)'
mutant bins_of_format.h 'subnormals have the hidden bit' \
    'index % NAME(FIELDS) == 0 ? 0 : LEAST_NORMAL' \
    'LEAST_NORMAL'
mutant bins_of_format.h 'numbers of the least field have no hidden bit' \
    'index % NAME(FIELDS) == 0 ? 0 : LEAST_NORMAL' \
    'index % NAME(FIELDS) <= 1 ? 0 : LEAST_NORMAL'
mutant bins_of_format.h 'the fields are not taken away' \
    'words - (COUNTER)(index << FRACTION_BITS) * *terms + (COUNTER)hidden' \
    'words + (COUNTER)hidden'
mutant bins_of_format.h 'a carry of 16 columns is lost' \
    'carry >>= COLUMNS;' \
    'carry = 0;'
mutant bins_of_format.h 'a wrong shift' \
    'carry += value << k;' \
    'carry += value << (k + 1);'
mutant bins_of_format.h 'the columns end before the carries' \
    'column < bins->last || carry > 0;' \
    'column < bins->last;'
mutant bins_of_format.h 'the largest exponent is dropped' \
    'field < bins->first || field > bins->last' \
    'field < bins->first || field >= bins->last'
mutant bins_of_format.h 'the least exponent is dropped' \
    'field < bins->first || field > bins->last' \
    'field <= bins->first || field > bins->last'
mutant bins_of_format.h 'the columns start above a carry of subnormals' \
    'carry > 0 || bins->first > bins->last ? 0 :' \
    'bins->first > bins->last ? 0 :'
mutant bins_of_format.h 'the exponent bias is off by one' \
    '(int)field - 1 + bins->unit' \
    '(int)field + bins->unit'
mutant bins_of_format.h 'zeros have an exponent' \
    'if (terms > 0 && carry > 0)' \
    'if (terms > 0)'
mutant bins_of_format.h 'the sign is lost' \
    'add_limbs(bins->totals[sign], sum' \
    'add_limbs(bins->totals[0], sum'
mutant bins_of_format.h 'negative numbers are not folded' \
    'NAME(fold_sign)(bins, 1);' \
    ''
mutant bins_of_format.h 'special negative numbers pass unseen' \
    '(uint64_t)(banks[b][field] >> COUNT_BIT) + (uint64_t)(banks[b][NAME(FIELDS) + field] >> COUNT_BIT)' \
    '(uint64_t)(banks[b][field] >> COUNT_BIT)'
mutant bins_of_format.h 'every zero is negative' \
    'zeros += x[i] == SIGN;' \
    'zeros += (x[i] & ~SIGN) == 0;'
mutant bins_of_format.h 'the least normal number is subnormal' \
    '< LEAST_NORMAL - 1;' \
    '< LEAST_NORMAL;'
mutant bins_of_format.h 'negative subnormals are not counted' \
    '(WORD)((x[i] & ~SIGN) - 1)' \
    '(WORD)(x[i] - 1)'
mutant bins_of_format.h 'an infinity is a NaN' \
    'bins->nans += (x[i] & ~SIGN) > INFINITE;' \
    'bins->nans += (x[i] & ~SIGN) >= INFINITE;'
mutant bins_of_format.h 'infinities change places' \
    'bins->infinities[0] += x[i] == INFINITE;' \
    'bins->infinities[0] += x[i] == (INFINITE | SIGN);'
mutant bins_of_format.h 'zeros count as subnormal' \
    'if (least > 0)' \
    'if (least >= 0)'
mutant bins_of_format.h 'max_abs of an infinity' \
    'largest = NAME(largest_finite)(x, n);' \
    ''
mutant bins_of_format.h 'max_abs of a NaN' \
    'if (magnitude < INFINITE && magnitude > largest)' \
    'if (magnitude > largest)'
mutant bins_of_format.h 'max_abs of the last block alone' \
    'if ((double)largest > bins->max_abs)' \
    'if ((double)largest != bins->max_abs)'

# ---- bins.c: the integers ----
mutant bins.c 'a carry of an addition is lost' \
    'carry += (wide)sum[i] + term[i];
        sum[i] = (uint64_t)carry;
        carry >>= 64;' \
    'carry += (wide)sum[i] + term[i];
        sum[i] = (uint64_t)carry;
        carry = 0;'
mutant bins.c 'a carry of a product is lost' \
    'product[i] = (uint64_t)carry;
        carry >>= 64;' \
    'product[i] = (uint64_t)carry;
        carry = 0;'
mutant bins.c 'a carry beyond a shifted term is lost' \
    'i < 3 || carry > 0' \
    'i < 3'
mutant bins.c 'the top of a shifted term is lost' \
    'high >> 1 >> (63 - shift)};' \
    '0};'
mutant bins.c 'the largest of a half of the vectors is dropped' \
    'range32_from(highs, 0, 8,' \
    'range32_from(highs, 0, 4,'
mutant bins.c 'the least of a half of the vectors is dropped' \
    'range64_from(lows, 0, 8,' \
    'range64_from(lows, 0, 4,'
mutant bins.c 'the range of the tail is dropped' \
    'range32_from(x, whole, n, least, largest);' \
    ''
mutant bins.c 'a NaN is taken for the largest' \
    'high[k] = _mm_max_ps(magnitude, high[k]);' \
    'high[k] = _mm_max_ps(high[k], magnitude);'
mutant bins.c 'the exponents of an empty part are merged' \
    'if (from->least_exponent <= from->largest_exponent)' \
    'if (1)'
mutant bins.c 'the totals of a worker are not merged' \
    'add_limbs(into->totals[sign], from->totals[sign], into->limbs);' \
    ''
mutant bins.c 'the infinities of a worker are not merged' \
    'into->infinities[sign] += from->infinities[sign];' \
    ''
mutant bins.c 'the NaNs of a worker are not merged' \
    'into->nans += from->nans;' \
    ''
mutant bins.c 'the negative zeros of a worker are not merged' \
    'into->negative_zeros += from->negative_zeros;' \
    ''
mutant bins.c 'the subnormals of a worker are not merged' \
    'into->subnormals += from->subnormals;' \
    ''
mutant bins.c 'max_abs of a worker is not merged' \
    'into->max_abs = fmax(into->max_abs, from->max_abs);' \
    ''
mutant bins.c 'the largest exponent of a worker is not merged' \
    'note_exponents(into, from->largest_exponent);' \
    ''
mutant bins.c 'the infinities of repeated data count once' \
    'bins->infinities[sign] *= times;' \
    ''
mutant bins.c 'the subnormals of repeated data count once' \
    'bins->subnormals *= times;' \
    ''
mutant bins.c 'the NaNs of repeated data count once' \
    'bins->nans *= times;' \
    ''
mutant bins.c 'the negative zeros of repeated data count once' \
    'bins->negative_zeros *= times;' \
    ''
mutant bins.c 'products below the normal numbers are not counted' \
    'bins->subnormals += products[i] != 0 &&' \
    'bins->subnormals += 0 &&'
mutant bins.c 'zero products count as subnormal' \
    'products[i] != 0 && fabs' \
    'fabs'
mutant bins.c 'a product that rounds to the largest is no larger' \
    'bins->max_abs <= fabs(x[i] * y[i])' \
    'bins->max_abs < fabs(x[i] * y[i])'
mutant bins.c 'one limb too few' \
    '(shapes[of].bits + 63) / 64' \
    'shapes[of].bits / 64'
mutant bins.c 'the factors of a product: a subnormal has the hidden bit' \
    'return field == 0 ? fraction : fraction | (uint64_t)1 << 52;' \
    'return fraction | (uint64_t)1 << 52;'
mutant bins.c 'the factors of a product: the shift is one too large' \
    '*shift = field == 0 ? 0 : field - 1;' \
    '*shift = field;'
mutant bins.c 'the product of two negative numbers is negative' \
    '(word_x ^ word_y) >> 63' \
    '(word_x | word_y) >> 63'
mutant bins.c 'max_abs of products is rounded down' \
    '(uint64_t)kept + rest' \
    '(uint64_t)kept + 0 * rest'
mutant bins.c 'the exponent of a product is one too large' \
    '(int)(shift + length_of(product)) - 1 + bins->unit' \
    '(int)(shift + length_of(product)) + bins->unit'

# ---- exact.c ----
mutant exact.c 'the precision lacks the carries' \
    'return format->overflow_exponent - format->least_exponent + ceil_log2(n);' \
    'return format->overflow_exponent - format->least_exponent;'
mutant exact.c 'the precision of products lacks the carries' \
    'return 2 * (format->overflow_exponent - format->least_exponent) + ceil_log2(n);' \
    'return 2 * (format->overflow_exponent - format->least_exponent);'
mutant exact.c 'the ternary value is ignored' \
    'if (mpfr_set_z_2exp(value, integer, unit, MPFR_RNDN) == 0)' \
    'if (mpfr_set_z_2exp(value, integer, unit, MPFR_RNDN) < 2)'
mutant exact.c 'the bits of the negative total are lost' \
    'mpz_sub(result, positive, negative);' \
    'mpz_set(result, positive);'
mutant exact.c 'sum_abs is that of the positive terms' \
    'mpz_add(result, positive, negative);' \
    'mpz_set(result, positive);'
mutant exact.c 'a negative sum is cut to its floor, a limb at a time' \
    'mpz_sub(result, positive, negative);' \
    'mpz_sub(result, positive, negative);
    mpz_fdiv_q_2exp(result, result, 1);
    mpz_mul_2exp(result, result, 1);'
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
mutant exact.c 'parts begin where no part ended' \
    'worker * share + (worker < rest ? worker : rest)' \
    'worker * share'
mutant exact.c 'the last worker leaves out the rest' \
    'share + (worker < rest));' \
    'share);'
mutant exact.c 'a worker is not merged' \
    'for (unsigned w = 1; w < stream->workers; w++)
        bins_merge' \
    'for (unsigned w = 2; w < stream->workers; w++)
        bins_merge'
mutant exact.c 'a worker is not folded' \
    'for (unsigned w = 0; w < stream->workers; w++)
        bins_fold' \
    'for (unsigned w = 0; w + 1 < stream->workers; w++)
        bins_fold'
mutant exact.c 'the rest of the last period is dropped' \
    '(void)add_piece(&stream, x, NULL, n % period);' \
    ''
mutant exact.c 'one period too many' \
    'bins_multiply(stream.bins, n / period);' \
    'bins_multiply(stream.bins, n / period + 1);'
mutant exact.c 'periods that are not folded are not multiplied' \
    'bins_fold(stream.bins);
        bins_multiply' \
    'bins_multiply'

# ---- per_term.c: what a user verifies with ----
mutant per_term.c 'the ternary value of the sum is ignored' \
    'if (mpfr_add(exact->sum, exact->sum, term, MPFR_RNDN) != 0)' \
    'if (mpfr_add(exact->sum, exact->sum, term, MPFR_RNDN) > 2)'
mutant per_term.c 'the ternary value of sum_abs is ignored' \
    'mpfr_add(exact->sum_abs, exact->sum_abs, term, MPFR_RNDN) != 0)' \
    'mpfr_add(exact->sum_abs, exact->sum_abs, term, MPFR_RNDN) > 2)'
mutant per_term.c 'sum_abs is the sum' \
    'mpfr_abs(term, term, MPFR_RNDN) != 0 || ' \
    ''
mutant per_term.c 'terms are not counted' \
    'i++, exact->n++' \
    'i++'
mutant per_term.c 'a difference of the sums is none' \
    'TRY(same_numbers("the sum", bins->sum, per_term->sum));' \
    ''

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
    'if (negative)' \
    'if (0)'
mutant fixed.c 'ties go away from zero' \
    'if (!mpz_tstbit(magnitude, shift))' \
    'if (0)'
mutant fixed.c 'infinity is not reached' \
    'bits < infinity ? bits : infinity' \
    'bits'

# ---- the twin: a mutant that changes nothing is called a survivor ----
if try exact.c 'no fault' 'complain("the exact reference rounded' 'complain("" "the exact reference rounded' &&
    [ -z "$killers" ]; then
    echo "ok    a mutant without a fault survives"
else
    fail "a mutant without a fault is killed by$killers"
fi

echo "$mutants mutants, $failures failures"
[ $failures -eq 0 ]
