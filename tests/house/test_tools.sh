#!/bin/sh
# tools/demo and tools/test among stand-ins for all that they call: what is called, what is said, the exit status.
set -u
tools=$(realpath "$(dirname "$0")/../../tools")
here=$(mktemp -d)
export here
trap 'rm -rf "$here"' EXIT
mkdir -p "$here/a house/build/default" "$here/bin"
cp -r "$tools" "$here/a house/tools"

# stand_in FILE: a command that notes how it was called, and does what is on standard input.
stand_in() {
    # shellcheck disable=SC2016 # the stand-in's own variables
    { echo '#!/bin/sh' && echo 'echo "${0##*/} $*" >>"$here/calls"' && cat; } >"$1"
    chmod +x "$1"
}

for command in sh cat env dirname realpath mkdir sed tr nproc; do
    ln -s "$(command -v "$command")" "$here/bin/"
done
for command in gcc ninja pkg-config nvcc g++ cmake; do
    stand_in "$here/bin/$command" </dev/null
done
stand_in "$here/a house/build/default/ulpscope" <<'END'
echo "report: out/demo/report.html"
END
stand_in "$here/bin/ctest" <<'END'
echo "the summary of ctest"
exit "$ctest_status"
END
stand_in "$here/bin/id" <<'END'
echo "$user"
END
stand_in "$here/bin/apt-get" <<'END'
echo "umask $(umask), $DEBIAN_FRONTEND" >>"$here/calls"
echo "what apt says"
case $* in *update) exit "$update_status" ;; *) exit "$apt_status" ;; esac
END
stand_in "$here/bin/dpkg-query" <<'END'
for package; do
    [ "$package" = "$absent" ] || printf 'installed=%s ' "$package"
done
[ ! "$absent" ]
END

# try WHAT NAME=VALUE... TOOL: runs the tool so; then out, err, status and calls are what came of it.
try() {
    what=$1
    shift
    : >"$here/calls"
    env -i PATH="$here/bin" here="$here" ULPSCOPE_OS_RELEASE="$here/os" \
        user=0 absent= update_status=0 apt_status=0 ctest_status=0 "$@" >"$here/out" 2>"$here/err"
    status=$?
    out=$(cat "$here/out") err=$(cat "$here/err") calls=$(cat "$here/calls")
}

failures=0
fail() {
    failures=$((failures + 1))
    printf 'FAIL %s: %s\n--- stdout\n%s\n--- stderr\n%s\n--- calls\n%s\n' "$what" "$1" "$out" "$err" "$calls"
}
exits() { [ "$status" = "$1" ] || fail "exit status $status, expected $1"; }
has() { case $1 in *"$2"*) ;; *) fail "expected \"$2\"" ;; esac; }
has_no() { case $1 in *"$2"*) fail "found \"$2\"" ;; esac; }

demo="$here/a house/tools/demo" test="$here/a house/tools/test"
for system in 'ID=debian VERSION_ID="12"' 'ID=ubuntu VERSION_ID="24.04"'; do
    echo "$system" | tr ' ' '\n' >"$here/os"

    try "installs nothing when nothing is missing" "$demo"
    exits 0
    has_no "$calls" apt-get
    has "$calls" "cmake --build --preset default --target ulpscope"
    has "$out" "report: out/demo/report.html"

    try "installs what is missing, and only that" absent=libcsv-dev "$demo"
    exits 0
    has "$calls" " update
umask 0022, noninteractive"
    has "$calls" " install --no-install-recommends libcsv-dev
umask 0022, noninteractive"
    has_no "$out$err" "what apt says"
done
for tool in "$demo" "$test"; do
    try "-h says what it does, and does nothing" "$tool" -h
    exits 0
    has "$out" "Installs what is missing"
    [ ! "$calls" ] || fail "something was called"
done

umask 077
try "packages are not installed with the caller's umask" absent=libcsv-dev "$demo"
has "$calls" "umask 0022"
has_no "$calls" "umask 0077"
umask 022

try "a broken source of other packages is no reason to stop" absent=libcsv-dev update_status=100 "$demo"
exits 0

try "a failed installation shows its log" absent=libcsv-dev apt_status=100 "$demo"
exits 1
has "$err" "what apt says"
has_no "$calls" cmake

try "what only some tests want is installed" absent=help2man "$test"
exits 0
has "$calls" "install --no-install-recommends help2man"
try "what only some tests want may be missing" absent=help2man apt_status=100 "$test"
exits 0
has "$out" "are skipped"
has "$calls" "ctest --preset default"

try "without root and sudo the packages are named" absent=libcsv-dev user=1000 "$demo"
exits 2
has "$err" "libcsv-dev"
has_no "$calls" apt-get

try "without options the preset is all that CMake is told" "$test"
has "$calls" "cmake --preset default
"
try "options reach CMake" ULPSCOPE_CONFIGURE="-DA=b -DC=d" "$test"
exits 0
has "$calls" "cmake --preset default -DA=b -DC=d
"

try "ctest has the last word" "$test"
exits 0
has "$calls" "ctest --preset default --no-tests=error"
[ "${out##*
}" = "the summary of ctest" ] || fail "something follows ctest's summary"
try "a failed test fails tools/test" ctest_status=8 "$test"
exits 8

stand_in "$here/bin/sudo" <<'END'
"$@"
END
try "without root, sudo installs" absent=libcsv-dev user=1000 "$demo"
exits 0
has "$calls" "sudo env"
has "$calls" "apt-get"

packages=$(sed -n 's/^ulpscope_find([^ ]* \([^ ]*\) .*/\1/p' "$tools/../cmake/libraries.cmake")
for package in ${packages:-none}; do
    try "what CMake looks for is installed" absent="$package" "$demo"
    has "$calls" "install --no-install-recommends $package"
done

rm "$here/bin/ninja"
try "a missing tool is missing" "$demo"
has "$calls" "install --no-install-recommends ninja-build"

for system in ID=fedora 'ID=debian VERSION_ID="13"' ''; do
    echo "$system" | tr ' ' '\n' >"$here/os"
    for tool in "$demo" "$test"; do
        try "elsewhere (${system:-no name}) the packages are named, and nothing is done" "$tool"
        exits 2
        for package in gcc cmake ninja-build libmpfr-dev librandom123-dev libcmocka-dev; do
            has "$err" "$package"
        done
        [ ! "$calls" ] || fail "something was called"
    done
done

[ "$failures" = 0 ] && echo "ok"
