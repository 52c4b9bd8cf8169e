#!/bin/sh
# A compiler launcher: keep_ptx.sh NVCC ... -o OBJECT compiles, and keeps as OBJECT.ptx what the object was assembled from, for
# tests/kernels/lint_ptx.sh.  nvcc's other intermediate files go.
set -eu
before=
object=
for argument; do
    [ "$before" != -o ] || object=$argument
    before=$argument
done
trap 'rm -rf "$object.keep"' EXIT
mkdir -p "$object.keep"
"$@" --keep --keep-dir "$object.keep"
cat "$object.keep"/*.ptx >"$object.ptx"
