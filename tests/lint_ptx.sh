#!/bin/sh
# The kernels' PTX may round and nothing else: add.rn, sub.rn, mul.rn, and fma.rn only in kernels that say so by name.
#
#   lint_ptx.sh FILE.ptx ...            exit 1 and the lines, when there is anything else
#   lint_ptx.sh --must-fail FILE.ptx    the twin: exit 0 only when the lint finds something
set -u

lint() {
    awk '
        /^\.visible \.entry|^\.entry/ { kernel = $NF; kernels++; sub(/\(.*/, "", kernel) }
        function found(what) { printf "%s:%d: %s: %s:%s\n", FILENAME, FNR, kernel, what, $0; bad = 1 }
        /^[ \t]*\/\// { next }
        /\.ftz/ { found("subnormals are flushed") }
        /\.approx/ { found("an approximation") }
        /(^|[ \t])(fma|mad)[a-z0-9.]*\.f(16|32|64)/ { found("a fused multiply-add") }
        /(^|[ \t])(add|sub|mul|div|sqrt|rcp)\.(sat\.)?f(16|32|64)/ { found("no rounding mode: ptxas may contract it") }
        /(^|[ \t])(add|sub|mul|div|sqrt|rcp)\.r[zmp]/ { found("not rounded to nearest") }
        /(^|[ \t])(sin|cos|ex2|lg2|tanh|rsqrt)\./ { found("a function") }
        END {
            if (kernels == 0) { print "no kernel was found"; exit 1 }
            printf "%d kernels\n", kernels
            exit bad
        }' "$@"
}

if [ "$1" = --must-fail ]; then
    shift
    lint "$@" >/dev/null && { echo "the lint found nothing in $*, where there is something"; exit 1; }
    exit 0
fi
lint "$@"
