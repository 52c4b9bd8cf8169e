#!/bin/sh
# CHANGELOG.md as Debian writes it: an entry for each heading "## ... VERSION ... YYYY-MM-DD" with a line for each of its list.
#
#   debian_changelog.sh CHANGELOG.md VERSION RELEASE MAINTAINER      VERSION: of a heading without one, and of what has no file
set -eu
file=$1 version=$2 release=$3 maintainer=$4
today=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%F)
[ -e "$file" ] || file=/dev/null

# Lines "=VERSION DATE" and "*WORDS", one for each item.
entries() {
    awk -v version="$version" -v today="$today" '
        function flush() { if (item != "") print "*" item; item = "" }
        /^## / {
            flush()
            of = match($0, /[0-9]+\.[0-9]+\.[0-9]+/) ? substr($0, RSTART, RLENGTH) : version
            day = match($0, /[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]/) ? substr($0, RSTART, RLENGTH) : today
            print "=" of " " day
            entries++
            next
        }
        { gsub(/[*][*]/, "") }
        entries && /^[-*] / { flush(); item = substr($0, 3); next }
        item != "" && /^ +[^ ]/ { sub(/^ +/, " "); item = item $0; next }
        { flush() }
        END { flush(); if (!entries) print "=" version " " today }' "$file"
}

signature=
close_entry() {
    [ ! "$signature" ] || printf '\n%s\n\n' "$signature"
}
entries | {
    while read -r line; do
        case $line in
        =*)
            close_entry
            entry=${line#=}
            printf 'ulpscope (%s-%s) unstable; urgency=medium\n\n  * Version %s.\n' "${entry% *}" "$release" "${entry% *}"
            signature=" -- $maintainer  $(LC_ALL=C date -u -R -d "${entry#* }")"
            ;;
        *) printf '%s\n' "${line#?}" | fold -s -w 72 | sed 's/ *$//; 1s/^/  * /; 1!s/^/    /' ;;
        esac
    done
    close_entry
}
