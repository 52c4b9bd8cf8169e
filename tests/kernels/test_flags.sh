#!/bin/sh
# Flags that change the rounding are refused, by the guard in src/base/fp.h or by the canary at the start; a library
# that sets FTZ and DAZ for the process is found and named.
#
#   test_flags.sh BUILD_DIRECTORY PROGRAM      BUILD_DIRECTORY has a compile_commands.json
#
# The canary and its methods are compiled as the build compiles them, without its own floating-point flags and with those
# to be refused.  Exit 77 where there is no C compiler.
set -u
build=$1
program=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/ulpscope_flags.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
checks=0

fail() {
    echo "FAIL  $*"
    failures=$((failures + 1))
}

compilers=
for compiler in gcc clang; do
    if echo 'int main(void) { return 0; }' | "$compiler" -x c - -o "$work/probe" 2>"$work/errors" && "$work/probe"; then
        compilers="$compilers $compiler"
    else
        echo "skip  $compiler: not here, or it links no program"
    fi
done
if [ -z "$compilers" ]; then
    echo "skipped: there is no C compiler"
    exit 77
fi

# ---- the sources, with those rows of the tables that the canary adds with; more rows are more of the same ----
source=$(sed -n 's/^ *"file": "\(.*\)\/kernels\/verbs\.c",*$/\1/p' "$build/compile_commands.json" | head -n 1)
mkdir "$work/tree"
cp -r "$source/kernels" "$source/src" "$work/tree"
used=$(grep -o '"[a-z0-9_]*/[a-z0-9_]*"' "$source/src/measure/canary.c" | tr -d '"')
accumulators=$(echo "$used" | sed 's:/.*::' | sort -u)
orders=$(echo "$used" | sed 's:.*/::' | sort -u)
# keep FILE MACRO IDS: the rows of a table, which may be of several lines.
keep() {
    awk -v macro="$2" -v ids=" $(echo "$3" | tr '\n' ' ')" '
        index($0, macro "(") == 1 { split(substr($0, length(macro) + 2), id, ","); kept = index(ids, " " id[1] " ") > 0 }
        kept { print }' "$source/$1" >"$work/tree/$1"
}
keep kernels/accumulators.def ACCUMULATOR "$accumulators"
keep kernels/orders.def ORDER "$orders"
keep kernels/matmul_accumulators.def MATMUL_ACCUMULATOR ""

# ---- the commands of the rooms, one per line, since tests compile some once more: arguments without the compiler, the output and the flags for rounding; and
# without -O0, as what is not optimised is not contracted and would be found harmless, which it is ----
sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$build/compile_commands.json" | sed 's/\\\(.\)/\1/g' |
    grep -E -e '-o CMakeFiles/((methods|rows|black_boxes)_[a-z0-9_]*|kernels|base|measure)\.dir/' |
    grep -E -e '-c [^ ]*/(kernels/(verbs|replay|compiled|black_boxes|tape|method|matmul|matmul_replay|fused|fused_replay|scan|statistic|statistic_bound|softmax_bound|operations|sum_format)|src/(measure/canary|base/(status|clean_text|workers|mode|memory|unfinished|format)))\.c$' |
    sed -e 's/^[^ ]*//' -e 's/ -o [^ ]* -c / -c /' -e 's/ -W[^ ]*//g' -e 's/ -f[^ ]*//g' -e 's/ -O0//g' \
        -e 's/ -DULPSCOPE_CUDA//' -e "s: -I$source : -I$work/tree :" -e "s: -c $source/: -c $work/tree/:" >"$work/commands"
adds='-DFORMAT=binary32 .*-DOPERATION_ID=sum .*/verbs\.c$' # what the canary's sums are made of, and what reads and tells them:
reads='/(canary|format|method|sum_format)\.c$'
for accumulator in $accumulators; do
    grep -- "-DACC=$accumulator .*/verbs\.c$" "$work/commands"
done >"$work/all"
grep -e "$adds" "$work/all" >"$work/methods"
grep -E -e "$reads" "$work/commands" >"$work/rest"
# All else, which the program is linked with, does the same with any flags.
{ grep -v -e "$adds" "$work/all" | sed 's/ -D/ -DABSENT="\\"unused\\"" -D/'; grep -E -v -e "/verbs\.c$|$reads" "$work/commands"; } >"$work/same"
compiled_operations=$((1 + $(grep -c '^OPERATION(.* OWN,' "$source/kernels/operations.def")))
in_8_bits=$((2 * $(echo "$accumulators" | grep -cx plain))) # sums alone, of plain
if [ "$(wc -l <"$work/all")" -ne $((4 * compiled_operations * $(echo "$accumulators" | wc -l) + in_8_bits)) ] || [ -z "$used" ] ||
    [ "$(wc -l <"$work/methods")" -ne "$(echo "$accumulators" | wc -l)" ] || ! grep -q 'canary\.c$' "$work/rest"; then
    echo "FAIL  compile_commands.json names neither the canary's methods nor the canary"
    exit 1
