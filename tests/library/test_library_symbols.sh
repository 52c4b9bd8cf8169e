#!/bin/sh
# What libulpscope exports is the committed list, what it needs is the C library, and it has nothing to print, to stop or
# to end a program with.  A symbol that is taken away, or another version of one, breaks whoever was linked with it.
#
#   test_library_symbols.sh libulpscope.so SYMBOLS.txt OTHER.so   OTHER: a library that does print: the twin
set -u
failures=0
report() {
    if [ "$1" -eq 0 ]; then
        echo "ok    $2"
    else
        echo "FAIL  $2"
        failures=$((failures + 1))
    fi
}
endings='^(abort|exit|_exit|_Exit|__assert_fail|puts|printf|__printf_chk|putchar|perror|stdout|stderr|raise|kill|mpfr_|__gmp)'
ends() {
    nm -D --undefined-only "$1" | awk '{print $2}' | sed 's/@.*//' | grep -Eq "$endings"
}

nm -D --defined-only "$1" | awk '{print $3}' | LC_ALL=C sort | diff "$2" -
report $? "the exported symbols are those of $2"
! (nm -D --defined-only "$1"; echo "0 T ulpscope_more") | awk '{print $3}' | LC_ALL=C sort | diff "$2" - >/dev/null
report $? "one more is found"
! ends "$1"
report $? "nothing prints or ends the program"
ends "$3"
report $? "what prints is found in $(basename "$3")"
readelf -d "$1" | grep NEEDED | grep -Evq 'lib(c|m|pthread)\.so|ld-linux'
[ $? -ne 0 ]
report $? "it needs the C library alone"
readelf -d "$1" | grep -q 'SONAME.*libulpscope\.so\.0]'
report $? "its name is libulpscope.so.0"
[ $failures -eq 0 ]
