/* The program: every answer of a page is that of a command, run in a worker (engine/), whose text the page shows too, so that
 * it can be typed elsewhere.  What a command refuses it refuses in its own words. */
'use strict';

const engine = ulpscope_engine();

/** A command that ended with another status than 0: message is what it said. */
class Refused extends Error {}
/** A command whose answer nobody waits for any more. */
class Stopped extends Error {}

let last_command = Promise.resolve();

/** 'ulpscope: x.txt:2: ...' less the lines that tell of the machine. */
function said(text) {
    return text.split('\n').filter(line => line && !/^(device:|Try `ulpscope)/.test(line))
        .map(line => line.replace(/^ulpscope: /, '').replace(/^(tree|blame|exact|explain|attack|triple|run|lesson): /, '')).join('\n');
}

/** Commands run one after another: a module has one worker. */
function run_command(args, files = {}) {
    const mine = last_command.then(async () => {
        await engine.ready;
        return engine.command(args, files);
    });
    last_command = mine.catch(() => null);
    return mine.then(result => {
        if (result.stopped)
            throw new Stopped('stopped');
        if (result.status !== 0)
            throw new Refused(said(result.err) || `the program ended with status ${result.status}`);
        return result;
    });
}

async function run_json(args, files) {
    const result = await run_command(args, files);
    try {
        return {...JSON.parse(result.out), said: said(result.err), milliseconds: result.milliseconds};
    } catch (error) {
        throw new Refused(`the program's answer is not JSON (${error.message})`);
    }
}

/** 'a b' and the like in quotes, as a shell wants them. */
function quoted(text) {
    return /^[\w@%+=:,./^-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** What to type for the same answer; numbers of a field are put into the file first. */
function command_line(args, files = {}) {
    const lines = Object.entries(files).filter(([, text]) => typeof text === 'string').map(([name, text]) => {
        const numbers = text.trim().split('\n');
        return numbers.length > 40 ? `# ${name} has the ${numbers.length} numbers of the field, one a line`
            : `printf '%s\\n' ${numbers.map(quoted).join(' ')} >${name}`;
    });
    return [...lines, `ulpscope ${args.map(quoted).join(' ')}`].join('\n');
}

function command_shown(...texts) {
    return make('details', {class: 'command'}, make('summary', {}, 'The same on a command line'),
        make('pre', {tabindex: '0', role: 'region', 'aria-label': 'command line'}, texts.join('\n')));
}

/** Says in #busy what is going on, and lets it be stopped. */
async function while_busy(words, work) {
    const stop = make('button', {type: 'button', onclick: () => engine.stop()}, 'Stop');
    const timer = setTimeout(() => show('busy', words + ' … ', stop), 250);
    try {
        return await work();
    } finally {
        clearTimeout(timer);
        by_id('busy').replaceChildren();
        by_id('busy').hidden = false;
    }
}

/** The program's version, at the foot of the page, or why there is none. */
async function say_version() {
    try {
        const {version, milliseconds} = await engine.ready;
        by_id('version').textContent = `ulpscope ${version}, ready after ${Math.round(milliseconds)} ms; everything is computed on this machine.`;
        return version;
    } catch (error) {
        by_id('version').textContent = `The program could not be started: ${error.message || error}`;
        return '';
    }
}
