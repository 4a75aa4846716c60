#!/usr/bin/env bash
# ./test tidy [FILE...]: runs clang-tidy with the checks of checks.yaml over these source files, or over all but the
# tests. Prints the findings of each file, and ends with status 0 if there are none. All files take half an hour on two
# cores.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
. "$root/cmake/setup.sh"

case ${1-} in -*) sed -n 2,4p "$0"; exit 2 ;; esac
files=()
for file in "$@"; do
    [ -f "$file" ] || fail "no such file: $file"
    files+=("$(realpath "$file")")
done
cd "$root"
if [ ${#files[@]} -eq 0 ]; then
    mapfile -t files < <(find "$root"/{ecs,scripting,engine,game,bench} -name '*.c' -o -name '*.cpp' | sort)
fi

install_packages
install_packages cmake/tidy/packages.txt
# Only the copies of headers that hosts and plugins include are built; clang-tidy needs those and the flags.
(build_preset tidy perigee_headers)

# The flags are those of g++: clang does not know all of them, and its own warnings are not asked for.
findings_of() {
    local found
    found=$(clang-tidy-19 --quiet -p build/tidy --config-file=cmake/tidy/checks.yaml \
        --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-error "$1" 2>&1) && return
    printf '%s\nperigee: clang-tidy has findings in %s\n' \
        "$(grep -vE '^[0-9]+ (warnings?|errors?) .*generated|^Suppressed ' <<<"$found")" "$1"
    return 1
}
export -f findings_of

say "clang-tidy reads ${#files[@]} files"
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'findings_of "$1"' findings_of ||
    fail "clang-tidy found something"
say "clang-tidy found nothing"
