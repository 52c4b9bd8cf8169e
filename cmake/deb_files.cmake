# Run by cpack -G DEB on the installed files: man pages are compressed, and changelog.Debian.gz, copyright and lintian's overrides added.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()
set(root ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(doc ${root}/${CPACK_ULPSCOPE_DOC})

file(GLOB pages ${root}/${CPACK_ULPSCOPE_MAN}/man?/*[0-9])
execute_process(
    COMMAND sh ${CPACK_ULPSCOPE_SOURCE}/cmake/debian_changelog.sh ${CPACK_ULPSCOPE_SOURCE}/CHANGELOG.md
        ${CPACK_PACKAGE_VERSION} ${CPACK_DEBIAN_PACKAGE_RELEASE} ${CPACK_DEBIAN_PACKAGE_MAINTAINER}
    OUTPUT_FILE ${doc}/changelog.Debian
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9nf ${pages} ${doc}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)

file(READ ${doc}/LICENSE licence)
string(REGEX MATCH "Copyright [^\n]*" copyright "${licence}")
string(REGEX REPLACE "^.*(Permission is hereby)" "\\1" licence "${licence}")
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" licence "\n${licence}")
string(REPLACE "Copyright (c)" "Copyright:" copyright "${copyright}")
file(WRITE ${doc}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ulpscope

Files: *
${copyright}
License: Expat${licence}")
file(REMOVE ${doc}/LICENSE)

file(MAKE_DIRECTORY ${root}/share/lintian/overrides)
file(WRITE ${root}/share/lintian/overrides/ulpscope
"# No bug of Debian's asked for it.
ulpscope: initial-upload-closes-no-bugs
# One package, for one command that installs: program, library and headers.
ulpscope: package-name-doesnt-match-sonames
ulpscope: link-to-shared-library-in-wrong-package
# README.md names it so.
ulpscope: wrong-name-for-upstream-changelog *
# CPack writes these scripts, with or without the trigger.
ulpscope: maintscript-calls-ldconfig *
")
