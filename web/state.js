/* What a page shows stands in its URL, behind the #, so that it can be sent, and opened years later:
 * #v=1&data=numbers&numbers=1+2e8+3&method=plain%2Fserial.  A key that is unknown, of a later version or misspelt, is left
 * alone and named; one that is missing has the page's default, which never changes within a version. */
'use strict';

const STATE_VERSION = 1;

/** @param {Object<string, string>} defaults  @return {{state: Object<string, string>, remarks: string[]}} */
function read_state(hash, defaults) {
    const state = {...defaults}, unknown = [], remarks = [];
    for (const [key, value] of new URLSearchParams(hash.replace(/^#/, '')))
        if (key === 'v') {
            if (value !== String(STATE_VERSION))
                remarks.push(`This address is of version ${value.slice(0, 20)}; this page reads version ${STATE_VERSION}, and what both know is shown.`);
        } else if (Object.hasOwn(defaults, key))
            state[key] = value;
        else
            unknown.push(key.slice(0, 40));
    if (unknown.length)
        remarks.push(`Not known here, and left out: ${unknown.join(', ')}.`);
    return {state, remarks};
}

/** Defaults stand in no URL: it stays short. */
function write_state(state, defaults) {
    const kept = Object.entries(state).filter(([key, value]) => value !== defaults[key]);
    return '#' + new URLSearchParams([['v', STATE_VERSION], ...kept]).toString();
}

function keep_state(state, defaults) {
    const hash = write_state(state, defaults);
    if (hash !== location.hash)
        history.replaceState(null, '', hash);
}

/** The link that skips to the result goes there without the #, which is the state's. */
function listen_to_skip() {
    const link = document.querySelector('.skip');
    link.addEventListener('click', event => {
        event.preventDefault();
        document.querySelector(link.hash).focus();
    });
}
