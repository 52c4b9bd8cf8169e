#!/bin/sh
# lint_ptx.sh on a few lines of PTX each: what it lets pass, what it finds, and when it has looked at nothing.
set -u
lint=$(dirname "$0")/lint_ptx.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/ulpscope_lint.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

# kernel NAME LINE...: $work/NAME.ptx, one kernel $entry of these lines.
entry=some_kernel
kernel() {
    name=$1
    shift
    { echo ".visible .entry $entry(" && echo '{' && printf '\t%s\n' "$@" && echo '}'; } >"$work/$name.ptx"
}

# expect CODE ARGUMENTS...: what the lint exits with.
expect() {
    code=$1
    shift
    (cd "$work" && sh "$lint" "$@") >"$work/said" 2>&1
    got=$?
    if [ $got -ne "$code" ]; then
        failures=$((failures + 1))
        echo "FAIL  lint_ptx.sh $*: exit $got, expected $code"
        cat "$work/said"
    fi
}

lint=$(realpath "$lint")
kernel fine 'add.rn.f32 %f1, %f2, %f3;' 'sub.rn.f64 %fd1, %fd2, %fd3;' 'mul.rn.f32 %f1, %f2, %f3;' 'mad.lo.s32 %r1;' \
    '// fma.rn.f32 in a comment' 'atom.global.add.f32 %f1, [%rd1], %f2;' '@%p1 add.rn.f32 %f1, %f2, %f3;' \
    'ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];' 'setp.neu.f32 %p1, %f1, %f2;' 'cvt.rn.f32.f64 %f1, %fd1;' \
    'cvt.f64.f32 %fd1, %f1;' 'abs.f32 %f1, %f2;' 'max.s32 %r1, %r2, %r3;' '{add.rn.f16 %rs1,%rs2,%rs3;' \
    '{ sub.rn.bf16 %rs1,%rs2,%rs3; }' '{  cvt.rn.bf16.f64 %rs1, %fd1;}' '{cvt.rn.f16x2.e4m3x2 %r1, %rs1;}' \
    '{cvt.rn.satfinite.e5m2x2.f16x2 %rs1, %r1;}' '{ atom.add.noftz.f16 %rs1,[%rd1],%rs2; }'
