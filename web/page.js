/* What the pages have in common: how they look, what they may do, and the scripts, in the order in which they need each other;
 * a page names its own in data-scripts.  They are written into the page while it is read, as classic scripts: a page that was
 * opened as a file may load no modules. */
'use strict';

/* No page connects to anything: scripts, style and pictures come from its own folder, and nothing goes out. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";
const SCRIPTS = ['engine/program', 'engine/worker', 'engine/engine', 'elements', 'state', 'numbers', 'program', ...document.currentScript.dataset.scripts.split(' ')];

document.write(`<meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="${POLICY}">
    <link rel="stylesheet" href="style.css">`, ...SCRIPTS.map(name => `<script defer src="${name}.js"></script>`));

/** A fault of the page itself: it is said, and what was entered stands in the address still. */
function say_fault(words) {
    const box = document.createElement('p');
    box.className = 'message';
    box.textContent = words;
    document.getElementById('remarks').append(box);
}

addEventListener('error', event => say_fault(event.target.src ? `${event.target.src} could not be loaded; open a folder that tools/site made.`
    : `This page has a fault (${event.message}); load it again.`), true);
addEventListener('unhandledrejection', event => say_fault(`This page has a fault (${event.reason?.message ?? event.reason}); load it again.`));
