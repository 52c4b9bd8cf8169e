# shellcheck shell=sh
# Read by tools/demo and tools/test: installs what is missing, and builds.  POSIX sh, for the systems without bash that
# are told which packages to install.
#
# ULPSCOPE_OS_RELEASE  the file that names the system, in place of /etc/os-release (tests/house/test_tools.sh)
# ULPSCOPE_CONFIGURE   options for cmake, beside the preset's

case ${1-} in -h | --help) # what the head of the tool says
    sed -n '2,/^[^#]/s/^# //p' "$0"
    exit
    ;;
esac

root=$(realpath "$(dirname "$0")/..")
log=$root/build/tools.log

# package:command; the command may come from elsewhere as well.
tools="gcc:gcc cmake:cmake ninja-build:ninja pkgconf:pkg-config"
libraries="libc6-dev libmpfr-dev libgmp-dev libsqlite3-dev libjansson-dev libyaml-dev libxml2-dev nettle-dev libcsv-dev \
librandom123-dev zlib1g-dev liblzma-dev libcmocka-dev"
wanted= # libraries that are installed if they can be

has() { [ -x "$(command -v "$1")" ]; }

[ ! -e "$root/.git" ] || tools="$tools git:git" # the report names the commit
has nvcc || PATH=$PATH:/usr/local/cuda/bin
! has nvcc || tools="$tools g++:g++" # nvcc itself is never installed

stop() {
    echo "$1" >&2
    exit "$2"
}

# step WHAT COMMAND...: one line, and the command's output only if it fails.
step() {
    echo "$1"
    shift
    "$@" >"$log" 2>&1 && return
    status=$?
    cat "$log" >&2
    stop "Failed, with exit status $status: $*" 1
}

require_known_system() {
    # shellcheck source=/dev/null
    system=$(. "${ULPSCOPE_OS_RELEASE:-/etc/os-release}" 2>/dev/null && echo "$ID $VERSION_ID") || :
    [ "$system" = "debian 12" ] || [ "$system" = "ubuntu 24.04" ] ||
        stop "This installs packages on Debian 12 and Ubuntu 24.04 only.  Elsewhere, install what corresponds to
    $(for tool in $tools; do printf '%s ' "${tool%:*}"; done)$libraries
and then: cmake --preset default && cmake --build --preset default && build/default/ulpscope run" 2
}

missing_packages() {
    for tool in $tools; do
        has "${tool#*:}" || echo "${tool%:*}"
    done
    # shellcheck disable=SC2086,SC2016 # a list of words; dpkg-query's own $
    installed=" $(dpkg-query -W -f '${db:Status-Status}=${Package} ' $libraries 2>/dev/null || :)"
    for library in $libraries; do
        case $installed in *" installed=$library "*) ;; *) echo "$library" ;; esac
    done
}

# The umask is for what the packages' scripts write; sbin is for dpkg, which looks for ldconfig there.  Only the
# installing decides: a broken source of other packages is no reason to stop.
install_packages() (
    umask 022
    set -- env DEBIAN_FRONTEND=noninteractive "PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin" \
        apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"
    # shellcheck disable=SC2086 # a list of words
    { [ "$is_updated" ] || $as_root "$@" update; $as_root "$@" install --no-install-recommends $missing; }
)
is_updated= # the lists of packages, which takes seconds

may_install() {
    as_root=
    [ "$(id -u)" = 0 ] || { as_root=sudo && sudo true 2>/dev/null; }
}

install_missing() {
    missing=$(missing_packages | tr '\n' ' ')
    [ "$missing" ] || return 0
    may_install || stop "Installing needs root or sudo.  Have this done, then try again:
    apt-get update && apt-get install --no-install-recommends $missing" 2
    step "Installing $missing" install_packages
    is_updated=1
}

install_wanted() {
    missing=$(tools='' libraries=$wanted && missing_packages | tr '\n' ' ')
    [ "$missing" ] || return 0
    echo "Installing $missing"
    { may_install && install_packages >"$log" 2>&1; } || echo "Not installed; tests that want them are skipped"
}

# prepare TARGET
prepare() {
    require_known_system
    mkdir -p "$root/build"
    install_missing
    install_wanted
    cd "$root" || exit
    # shellcheck disable=SC2086 # a list of words
    step "Configuring build/default" cmake --preset default ${ULPSCOPE_CONFIGURE-}
    step "Building build/default" cmake --build --preset default --target "$1"
}
