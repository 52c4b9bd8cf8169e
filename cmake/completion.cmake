# The completion of command lines: a script for each shell, printed by the program (`ulpscope completion bash`) and installed
# where the shell looks for it.
foreach(shell bash zsh fish)
    string(TOUPPER COMPLETION_${shell} name)
    ulpscope_generate_text(${PROJECT_BINARY_DIR}/include/generated/completion_${shell}.h ${name}
        ${PROJECT_SOURCE_DIR}/src/commands/completion/ulpscope.${shell})
endforeach()
install(FILES src/commands/completion/ulpscope.bash DESTINATION share/bash-completion/completions RENAME ulpscope)
install(FILES src/commands/completion/ulpscope.zsh DESTINATION share/zsh/site-functions RENAME _ulpscope)
install(FILES src/commands/completion/ulpscope.fish DESTINATION share/fish/vendor_completions.d)
