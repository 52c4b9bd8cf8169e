#!/bin/sh
# Holds @what@ to limits.yaml.  Exit status: 0 they hold, 1 they do not, 2 and 3 nobody can tell.
cd "$(dirname "$0")" || exit 2
@build@ || exit 2
ulpscope run study.yaml -o out --overwrite --speed 0
status=$?
[ $status -le 1 ] || exit $status # 1: a bound is broken, and check says more about it
ulpscope check out @limits@
