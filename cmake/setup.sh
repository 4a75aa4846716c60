# Sourced by ./run, ./test and the like: installs packages, prepares LuaJIT, configures and builds. Each step does only
# what is missing, and is quiet. Progress goes to standard error, so that standard output belongs to the program.
# Expects $root, the project.
. "$root/cmake/luajit.sh"

say() { printf 'perigee: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# Runs a command and shows its output only if it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 || status=$?
    [ "$status" -eq 0 ] || cat "$log" >&2
    rm -f "$log"
    return "$status"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

# install_packages [LIST]: the packages that a list names, cmake/packages.txt by default.
install_packages() {
    local -a wanted missing
    mapfile -t wanted < <(sed 's/[[:space:]]*#.*//; /^$/d' "${1-$root/cmake/packages.txt}")
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian system; these packages are expected to be installed: ${wanted[*]}"
        return
    fi
    # One query for all; names that it does not list as installed are missing.
    mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}" | sort) \
        <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${wanted[@]}" 2>/dev/null |
            sed -n 's/^.i *//p' | sort -u))
    [ ${#missing[@]} -gt 0 ] || return 0

    local by_hand="apt-get install ${missing[*]}"
    command -v apt-get >/dev/null || fail "packages are missing and there is no apt-get; needed: ${missing[*]}"
    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
        fail "packages are missing and only root can install them; as root: $by_hand"
    say "installing ${#missing[@]} Debian packages: ${missing[*]}"
    # A fresh system has no package lists, an old one stale lists: update when the first try cannot know better.
    if ! as_root apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null 2>&1; then
        quietly as_root apt-get update -q || fail "apt-get update failed"
        quietly as_root apt-get install -y -q --no-install-recommends "${missing[@]}" ||
            fail "could not install packages; try by hand: $by_hand"
    fi
}

# configure_preset PRESET: if nothing has configured it yet, or it knows an older LuaJIT.
configure_preset() {
    local preset=$1 build="$root/build/$1"
    if [ ! -e "$build/build.ninja" ] || [ CMakePresets.json -nt "$build/CMakeCache.txt" ] ||
        [ build/luajit/current -nt "$build/CMakeCache.txt" ]; then
        say "configuring $preset"
        quietly cmake --preset "$preset" || fail "configuring failed"
        # CMake keeps the timestamp of an unchanged cache.
        touch "$build/CMakeCache.txt"
    fi
}

# build_preset PRESET [TARGET ...]
build_preset() {
    local preset=$1 build="$root/build/$1"
    shift
    cd "$root"
    # A preset that was given a LuaJIT keeps it.
    if ! grep -qs 'PERIGEE_LUAJIT_ROOT:[A-Z]*=.' "$build/CMakeCache.txt" && ! luajit_is_prepared; then
        # LuaJIT is one unit, of half a minute. Meanwhile the other cores compile the layer that needs no Lua; of two
        # cores the other one, in a quick build, a unit of it, so that neither waits for long.
        # Whatever fails of that is said later, by the build of everything.
        prepare_luajit &
        (
            [ "$(nproc)" -gt 1 ] && configure_preset "$preset" || exit 0
            unit=CMakeFiles/perigee_ecs.dir/Unity/unity_ecs_archetype_and_more_cxx.cxx.o
            [ "$(nproc)" -eq 2 ] && cmake --build "$build" --target "$unit" --parallel 1 ||
                cmake --build "$build" --target perigee_ecs --parallel $(($(nproc) - 1))
        ) >/dev/null 2>&1 || true
        wait
    fi
    configure_preset "$preset"
    local log="$build/build.log"
    # Ninja by itself starts two compilers more than there are cores, which takes 7 % longer.
    local -a command=(cmake --build "$build" --parallel "$(nproc)" ${1+--target "$@"})
    # Says that it builds at the first step that compiles, then at each tenth of the way; the rest is in the log.
    if ! "${command[@]}" 2>&1 | tee "$log" | report_progress "$preset"; then
        grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Re-check|Embed)' "$log" >&2 || true
        fail "the build failed; all of it: $log"
    fi
}

# Not awk: Debian's reads a pipe in blocks, and the news would come minutes late.
report_progress() {
    local preset=$1 line last=-1 tenth
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking) ]] || continue
        tenth=$((BASH_REMATCH[1] * 10 / BASH_REMATCH[2]))
        if [ "$last" -lt 0 ]; then
            say "building $preset (${BASH_REMATCH[2]} steps)"
        elif [ "$tenth" -gt "$last" ]; then
            say "${tenth}0 %"
        fi
        last=$tenth
    done
}