kernel flushes 'add.rn.ftz.f32 %f1, %f2, %f3;'
kernel fuses 'fma.rn.f32 %f1, %f2, %f3, %f4;'
kernel may_fuse 'add.f32 %f1, %f2, %f3;'
kernel truncates 'add.rz.f32 %f1, %f2, %f3;'
kernel approximates 'div.approx.f32 %f1, %f2, %f3;'
kernel calls 'ex2.f32 %f1, %f2;'
kernel divides 'div.rn.f32 %f1, %f2, %f3;'
kernel methods_welford_divides 'div.rn.f32 %f1, %f2, %f3;' 'rcp.rn.f64 %fd1, %fd2;' '@%p1 div.rn.f64 %fd1, %fd2, %fd3;'
kernel methods_welford_approximates 'div.approx.f32 %f1, %f2, %f3;'
kernel methods_running_cuts 'div.rz.f32 %f1, %f2, %f3;'
kernel takes_roots '@!%p1 sqrt.rn.f64 %fd1, %fd2;'
kernel takes_maxima 'max.f32 %f1, %f2, %f3;'
kernel rectifies 'cvt.rn.satfinite.relu.e4m3x2.f16x2 %rs1, %r1;'
kernel cuts 'cvt.rz.f32.f64 %f1, %fd1;'
kernel may_fuse_halves '{add.f16 %rs1,%rs2,%rs3;'
kernel fuses_halves '{ fma.rn.bf16 %rs1,%rs2,%rs3,%rs4; }'
kernel takes_maxima_of_halves '{ max.bf16 %rs1,%rs2,%rs3; }'
kernel uses_tensor_cores 'mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f2};'
entry=plain_binary32_sum_matmul_dot_naive
kernel fuses_rounded_products 'fma.rn.f32 %f1, %f2, %f3, %f4;'
entry=plain_binary32_sum_matmul_dot_fma_naive
kernel fuses_products 'fma.rn.f32 %f1, %f2, %f3, %f4;' '{fma.rn.bf16 %rs1,%rs2,%rs3,%rs4;'
kernel cuts_fused_products 'fma.rz.f32 %f1, %f2, %f3, %f4;'
kernel flushes_fused_products 'fma.rn.ftz.f32 %f1, %f2, %f3, %f4;'
entry=_Z41plain_binary32_sum_vector_two_pass_blocksI4pairIfL9operation1EEEv6sourceIT_EmjP5plain
kernel fuses_pairs_that_are_rounded 'fma.rn.f32 %f1, %f2, %f3, %f4;'
entry=_Z41plain_binary32_sum_vector_two_pass_blocksI4pairIfL9operation2EEEv6sourceIT_EmjP5plain
kernel fuses_pairs 'fma.rn.f32 %f1, %f2, %f3, %f4;'
entry=_ZN41_INTERNAL_82c6a678_10_methods_cu_578fcb247root_ofEd
kernel roots_a_sum 'sqrt.rn.f64 %fd2, %fd1;'
kernel cuts_a_root 'sqrt.rz.f64 %fd2, %fd1;'
kernel approximates_a_root 'sqrt.approx.f64 %fd2, %fd1;'
entry=some_kernel
kernel calls_what_fuses 'add.rn.f32 %f1, %f2, %f3;'
{ echo '.func  (.param .align 4 .b8 func_retval0[4]) _Z9terms_sum8elementsmmm(' && echo '{' && printf '\tfma.rn.f32 %%f1, %%f2, %%f3, %%f4;\n}\n'; } >"$work/function"
cat "$work/function" >>"$work/calls_what_fuses.ptx"
kernel fuses_behind_a_function 'fma.rn.f32 %f1, %f2, %f3, %f4;'
cat "$work/function" "$work/fuses_behind_a_function.ptx" >"$work/both" && mv "$work/both" "$work/fuses_behind_a_function.ptx"
for caller in 10kahan_add:calls_a_fusing_function 13product_error:errs_exactly; do
    { echo ".func  (.param .b32 func_retval0) _Z${caller%:*}fff(" && echo '{' && printf '\tcall.uni (retval0),\n\t__fmaf_rn,\n\t(param0);\n}\n' &&
        cat "$work/fine.ptx"; } >"$work/${caller#*:}.ptx"
done
echo 'add.f32 %f1, %f2, %f3;' >"$work/no_kernel.ptx"
echo '.global .align 1 .b8 kahan_binary64_absent[7];' >"$work/absent.ptx"

expect 0 fine.ptx
expect 0 absent.ptx
expect 0 fuses_products.ptx
expect 0 methods_welford_divides.ptx
expect 0 fuses_pairs.ptx
expect 0 roots_a_sum.ptx
expect 0 calls_what_fuses.ptx
expect 0 errs_exactly.ptx
for name in flushes methods_welford_approximates methods_running_cuts fuses may_fuse truncates approximates calls divides takes_roots cuts_a_root approximates_a_root takes_maxima cuts rectifies may_fuse_halves \
    fuses_halves takes_maxima_of_halves uses_tensor_cores fuses_rounded_products fuses_pairs_that_are_rounded fuses_behind_a_function calls_a_fusing_function cuts_fused_products flushes_fused_products; do
    expect 1 "$name.ptx"
    expect 1 fine.ptx "$name.ptx"
    expect 0 --must-fail "$name.ptx"
done
expect 1 --must-fail fine.ptx
expect 1 --must-fail flushes.ptx fine.ptx
for flag in '' --must-fail; do
    # shellcheck disable=SC2086 # a flag or nothing
    {
        expect 2 $flag
        expect 2 $flag no_kernel.ptx
        expect 2 $flag not_there.ptx
        expect 2 $flag .
        expect 2 $flag fuses.ptx not_there.ptx
        expect 2 $flag fine.ptx no_kernel.ptx
    }
done
echo "$failures failed"
[ $failures -eq 0 ]
