#!/bin/sh
# Includes point one way.  Every include is a neighbour's name or a path from the root, and the table says which paths each
# room may include beside its own.  Nobody includes a .c file.
#
#   test_includes.sh SOURCE_DIRECTORY
set -u
source=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/ulpscope_includes.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

# From the ground up: a room, or a file in it, and what it may include beside its own room.
rooms='
src/base/         <math.h> <mpfr.h>
src/files/        src/base/
kernels/claim.h   src/base/ <math.h>
kernels/statistic_formula.h src/base/ <math.h>
kernels/black_boxes/    src/base/ kernels/ <cub/ <dlfcn.h>
kernels/          src/base/ generated/orders.inc generated/operations.inc
reference/        src/base/ <math.h> <mpfr.h> <gmp.h>
src/library/      include/ulpscope/ulpscope.h src/base/ reference/ kernels/bound.h kernels/claim.h kernels/statistic_bound.h kernels/portable.h kernels/plain_tree.h kernels/tree_word.h kernels/accumulators.def <math.h>
datasets/         src/base/ src/files/ reference/ kernels/method.h kernels/sum_format.h kernels/tape.h kernels/walk.h generated/elements.inc generated/gaussian_table.h <math.h> <mpfr.h> <gmp.h>
src/plugins/      src/base/ src/worker/protocol.h datasets/files/file_hash.h datasets/spec.h kernels/method.h kernels/replay.h kernels/statistic.h kernels/sum_format.h kernels/tree_bound.h <math.h>
src/study/        src/base/ src/files/ src/plugins/ datasets/ kernels/method.h <math.h>
src/device/       src/base/ datasets/ reference/exact.h reference/matrix_kernel.h reference/short_sum.h reference/sum_device.h kernels/method.h
src/measure/      src/base/ src/files/ src/plugins/ src/study/ src/device/ datasets/ reference/ kernels/fused.h kernels/method.h kernels/scan.h kernels/statistic.h <math.h>
src/ranks/        src/base/ src/plugins/ src/measure/ <dlfcn.h> <mpi.h>
src/store/        src/base/ src/files/ src/plugins/ src/study/ src/device/ src/measure/ <math.h> <mpfr.h> <gmp.h> kernels/operation_word.h
src/results/      src/base/ src/files/ src/study/ src/measure/ src/store/ datasets/ kernels/fused.h <math.h>
reports/          src/base/ src/files/ kernels/method.h kernels/operation_word.h kernels/sum_format.h kernels/tree_bound.h src/measure/metric.h src/results/results.h src/results/became.h src/results/law.h src/results/run_rows.h <math.h>
src/bench/        src/base/ src/files/ src/plugins/ src/study/ src/device/ src/measure/ src/store/ datasets/ reference/ reports/ <math.h>
src/determinism/  src/base/ src/files/ src/plugins/ src/study/ src/device/ src/measure/ src/store/ datasets/ reference/ kernels/method.h <math.h>
src/run/          src/base/ src/files/ src/plugins/ src/study/ src/device/ src/measure/ src/ranks/ src/store/ src/results/ src/bench/ src/determinism/ <mpfr.h>
src/gate/         src/base/ src/files/ src/study/ src/measure/ src/results/ datasets/ reference/ kernels/method.h kernels/operation_word.h kernels/statistic.h kernels/statistic_formula.h kernels/statistic_bound.h kernels/scan.h kernels/fused.h kernels/tree_bound.h kernels/broken.def reports/ <math.h> <mpfr.h>
src/teach/        src/base/ src/files/ src/plugins/ src/study/ src/measure/ datasets/ reference/ kernels/method.h kernels/statistic.h kernels/statistic_formula.h kernels/tree_bound.h kernels/walk.h kernels/matmul.h reports/ <math.h> <gmp.h>
src/arithmetic/   src/base/ kernels/sum_format.h <math.h>
src/grade/        src/base/ src/arithmetic/ src/device/ src/measure/ datasets/ reference/ kernels/method.h kernels/sum_format.h reports/ <math.h>
src/tolerance/    src/base/ src/plugins/plugin.h src/measure/operation.h src/gate/fault.h src/gate/parallel.h datasets/ reference/ kernels/replay.h kernels/tree_word.h reports/ <math.h> <mpfr.h>
src/commands/     src/ reports/ reference/ datasets/ kernels/ generated/completion_ <math.h> <mpfr.h> <gmp.h>
src/worker/       include/ulpscope/plugin.h src/base/format.h src/base/mode.h kernels/formats.def kernels/orders.def kernels/replay.h kernels/sum_format.h generated/busy_ptx.h <dlfcn.h>
src/main.c        src/ reports/
'

