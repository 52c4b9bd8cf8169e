#!/bin/sh
# The man pages: ulpscope(1) and one of each command, from their --help by help2man; one of each file format, from the page in docs/
# that documents it by lowdown.  A page whose text has not changed is left alone.
#
#   man_pages.sh PROGRAM SOURCE_DIRECTORY VERSION DIRECTORY          writes DIRECTORY/man1/*.1 and DIRECTORY/man5/*.5
set -eu
export LC_ALL=C.UTF-8
program=$1 docs=$2/docs version=$3 pages=$4
texts=$pages/texts
day=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%F)

# A format, the page that documents it, or the section of it, and what it is.
# shellcheck disable=SC2016 # Markdown's own `
formats='
study           commands.md#Study_files           methods, data and launches of a run
limits          ci.md#Limits_files                what a run is held to
baseline        ci.md#Baselines                   what the series of a run were
data            exact.md#Files                    files of numbers
fingerprints    determinism.md#Between_machines   the bits of a fixed grid of sums
run.json        analysing.md#run.json             everything that a run measured
comparison.json analysing.md#comparison.json      runs that are compared
arithmetic.json matmul.md#JSON_of_arithmetic      what a matrix product is computed in
attack.json     attack.md#JSON                    what an attack found
bench.json      bench.md#JSON                     speeds and accuracies
blame.json      explain.md#JSON_of_blame          which additions lost the bits
exact.json      exact.md#JSON                     an exact sum and its roundings
explain.json    explain.md#JSON_of_explain        why two methods differ
grade.json      matmul.md#JSON_of_grade           how a matrix product is computed
'

# What help2man knows how to set: ASCII, examples behind $, a heading at the left.
legible_help() {
    # shellcheck disable=SC2016 # sed's own $
    ARGP_HELP_FMT=rmargin=200 "$program" "$@" --help | iconv -t ASCII//TRANSLIT | sed -E '
        /^Examples:/,/^$/{s/([^ ])   +/\1    # /; s/^  +/  $ /}
        s/^ ([A-Z].*:)$/\1/
        s/^  ([a-z]+) +(.*[^ ]) +(ulpscope .*)/  \1    \2: \3/'
}

# is_new NAME: whether the text on standard input is not that of the page; keeps it.
is_new() {
    cat >"$texts/next"
    ! cmp -s "$texts/$1" "$texts/next" || [ ! -e "$pages/man${1##*.}/$1" ] || return 1
    mv "$texts/next" "$texts/$1"
}

# command_page NAME SUMMARY [COMMAND]
command_page() {
    name=$1 summary=$2
    shift 2
    { echo "$version $summary" && legible_help "$@"; } | is_new "$name.1" || return 0
    printf '#!/bin/sh\nsed 1d "%s"\n' "$texts/$name.1" >"$texts/$name"
    chmod +x "$texts/$name"
    help2man --no-info --name "$summary" --version-string "$version" -o "$texts/page" "$texts/$name"
    sed -E "s/^(\\.TH [^ ]+ \"1\" )\"[^\"]*\"/\\1\"$day\"/" "$texts/page" >"$pages/man1/$name.1"
    rm "$texts/$name" "$texts/page"
}

# The lines of a page or, behind a #, of its section; of a link, its text.
format_text() {
    file=${1%%#*} section=
    [ "$file" = "$1" ] || section=$(echo "${1#*#}" | tr _ ' ')
    awk -v section="$section" '
        /^```/ { is_code = !is_code }
        !is_code && section && /^##+ / {
            level = index($0, " ")
            if (level <= depth) depth = 0
            if (!depth && substr($0, level + 1) == section) { depth = level; next }
            if (depth) $0 = substr($0, depth)
        }
        (section ? depth : NR > 1) && !/^<!--.*-->$/' "$docs/$file" |
        sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g'
}

# format_page NAME PAGE SUMMARY
format_page() {
    name=ulpscope-$1
    text=$(format_text "$2")
    [ "$text" ] || {
        echo "docs/$2: expected a section of that name, found none; correct cmake/man_pages.sh" >&2
        exit 1
    }
    {
        printf '# NAME\n\n%s - %s\n\n# DESCRIPTION\n\n%s\n' "$name" "$3" "$text"
        printf '\n# SEE ALSO\n\n**ulpscope**(1); %s in the documentation\n' "${2%%#*}"
    } | is_new "$name.5" || return 0
    lowdown -s -Tman -m "title=$name" -m section=5 -m "date=$day" -m "source=ulpscope $version" -o "$texts/page" "$texts/$name.5"
    sed 's/\\fC/\\f(CR/g; s/\\e|/|/g' "$texts/page" >"$pages/man5/$name.5"
}

mkdir -p "$pages/man1" "$pages/man5" "$texts"
command_page ulpscope "how accurate a floating-point sum is"
legible_help | sed -nE 's/^  ([a-z]+)    (.*): ulpscope .*/\1 \2/p' | while read -r command summary; do
    command_page "ulpscope-$command" "$summary" "$command"
done
echo "$formats" | while read -r format page summary; do
    [ ! "$format" ] || format_page "$format" "$page" "$summary"
done
