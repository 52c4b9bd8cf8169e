#!/bin/sh
# The kernels' PTX may add, subtract and multiply, each rounded to nearest (add.rn, sub.rn, mul.rn), and beside that copy,
# compare, change signs and convert; root_of() takes a root, statistics of rows do both, and moments (running, welford, online) divide; nothing else.  Functions whose name says that their products are fused or exact may fuse (fma.rn).
#
#   lint_ptx.sh FILE.ptx ...            exit 1 and the lines when there is anything else; 2 when a file cannot be read
#                                       or holds no kernel, and does not say that its accumulator is absent from a
#                                       format: then nothing was looked at
#   lint_ptx.sh --must-fail FILE.ptx    the twin: exit 0 only when the lint finds something in each file
set -u

# Exit 0: nothing; 1: something; 2: no kernel.
lint_file() {
    if ! { [ -f "$1" ] && [ -r "$1" ]; }; then
        echo "$1: cannot be read"
        return 2
    fi
    awk '
        /^\.visible \.entry|^\.weak \.entry|^\.entry/ { kernel = $NF; kernels++; sub(/\(.*/, "", kernel) }
        /^\.global .*_absent\[/ { absent = 1 }
        /^(\.visible |\.weak )?\.func/ { kernel = $NF; sub(/\(.*/, "", kernel) }
        function found(what) { printf "%s:%d: %s: %s:%s\n", FILENAME, FNR, kernel, what, $0; bad = 1; line = FNR }
        /^[ \t]*\/\// { next }
        { sub(/^[ \t]*\{[ \t]*/, "\t") } # as CUDA writes its own instructions
        { fuses = kernel ~ /_matmul_dot_(fma|exact)_|pairI.*L9operation[23]E|terms_sum|real_fma|__hfma|__(nv_)?fmaf?_rn/ }
        fuses && /^[ \t]+fma\.rn\.(f32|f64|b?f16)[ \t]/ { next }
        # Where nothing is inlined: what calls a function that fuses fuses.
        /^[ \t]+(_Z.*real_fma|_Z.*__hfma|__(nv_)?fmaf?_rn).*,/ && !fuses && kernel !~ /product_error|add_product/ { found("a call of a fused multiply-add") }
        kernel ~ /two_pass_statistics|formula_|log_of|log_any/ && /^[ \t]+(@!?%p[0-9]+[ \t]+)?(div|rcp|sqrt)\.rn\.f(32|64)[ \t]/ { next }
        FILENAME ~ /methods_(running|welford|online)_/ && /^[ \t]+(@!?%p[0-9]+[ \t]+)?(div|rcp)\.rn\.f(32|64)[ \t]/ { next }
        kernel ~ /root_of|__nv_sqrt/ && /^[ \t]+sqrt\.rn\.f64[ \t]/ { next }
        /\.ftz/ { found("subnormals are flushed") }
        /\.approx/ { found("an approximation") }
        /(^|[ \t])(fma|mad)[a-z0-9.]*\.b?f(16|32|64)/ { found("a fused multiply-add") }
        /(^|[ \t])(add|sub|mul|div|sqrt|rcp)\.(sat\.)?b?f(16|32|64)/ { found("no rounding mode: ptxas may contract it") }
        /(^|[ \t])(add|sub|mul|div|sqrt|rcp)\.r[zmp]/ { found("not rounded to nearest") }
        /(^|[ \t])(sin|cos|ex2|lg2|tanh|rsqrt)\./ { found("a function") }
        # Of all else that names a floating-point type: copies, signs, comparisons, conversions (also to integers) and atomicAdd.
        line != FNR && /^[ \t]+(@!?%p[0-9]+[ \t]+)?[a-z][a-z0-9_.:]*\.(b?f16|tf32|f32|f64)/ &&
            !/[ \t](mov|selp|abs|neg|setp|ld|st)\./ && !/[ \t](add|sub|mul)\.rn\.(f32|f64|b?f16)[ \t]/ &&
            !/[ \t]cvt\.(f64\.f32|rzi\.s(32|64)\.f(32|64)|f32\.b?f16|rn\.(f32|f64|b?f16)\.([fsu](32|64)|b?f16)|rn\.f16x2\.e[45]m[32]x2|rn\.satfinite\.e[45]m[32]x2\.f(32|16x2))[ \t]/ &&
            !/[ \t](atom|red)\.[a-z.]*add\.(f32|f64|noftz\.b?f16)[ \t]/ {
            found("neither an addition, a subtraction nor a multiplication")
        }
        END {
            if (kernels == 0 && absent) { print FILENAME ": absent from its format"; exit 0 }
            if (kernels == 0) { print FILENAME ": no kernel was found"; exit 2 }
            printf "%s: %d kernels\n", FILENAME, kernels
            exit bad
        }' "$1"
}

wanted=0
if [ "${1-}" = --must-fail ]; then
    wanted=1
    shift
fi
[ $# -gt 0 ] || { echo "lint_ptx.sh: no file; expected FILE.ptx ..."; exit 2; }
worst=0
for file; do
    lint_file "$file"
    got=$?
    if [ $wanted -eq 1 ] && [ $got -eq 0 ]; then
        echo "$file: nothing was found, where there is something"
        got=1
    elif [ $wanted -eq 1 ] && [ $got -eq 1 ]; then
        got=0
    fi
    [ $got -le $worst ] || worst=$got
done
exit $worst
