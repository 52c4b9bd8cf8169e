#!/bin/sh
# A program for --pipe, in sh: od writes the elements as text, awk adds them.
while read -r question; do
    case $question in
    *'"request"'*) echo '{"methods": [{"name": "awk"}]}' ;;
    *)
        bytes=${question##*'"bytes": '}
        sum=$(head -c "${bytes%\}}" | od -An -v -w4 -tfF | awk '{ s += $1 } END { printf "%.17g", s }')
        echo "{\"value\": \"$sum\"}"
        ;;
    esac
done
