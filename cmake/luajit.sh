# Sourced by setup.sh: a current LuaJIT for every preset, built once into build/luajit/. By itself,
# `bash cmake/luajit.sh`, it does that alone: for hosts that build Perigee as a part of theirs.
#
#   build/luajit/VERSION-FLAGS/   include/luajit-2.1, lib/libluajit-5.1.a, share/luajit-2.1/jit/vmdef.lua
#   build/luajit/current          link to the one in use; cmake/dependencies.cmake looks here
#   build/luajit/unavailable      when fetching failed, and since which start of the machine
#
# The sources are those of Debian's package in the newest suite of the archive that this system already uses.
# apt fetches them and checks signatures and sums. Its lists, caches and sources are temporary, so the system
# does not change and no privileges are needed. Once a LuaJIT is built, nothing here uses the network. Nothing
# here fails a build: without a current LuaJIT the system's is used (docs/decisions/0016).

luajit_folder=${root-}/build/luajit
luajit_suites="unstable testing stable"
# Errors unwind through LuaJIT's frames and those of C++; hosts may be shared objects.
luajit_flags="-fPIC -fexceptions -fasynchronous-unwind-tables"
# In loops, the bits of a number that is used again were taken from the number's own register: bit.bor(5, n) added
# 1.5 * 2^52 to n (x86-64, all versions until at least August 2026). cmake/luajit_works.lua tests it.
luajit_mend='/^static void asm_tobit/,/^}/ s/ra_alloc1(as, ir->op1, RSET_FPR)/ra_scratch(as, RSET_FPR)/'
luajit_oldest=1735689600 # 2025-01-01, in seconds since 1970
luajit_patience_hours=6  # before a fetch that failed is tried again

luajit_recipe() { printf '%s %s %s' "$luajit_flags" "$luajit_mend" "$HOSTTYPE" | cksum | cut -d ' ' -f 1; }

# Whether there is nothing to do for prepare_luajit.
luajit_is_prepared() { [ -e "$luajit_folder/current/recipe-$(luajit_recipe)" ] || luajit_failed_lately; }

# Creates $luajit_folder/current, or says why it cannot. Cost: two tests if it exists already.
prepare_luajit() {
    local recipe
    ! luajit_is_prepared || return 0
    recipe=$(luajit_recipe)
    mkdir -p "$luajit_folder"
    # Two builds started at the same time make one LuaJIT.
    (
        flock 9
        [ ! -e "$luajit_folder/current/recipe-$recipe" ] || exit 0
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT
        chmod 755 "$work" # apt downloads as a user of its own
        say "fetching a current LuaJIT, once"
        if reason=$(make_luajit "$work" "$recipe"); then
            rm -f "$luajit_folder/unavailable"
        else
            luajit_session >"$luajit_folder/unavailable"
            say "no current LuaJIT: $reason; the system's is used."
            say "./run and ./test try again after $luajit_patience_hours hours, or when build/luajit/unavailable is removed"
        fi
    ) 9>"$luajit_folder/lock"
}

luajit_session() { cat /proc/sys/kernel/random/boot_id 2>/dev/null || echo unknown; }

luajit_failed_lately() {
    local mark=$luajit_folder/unavailable
    [ -e "$mark" ] && [ "$(cat "$mark")" = "$(luajit_session)" ] &&
        [ -n "$(find "$mark" -mmin "-$((luajit_patience_hours * 60))")" ]
}

# make_luajit WORK RECIPE: prints the reason on standard output when it cannot.
make_luajit() {
    local work=$1 recipe=$2 suite reason="" archive tool
    SECONDS=0
    for tool in apt-get make gcc xz timeout; do
        command -v "$tool" >/dev/null || { echo "$tool is not installed"; return 1; }
    done
    find_debian_archive "$work" || { echo "no package source of this system is Debian's archive"; return 1; }
    archive=$(cat "$work/archive")
    for suite in $luajit_suites; do
        # An archive that does not answer is asked once, one that lacks a suite answers at once.
        [ "$SECONDS" -lt 20 ] || [ -z "$reason" ] || break
        rm -rf "$work/$suite"
        mkdir "$work/$suite"
        if ! fetch_luajit "$work" "$suite" "$archive" >"$work/log" 2>&1; then
            reason="its sources could not be fetched"
        elif ! build_luajit "$work/$suite" "$recipe" >"$work/log" 2>&1; then
            reason="its sources could not be built"
            SECONDS=0
        else
            return 0
        fi
        cp "$work/log" "$luajit_folder/log"
    done
    echo "$reason (build/luajit/log)"
    return 1
}