fi
cat >"$work/main.c" <<'END'
enum { OK };
int canary_check(void);
int main(void)
{
    return canary_check() == OK ? 0 : 3;
}
END

# compile COMPILER methods|rest|same FLAGS...: the messages go to $work/errors.
compile() {
    with=$1
    which=$2
    shift 2
    number=0
    while read -r arguments; do
        number=$((number + 1))
        eval "\"\$with\" -O2 -w $arguments \"\$@\" -o \"\$objects/$which$number.o\"" 2>>"$work/errors" || return 1
    done <"$work/$which"
}

# verdict COMPILER FLAGS...: prints guard, canary, "compiler" (it refuses the flags itself), or "passed".
# $others: the flags of what is not compiled with FLAGS, when that is the methods alone.
verdict() {
    with=$1
    shift
    objects=$work
    rm -f "$work"/*.o "$work/x"
    : >"$work/errors"
    if ! "$with" "$@" -Werror -x c -c /dev/null -o "$work/0.o" 2>>"$work/errors"; then
        echo compiler
        return
    fi
    rm -f "$work/0.o"
    if ! compile "$with" methods "$@"; then
        if grep -q 'ulpscope measures rounding\|ulpscope needs float' "$work/errors"; then
            echo guard
        else
            echo broken
        fi
        return
    fi
    if [ -n "${others-}" ]; then
        set -- "$others"
    fi
    if ! compile "$with" rest "$@" ||
        ! "$with" "$@" "$work/main.c" "$work"/*.o "$work/linked"/*.o -lm -lpthread -o "$work/x" 2>>"$work/errors"; then
        echo broken
        return
    fi
    "$work/x" 2>>"$work/errors"
    case $? in
    0) echo passed ;;
    3) if grep -q 'canary: ' "$work/errors"; then echo canary; else echo broken; fi ;;
    *) echo broken ;;
    esac
}

expect() {
    expected=$1
    shift
    got=$(verdict "$@")
    checks=$((checks + 1))
    case "$expected $got" in
    "refused guard" | "refused compiler" | "passed passed" | "passed compiler")
        echo "ok    $*: $got"
        ;;
    "refused canary")
        echo "ok    $*: canary ($(sed -n 's/^ulpscope: canary: \([^:]*\):.*/\1/p' "$work/errors" | paste -s -d ,))"
        ;;
    *)
        fail "$*: $got, expected $expected"
        cat "$work/errors"
        ;;
    esac
}

has_fma=no
if grep -q -w fma /proc/cpuinfo 2>/dev/null; then
    has_fma=yes
fi

# One compiler's objects serve both: no flags change what they do.
objects=$work/linked
mkdir "$objects"
# shellcheck disable=SC2086 # a list of words
set -- $compilers
compile "$1" same -ffp-contract=off -O0 || { fail "$1: what is linked with all"; cat "$work/errors"; }
for compiler in $compilers; do
    others=
    # The twins: what must pass.
    expect passed "$compiler" -ffp-contract=off
    expect passed "$compiler" -ffp-contract=off -O0
    expect passed "$compiler" -ffp-contract=off -march=native
    expect refused "$compiler" -ffast-math
    expect refused "$compiler" -Ofast
    expect refused "$compiler" -funsafe-math-optimizations
    expect refused "$compiler" -fassociative-math -fno-signed-zeros -fno-trapping-math
    expect refused "$compiler" -ffinite-math-only
    expect refused "$compiler" -freciprocal-math
    expect refused "$compiler" -fno-signed-zeros
    case $(uname -m) in
    x86_64) expect refused "$compiler" -mfpmath=387 ;;
    *) echo "skip  $compiler -mfpmath=387: not an x86-64" ;;
    esac
    if [ $has_fma = yes ]; then
        expect refused "$compiler" -ffp-contract=fast -mfma
    else
        echo "skip  $compiler -ffp-contract=fast -mfma: this processor has no FMA"
    fi
    case $compiler in
    gcc) expect refused "$compiler" -fsingle-precision-constant ;;
    *)
        others=-ffp-contract=off # the methods alone, where the guard does not know the flags
        expect refused "$compiler" -fassociative-math -fno-signed-zeros -fno-trapping-math
        ;;
    esac
done

