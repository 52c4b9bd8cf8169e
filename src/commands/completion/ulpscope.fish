# fish completion for ulpscope, which is asked for every word.  `ulpscope completion fish` prints this.
function __ulpscope_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l before
    test (count $words) -gt 1; and set before $words[2..-1]
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    for line in ($program --complete $before "$last" 2>/dev/null)
        set -l parts (string split -m 1 \t -- $line)
        if test "$parts[1]" = :files
            set -l typed (string sub -s (math (string length -- "$parts[2]") + 1) -- "$last")
            for file in (__fish_complete_path $typed)
                echo $parts[2]$file
            end
        else
            echo $line
        end
    end
end
complete -c ulpscope -f -a '(__ulpscope_complete)'
