#!/bin/sh
# Every file of C and CUDA is as .clang-format has it, by the version of clang-format that Debian 12 has: others differ.
#
#   test_clang_format.sh SOURCE_DIRECTORY
cd "$1" || exit 1
clang-format --version 2>/dev/null | grep -q ' version 14\.' || { echo "skipped: no clang-format 14"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
find kernels reference datasets reports src include tests examples tools -name '*.[ch]' -o -name '*.cu' |
    grep -vE '/build/' >"$work/files"
xargs clang-format --dry-run -Werror <"$work/files" 2>"$work/said" || { cat "$work/said"; exit 1; }
count=$(wc -l <"$work/files")
[ "$count" -ge 1000 ] || { echo "only $count files were looked at"; exit 1; }
cp .clang-format "$work"
printf 'int f(void)\n{\n  return 1;\n}\n' >"$work/wrong.c"
! clang-format --dry-run -Werror "$work/wrong.c" 2>/dev/null || { echo "a wrong indentation is not found"; exit 1; }
echo "ok: $count files"