# ---- a loaded library that sets the mode of the process -----------------------------------------------------------------
# preload NAME FLAGS...: builds $work/NAME.so from NAME.c.
preload() {
    name=$1
    shift
    # shellcheck disable=SC2086 # a list of words
    set -- ${compilers# } -- "$@"
    with=$1
    while [ "$1" != -- ]; do shift; done
    shift
    "$with" -shared -fPIC "$work/${source_of_library-$name}.c" "$@" -o "$work/$name.so" -lm
}

# loaded NAME ARGUMENTS...: the program with the library loaded; out, errors and code are what came of it.
loaded() {
    library=$1
    shift
    ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$work/$library.so" "$program" "$@" >"$work/out" 2>"$work/errors"
    code=$?
}

# arguments_of COMMAND: what makes it add, judge and write, of the run in $work/run; a new command is started with none.
arguments_of() {
    case $1 in
    run) echo "-d uniform:n=8 -o $work/written.f32" ;;
    report) echo "$work/run --csv $work/written.f32" ;;
    check) echo "$work/run --limits $work/limits.yaml --json $work/written.f32" ;;
    baseline) echo "save main $work/run --baselines $work/written.f32" ;;
    gen) echo "uniform:n=8 -o $work/written.f32" ;;
    exact) echo "uniform:n=8 --json $work/written.f32" ;;
    tree) echo "plain/serial -n 8 --svg $work/written.f32" ;;
    blame) echo "plain/serial uniform:n=8 --json $work/written.f32" ;;
    explain) echo "plain/serial kahan/serial uniform:n=8 --json $work/written.f32" ;;
    attack) echo "plain/serial --n 4 --budget 100 --json $work/written.f32" ;;
    plugin) echo "new $work/plugin" ;;
    init) echo "$work/project" ;;
    completion) echo "bash" ;;
    lesson) echo "rounding --html $work/written.f32" ;;
    determinism) echo "plain/serial uniform:n=8 --across repeat --json $work/written.f32" ;;
    tolerance) echo "sum -n 100 --json $work/written.f32" ;;
    grade) echo "matmul:plain/naive --size-most 16 --json $work/written.f32" ;;
    bench) echo "-m plain/serial -n 8 --json $work/written.f32" ;;
    list) echo "methods" ;;
    esac
}

# stops NAME CHECK WORD: with the library loaded every command says which check fails and why, and exits 3 with nothing
# printed and nothing written; doctor shows it among its checks.
stops() {
    checks=$((checks + 1))
    loaded "$1" doctor
    if [ $code -ne 3 ] || ! grep -q "^FAIL  $2 .*$3" "$work/out"; then
        fail "$1: doctor exits $code"
        cat "$work/out" "$work/errors"
        return
    fi
    for command in $commands; do
        # shellcheck disable=SC2046 # a list of words
        loaded "$1" "$command" $(arguments_of "$command")
        if [ $code -ne 3 ] || ! grep -q "^ulpscope: canary: $2: .*$3" "$work/errors" || [ -s "$work/out" ] ||
            [ -e "$work/written.f32" ]; then
            fail "$1: $command exits $code"
            cat "$work/out" "$work/errors"
            return
        fi
    done
    echo "ok    $1: doctor finds it, and $(echo "$commands" | wc -w) commands do not start"
}

# The same of a library that changes the mode of threads that the program starts.
stops_late() {
    checks=$((checks + 1))
    loaded "$1" run -m plain/serial -d uniform:n=8 -d uniform:n=9 --trials 4 -j 2 --speed 0
    if [ $code -eq 3 ] && grep -q "^ulpscope: canary: $2: .*$3" "$work/errors" && [ ! -s "$work/out" ]; then
        echo "ok    $1: found when the first sums were added"
    else
        fail "$1: run exits $code"
        cat "$work/out" "$work/errors"
    fi
}

# starts NAME: with the library loaded every command does what it does without.
starts() {
    for command in doctor $commands; do
        checks=$((checks + 1))
        rm -rf "$work/written.f32" "$work/plugin" "$work/project"
        # shellcheck disable=SC2046 # a list of words
        loaded "$1" "$command" $(arguments_of "$command")
        if [ $code -gt 1 ]; then
            fail "$1: $command exits $code"
            cat "$work/out" "$work/errors"
        fi
    done
    rm -rf "$work/written.f32" "$work/plugin" "$work/project"
    echo "ok    $1: $(echo "$commands" | wc -w) commands start"
}

# stops_amid NAME WORD: a library that changes the mode when a command has begun: it exits 3 and says so, and neither a
# file of it appears nor the end of what it prints.
stops_amid() {
    for command in $commands; do
        checks=$((checks + 1))
        # shellcheck disable=SC2046 # a list of words
        loaded "$1" "$command" $(arguments_of "$command")
        if [ $code -ne 3 ] || ! grep -q "^ulpscope: standard output: a library left the processor $2; " "$work/errors" ||
            [ $(($(wc -c <"$work/out") % 4096)) -ne 0 ] || [ -n "$(find "$work/written.f32" -type f 2>/dev/null)" ]; then
            fail "$1: $command exits $code"
            cat "$work/out" "$work/errors"
        fi
    done
    rm -rf "$work/written.f32" "$work/plugin" "$work/project"
    echo "ok    $1: $(echo "$commands" | wc -w) commands hold back what they made"
}

