# bash completion for ulpscope, which is asked for every word.  `ulpscope completion bash` prints this.
_ulpscope()
{
    # Bash cuts words at : and =; what no blank parts is one.
    local i word meaning file program=${1:-ulpscope} rest=${COMP_LINE-${COMP_WORDS[*]}} words=()
    rest=${rest:0:${COMP_POINT:-${#rest}}}
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i == 0)) || [[ -z $rest || $rest == [[:blank:]]* ]]; then
            rest=${rest#"${rest%%[![:blank:]]*}"}
            words+=("")
        fi
        ((i == COMP_CWORD)) && word=$rest
        words[${#words[@]} - 1]+=$word
        rest=${rest#"$word"}
    done

    # What Readline leaves as it stands: an opening quote, or all up to the last : or =.
    local last=${words[${#words[@]} - 1]} head= breaks=${COMP_WORDBREAKS//[^:=@]/}
    if [[ $last == [\'\"]* ]]; then
        last=${last:1}
    elif [[ -n $breaks ]]; then
        head=${last%"${last##*[$breaks]}"}
    fi

    COMPREPLY=()
    while IFS=$'\t' read -r word meaning; do
        if [[ $word == :files ]]; then
            while IFS= read -r file; do
                [[ -d $file ]] && file+=/
                file=$meaning$file
                COMPREPLY+=("${file#"$head"}")
            done < <(compgen -f -- "${last#"$meaning"}")
        else
            COMPREPLY+=("${word#"$head"}")
        fi
    done < <("${program/#\~\//$HOME/}" --complete "${words[@]:1:${#words[@]} - 2}" "$last" 2>/dev/null)
    [[ ${COMPREPLY[0]} == *[:=/@] ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -F _ulpscope ulpscope
