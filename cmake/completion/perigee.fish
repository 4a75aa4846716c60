# Completion of perigee in fish. What there is to complete is what the program's own help lists.

function __perigee_command
    set -l commands (perigee --help 2>/dev/null | string match -rg '^  ([a-z]+)  ')
    for word in (commandline -opc)[2..]
        if contains -- $word $commands
            echo $word
            return
        end
    end
end

function __perigee_commands
    perigee --help 2>/dev/null | string match -rg '^  ([a-z]+  +.*)' | string replace -r '  +' \t
end

function __perigee_options
    perigee (__perigee_command) --help 2>/dev/null | string match -rg '^  (?:-[a-z],)?(--[a-z-]+)'
end

complete -c perigee -n 'test -z (__perigee_command)' -a '(__perigee_commands)'
complete -c perigee -n 'string match -q -- "-*" (commandline -ct)' -a '(__perigee_options)'