# Headers of libraries that only those rooms may use whose row names them: cuBLAS, for one, is looked for at run time.
guarded='<cub/ <cublas <dlfcn.h> <mpi.h> <math.h> <mpfr.h> <gmp.h>'

# Prints "file includes what" for every violation below the folder ROOT.
violations() (
    cd "$1" || exit 1
    grep -rE '^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*["<]' kernels reference datasets reports src |
        sed -E 's/^([^:]*):[^"<]*("([^"]*)"|(<[^>]*>)).*/\1 \3\4/' |
        awk -v rooms="$rooms" -v guarded="$guarded" '
        function begins_with_one_of(text, first, count, beginnings,    i) {
            for (i = first; i <= count; i++)
                if (index(text, beginnings[i]) == 1)
                    return 1
            return 0
        }
        function is_allowed(file, included,    r, may, count) {
            if (included ~ /^</ && !begins_with_one_of(included, 1, guards, guard))
                return 1
            if (included !~ /[.](h|def|inc)>?$|^<cub\//)
                return 0
            for (r = 1; r <= rows; r++) {
                count = split(row[r], may, " ")
                if (count > 0 && index(file, may[1]) == 1) {
                    sub(/[^\/]*$/, "", may[1])
                    return begins_with_one_of(included, 1, count, may)
                }
            }
            return 0
        }
        BEGIN {
            rows = split(rooms, row, "\n")
            guards = split(guarded, guard, " ")
        }
        {
            folder = $1
            sub(/[^\/]*$/, "", folder)
            included = $2 ~ /^</ || $2 ~ /\// ? $2 : folder $2
            if (!is_allowed($1, included))
                print $1, "includes", included
        }'
)

failures=0
found=$(violations "$source")
if [ -n "$found" ]; then
    echo "$found"
    echo "FAIL  includes that point the wrong way"
    failures=1
else
    echo "ok    $(cd "$source" && grep -rhE '^ *# *include' kernels reference datasets reports src | wc -l) includes"
fi

# ---- the twins: each planted violation is found ----
(cd "$source" && cp -R kernels reference datasets reports src "$work")
plant() {
    cp "$work/$1" "$work/kept"
    echo "#include $2" >>"$work/$1"
    if [ "$(violations "$work" | grep -c "^$1 includes $3\$")" -eq 1 ]; then
        echo "ok    $1: $2 is found"
    else
        echo "FAIL  $1: $2 is not found"
        failures=$((failures + 1))
    fi
    mv "$work/kept" "$work/$1"
}
plant_path() {
    plant "$1" "\"$2\"" "$2"
}
plant_library() {
    plant "$1" "$2" "$2"
}
plant_path src/base/text.c kernels/method.h
plant_path kernels/order.h src/study/study.h
plant_path kernels/orders/serial.h reference/exact.h
plant_library kernels/accumulators/kahan.h '<math.h>'
plant_library kernels/grid_stride.h '<cub/cub.cuh>'
plant_library kernels/black_boxes/cub.cu '<math.h>'
plant_library kernels/black_boxes/cublas.cu '<cublas_v2.h>'
plant_library src/device/device_cuda.c '<dlfcn.h>'
plant_path reference/exact.c kernels/portable.h
plant_path datasets/spec.c kernels/bound.h
plant_path src/library/judge.c kernels/method.h
plant_library src/library/judge.c '<mpfr.h>'
plant_path datasets/generators/gensum.c src/study/study.h
plant_path src/measure/judge.c src/store/store.h
plant_path src/store/store.h src/results/results.h
plant_path src/determinism/variation.c src/run/run.h
plant_path src/gate/check.c kernels/bound.h
plant_path reports/report.c src/store/store.h
plant_path reports/report.c src/gate/check.h
plant_path src/teach/additions.c src/gate/check.h
plant_path src/grade/grade.c src/teach/additions.h
plant_path src/arithmetic/find.c kernels/fused.h
plant_path reports/formats/json.c reference/exact.h
plant_path src/run/run.c src/commands/command.h
plant_path src/worker/said.c src/base/text.h
plant src/run/run.c '"run.c"' src/run/run.c

[ $failures -eq 0 ]