# quiet_apt WORK COMMAND…: apt-get with the system's settings but without the programs that it starts
# afterwards, with its own lists and caches. Unsigned packages are refused regardless of the settings.
quiet_apt() {
    local work=$1 limit=$2 settings
    shift 2
    settings=$work/settings
    if [ ! -d "$settings" ]; then
        mkdir "$settings" "$work/cache" "$work/empty"
        find /etc/apt/apt.conf.d -maxdepth 1 -type f -readable -exec ln -s -t "$settings" {} + 2>/dev/null || true
        [ ! -r /etc/apt/apt.conf ] || ln -s /etc/apt/apt.conf "$settings/zz-system.conf"
        printf '#clear %s;\n' APT::Update::Pre-Invoke APT::Update::Post-Invoke APT::Update::Post-Invoke-Success \
            >"$settings/zzz-perigee.conf"
        printf 'Dir::Etc::Parts "%s";\nDir::Etc::Main "";\n' "$settings" >"$work/apt.conf"
    fi
    APT_CONFIG=$work/apt.conf timeout "$limit" apt-get -q \
        -o Dir::Cache="$work/cache" -o Acquire::Languages=none \
        -o Acquire::Retries=0 -o Acquire::http::Timeout=8 -o Acquire::https::Timeout=8 \
        -o Acquire::AllowInsecureRepositories=false -o Acquire::AllowWeakRepositories=false \
        -o Acquire::AllowDowngradeToInsecureRepositories=false -o APT::Get::AllowUnauthenticated=false "$@"
}

# The address from which this system takes Debian's main packages, into WORK/archive.
find_debian_archive() {
    local work=$1 state=()
    local targets=(indextargets --format '$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(TRUSTED)|$(REPO_URI)' "Created-By: Packages")
    quiet_apt "$work" 20 "${targets[@]}" >"$work/targets" 2>/dev/null || true
    if [ ! -s "$work/targets" ]; then
        # For systems whose package lists were deleted: they are fetched to a separate folder.
        mkdir -p "$work/own/partial"
        state=(-o Dir::State::Lists="$work/own")
        quiet_apt "$work" 60 "${state[@]}" update >/dev/null 2>&1 || return 1
        quiet_apt "$work" 20 "${state[@]}" "${targets[@]}" >"$work/targets" 2>/dev/null || return 1
    fi
    sed -n 's/^Debian|Debian|main|yes|//p' "$work/targets" | head -n 1 >"$work/archive"
    [ -s "$work/archive" ]
}

# fetch_luajit WORK SUITE ADDRESS: the upstream tarball of the suite's package, into WORK/SUITE.
fetch_luajit() {
    local work=$1 suite=$2 address=$3 keyring=/usr/share/keyrings/debian-archive-keyring.gpg signed=""
    local here=$work/$suite
    [ ! -r "$keyring" ] || signed="[signed-by=$keyring] "
    echo "deb-src $signed$address $suite main" >"$here/sources.list"
    mkdir -p "$here/lists/partial" "$here/download"
    [ "$(id -u)" -ne 0 ] || chown _apt "$here/download" 2>/dev/null || true
    local sources=(-o Dir::Etc::SourceList="$here/sources.list" -o Dir::Etc::SourceParts="$work/empty"
        -o Dir::State::Lists="$here/lists")
    # Warnings count as errors: apt only warns if a server does not answer, and continues with its old lists.
    quiet_apt "$work" 60 "${sources[@]}" -o APT::Update::Error-Mode=any update &&
        (cd "$here/download" && quiet_apt "$work" 60 "${sources[@]}" source --download-only --tar-only --only-source luajit)
}

# build_luajit HERE RECIPE: from HERE/download to a separate folder under $luajit_folder, and links `current`.
build_luajit() {
    local here=$1 recipe=$2 version prefix
    mkdir "$here/source" && tar -xf "$here"/download/luajit_*.orig.tar.* -C "$here/source" --strip-components=1 || return 1
    version=$(cat "$here/source/.relver") || return 1
    [ "$version" -ge "$luajit_oldest" ] || { echo "released at $version, which is too old"; return 1; }
    prefix=$luajit_folder/2.1.$version-$recipe
    rm -rf "$prefix" "$prefix.part"
    sed -i "$luajit_mend" "$here/source/src/lj_asm_x86.h" || return 1
    # One unit of compilation: half the time of one for each file.
    env -u MAKEFLAGS -u MAKELEVEL make -C "$here/source/src" -j "$(nproc)" amalg BUILDMODE=static CFLAGS="$luajit_flags" &&
        "$here/source/src/luajit" "$root/cmake/luajit_works.lua" &&
        install -D -m 644 -t "$prefix.part/include/luajit-2.1" "$here"/source/src/{lua.h,lua.hpp,luaconf.h,lualib.h,lauxlib.h,luajit.h} &&
        install -D -m 644 "$here/source/src/libluajit.a" "$prefix.part/lib/libluajit-5.1.a" &&
        install -D -m 644 -t "$prefix.part/share/luajit-2.1/jit" "$here"/source/src/jit/vmdef.lua &&
        install -D -m 644 -t "$prefix.part" "$here/source/COPYRIGHT" &&
        touch "$prefix.part/recipe-$recipe" &&
        mv "$prefix.part" "$prefix" &&
        ln -sfnT "$(basename "$prefix")" "$luajit_folder/current"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    set -euo pipefail
    root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
    luajit_folder=$root/build/luajit
    say() { printf 'perigee: %s\n' "$*" >&2; }
    prepare_luajit
fi
