#!/bin/sh
# Includes point one way:
#
#   kernels    kernels/*  src/{method,fp,status,workers}.h         and neither libm (but for the bounds), MPFR nor GMP
#              <cub/*>  <dlfcn.h>  in kernels/peers/*.cu alone; <cublas*> nowhere: it is looked for at run time
#   reference  reference/*  src/{fp,status,workers}.h
#   datasets   datasets/*  reference/*  kernels/tape.h  src/{status,list,number,output,fp,suggest,text,method}.h
#   reports    reports/*  src/{results,list,number,output,status,text,metric,study,fp}.h
#   gate       gate/*  src/*  datasets/*.h  reference/*.h  kernels/broken.def  and of reports the tools to write with
#   teach      teach/*  src/*  kernels/steps.h  datasets/*.h  reference/*.h  reports/*.h
#   src        anything
#
# and nobody includes a .c file.
#
#   test_includes.sh SOURCE_DIRECTORY
set -u
source=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/ulpscope_includes.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

# Whether FILE may include the file INCLUDED (both from the root).
is_allowed() {
    case $2 in
    *.c) return 1 ;;
    esac
    case $1:$2 in
    kernels/*:kernels/* | kernels/*:generated/*) ;;
    kernels/*:src/method.h | kernels/*:src/fp.h | kernels/*:src/status.h | kernels/*:src/workers.h) ;;
    kernels/bound.h:'<math.h>') ;; # bounds are computed on the host, after the sums
    kernels/peers/*.cu:'<cub/'* | kernels/peers/*.cu:'<dlfcn.h>') ;;
    *:'<cub/'* | *:'<dlfcn.h>' | *:'<cublas'*) return 1 ;;
    kernels/*:'<math.h>' | kernels/*:'<mpfr.h>' | kernels/*:'<gmp.h>') return 1 ;;
    reference/*:reference/* | reference/*:src/fp.h | reference/*:src/status.h | reference/*:src/workers.h) ;;
    datasets/elements.cu:generated/elements.inc) ;;
    datasets/*:datasets/* | datasets/*:reference/*.h) ;;
    datasets/*:src/status.h | datasets/*:src/number.h | datasets/*:src/output.h | datasets/*:src/fp.h) ;;
    datasets/*:src/suggest.h | datasets/*:src/list.h | datasets/*:src/text.h | datasets/*:src/method.h | datasets/*:kernels/tape.h) ;;
    reports/*:reports/* | reports/*:src/list.h | reports/*:src/results.h | reports/*:src/number.h | reports/*:src/output.h) ;;
    reports/*:src/status.h | reports/*:src/text.h | reports/*:src/metric.h | reports/*:src/study.h | reports/*:src/fp.h) ;;
    gate/*:gate/* | gate/*:src/*.h | gate/*:src/metrics.def | gate/*:datasets/*.h | gate/*:reference/*.h | gate/*:kernels/broken.def) ;;
    gate/*:reports/grid.h | gate/*:reports/json_builder.h | gate/*:reports/terminal.h | gate/*:reports/*_text.h) ;;
    gate/*:reports/report.h) ;; # whether colour was asked for
    teach/*:teach/* | teach/*:src/*.h | teach/*:kernels/steps.h | teach/*:datasets/*.h | teach/*:reference/*.h) ;;
    teach/*:reports/*.h) ;;
    src/*:*.h | src/*:*.def) ;;
    *:'<'*) ;;
    *) return 1 ;;
    esac
}

# Prints "file:line includes what" for every violation below the folder ROOT.
violations() (
    cd "$1" || exit 1
    grep -rnE '^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*["<]' kernels reference datasets gate reports src teach \
        --include='*.[ch]' --include='*.cu' --include='*.cuh' --include='*.def' --include='*.inc' |
        sed -E 's/^([^:]*):([0-9]*):[^"<]*("([^"]*)"|(<[^>]*>)).*/\1 \2 \4\5/' |
        awk '
        # a/b/../c.h -> a/c.h
        function from_root(path,    parts, kept, count, i, result) {
            count = split(path, parts, "/")
            kept = 0
            for (i = 1; i <= count; i++) {
                if (parts[i] == ".." && kept > 0)
                    kept--
                else if (parts[i] != "." && parts[i] != "")
                    parts[++kept] = parts[i]
            }
            result = parts[1]
            for (i = 2; i <= kept; i++)
                result = result "/" parts[i]
            return result
        }
        $3 ~ /^(<|generated\/)/ { print; next }
        {
            folder = $1
            sub(/[^\/]*$/, "", folder)
            print $1, $2, from_root(folder $3)
        }' |
        while read -r file line included; do
            is_allowed "$file" "$included" || echo "$file:$line includes $included"
        done
)

failures=0
found=$(violations "$source")
if [ -n "$found" ]; then
    echo "$found"
    echo "FAIL  includes that point the wrong way"
    failures=1
else
    echo "ok    $(grep -rhE '^ *# *include' "$source"/kernels "$source"/reference "$source"/datasets "$source"/gate \
        "$source"/reports "$source"/src "$source"/teach | wc -l) includes"
fi

# ---- the twins: each planted violation is found ----
cp -R "$source/kernels" "$source/reference" "$source/datasets" "$source/gate" "$source/reports" "$source/src" "$source/teach" "$work"
plant() {
    cp "$work/$1" "$work/kept"
    echo "#include $2" >>"$work/$1"
    if [ "$(violations "$work" | grep -c "^$1:.* includes $3\$")" -eq 1 ]; then
        echo "ok    $1: $2 is found"
    else
        echo "FAIL  $1: $2 is not found"
        failures=$((failures + 1))
    fi
    mv "$work/kept" "$work/$1"
}
plant kernels/order.h '"../src/study.h"' src/study.h
plant kernels/orders/serial.h '"../../reference/exact.h"' reference/exact.h
plant kernels/accumulators/kahan.h '<math.h>' '<math.h>'
plant kernels/grid_stride.h '<cub/cub.cuh>' '<cub/cub.cuh>'
plant kernels/peers/cub.cu '<math.h>' '<math.h>'
plant kernels/peers/cublas.cu '<cublas_v2.h>' '<cublas_v2.h>'
plant src/device_cuda.c '<dlfcn.h>' '<dlfcn.h>'
plant reference/exact.c '"../kernels/portable.h"' kernels/portable.h
plant reference/fixed.h '"../src/method.h"' src/method.h
plant datasets/spec.c '"../kernels/bound.h"' kernels/bound.h
plant datasets/generators/gensum.c '"../../src/study.h"' src/study.h
plant gate/check.c '"../kernels/bound.h"' kernels/bound.h
plant reports/report.c '"../src/store.h"' src/store.h
plant reports/report.c '"../gate/check.h"' gate/check.h
plant teach/additions.c '"../gate/check.h"' gate/check.h
plant reports/formats/json.c '"../../reference/exact.h"' reference/exact.h
plant src/run.c '"measure.c"' src/measure.c

[ $failures -eq 0 ]