cat >"$work/harmless.c" <<'END'
int harmless = 1;
END
cat >"$work/fast_math.c" <<'END'
float half(float x)
{
    return x * 0.5f;
}
END
cat >"$work/mxcsr.c" <<'END'
#include <xmmintrin.h>
__attribute__((constructor)) static void set(void)
{
    _mm_setcsr(MODE);
}
END
# The thread that starts another waits for what that does, so that it has all the work; but nobody waits for the first,
# which stores what the others measure.
cat >"$work/late.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <semaphore.h>
#include <xmmintrin.h>
static struct { void *(*start)(void *); void *argument; sem_t done; } task;
static void *flush_and_start(void *unused)
{
    (void)unused;
    CHANGE;
    void *result = task.start(task.argument);
    sem_post(&task.done);
    return result;
}
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    static int started;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
    if (started++ == 0)
        return create(thread, attributes, start, argument);
    task.start = start;
    task.argument = argument;
    sem_init(&task.done, 0, 0);
    const int failed = create(thread, attributes, flush_and_start, NULL);
    if (!failed)
        sem_wait(&task.done);
    return failed;
}
END
cat >"$work/upward.c" <<'END'
#include <fenv.h>
__attribute__((constructor)) static void round_up(void)
{
    fesetround(FE_UPWARD);
}
END
cat >"$work/traps.c" <<'END'
#define _GNU_SOURCE
#include <fenv.h>
__attribute__((constructor)) static void trap(void)
{
    feenableexcept(FE_ALL_EXCEPT);
}
END
cat >"$work/amid.c" <<'END'
#define _GNU_SOURCE
#include <argp.h>
#include <dlfcn.h>
#include <fenv.h>
error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *end, void *input)
{
    error_t (*parse)(const struct argp *, int, char **, unsigned, int *, void *) = dlsym(RTLD_NEXT, "argp_parse");
    fesetround(FE_UPWARD);
    return parse(argp, argc, argv, flags, end, input);
}
END
cat >"$work/mode.c" <<'END'
#include <xmmintrin.h>
int main(void)
{
    volatile double zero = 0;
    return (_mm_getcsr() & 0x8040) != 0 || 1 / zero == 0;
}
END
case $(uname -m) in
x86_64)
    preload harmless
    commands=$("$program" help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' | grep -v '^doctor$')
    printf 'schema: ulpscope-limits/1\nrules:\n  - {method: "*", data: "*", metric: bound_ratio, limit: 1}\n' >"$work/limits.yaml"
    loaded harmless run -m plain/serial -d uniform:n=8 --speed 0 -o "$work/run"
    starts harmless
    preload fast_math -ffast-math
    preload upward
    preload traps
    preload amid
    source_of_library=late
    preload late -D'CHANGE=_mm_setcsr(0x9fc0)'
    preload late_traps -D'CHANGE=feenableexcept(FE_ALL_EXCEPT)'
    source_of_library=mxcsr
    preload ftz_and_daz -DMODE=0x9fc0
    preload ftz -DMODE=0x9f80
    preload daz -DMODE=0x1fc0
    preload down -DMODE=0x3f80
    preload up -DMODE=0x5f80
    preload to_zero -DMODE=0x7f80
    stops ftz_and_daz "subnormals are kept" "FTZ or DAZ"
    stops ftz "subnormals are kept" "FTZ or DAZ"
    stops daz "subnormals are kept" "FTZ or DAZ"
    for library in down up to_zero upward; do
        stops $library "rounding to nearest" "fesetround"
    done
    stops_late late "subnormals are kept" "FTZ or DAZ"
    stops_amid amid "rounding upward"
    starts traps
    starts late_traps
    # shellcheck disable=SC2086
    set -- $compilers
    "$1" "$work/mode.c" -o "$work/mode"
    checks=$((checks + 1))
    (LD_PRELOAD="$work/traps.so" "$work/mode") 2>/dev/null
    [ $? -eq 136 ] || fail "traps: a program that divides by 0 and does not mask them lives"
    if LD_PRELOAD="$work/fast_math.so" "$work/mode"; then
        echo "skip  fast_math: this $1 no longer lets -ffast-math of a shared library set the mode"
    else
        stops fast_math "subnormals are kept" "FTZ or DAZ"
    fi
    ;;
*)
    echo "skip  loaded libraries: not an x86-64, which has MXCSR"
    ;;
esac

echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
