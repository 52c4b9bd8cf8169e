#compdef ulpscope
# zsh completion for ulpscope, which is asked for every word.  `ulpscope completion zsh` prints this.
_ulpscope() {
    local word meaning
    local -a open open_shown whole whole_shown
    while IFS=$'\t' read -r word meaning; do
        if [[ $word == :files ]]; then
            compset -P "${(b)meaning}"
            _files
        elif [[ $word == *[:=/@] ]]; then
            open+=("$word")
            open_shown+=("$word  $meaning")
        else
            whole+=("$word")
            whole_shown+=("$word  $meaning")
        fi
    done < <(${~words[1]} --complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
    (($#whole)) && compadd -l -d whole_shown -a whole
    (($#open)) && compadd -S '' -l -d open_shown -a open
}
if [[ $funcstack[1] == _ulpscope ]]; then
    _ulpscope "$@"
else
    compdef _ulpscope ulpscope
fi
