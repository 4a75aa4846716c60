# Completion of perigee in bash. What there is to complete is what the program's own help lists, so nothing is named here.

_perigee() {
    local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local commands command="" help values word
    COMPREPLY=()
    commands=$("$program" --help 2>/dev/null | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p')
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if grep -qx -- "$word" <<<"$commands"; then
            command=$word
            break
        fi
    done
    # shellcheck disable=SC2086 # no command is no word
    help=$("$program" $command --help 2>/dev/null)
    # "--jit on|off": one of those.
    values=$(sed -n "s/^  $previous \([a-z]*|[a-z|]*\).*/\1/p" <<<"$help" 2>/dev/null)
    if [[ $previous == --* && -n $values ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${values//|/ }" -- "$current")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(grep -oE '^  (-[a-z],)?--[a-z-]+' <<<"$help" | sed 's/^.*--/--/')" -- "$current")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        if [[ -z $command ]]; then
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$commands" -- "$current")
        fi
    fi
}

complete -F _perigee perigee
