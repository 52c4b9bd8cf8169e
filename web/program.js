/* The program: every answer of a page is that of a command, run in a worker (engine/), whose text the page shows too, so that
 * it can be typed elsewhere.  What a command refuses it refuses in its own words. */
'use strict';

const engine = ulpscope_engine();

/** A command that ended with another status than 0: message is what it said. */
class Refused extends Error {}
/** A command whose answer nobody waits for any more. */
class Stopped extends Error {}

let last_command = Promise.resolve(), going = false, epoch = 0, at_work = 0;

/** 'ulpscope: x.txt:2: ...' less the lines that tell of the machine. */
function said(text) {
    return text.split('\n').filter(line => line && !/^(device:|Try `ulpscope)/.test(line))
        .map(line => line.replace(/^ulpscope: /, '').replace(/^(tree|blame|exact|explain|attack|run|lesson): /, '')).join('\n');
}

/** Commands run one after another: a module has one worker. */
function run_command(args, files = {}) {
    const asked_in = epoch;
    const answer = last_command.then(async () => {
        await engine.ready;
        if (asked_in !== epoch)
            throw new Stopped('stopped');
        going = true;
        const result = await engine.command(args, files).finally(() => { going = false; });
        if (result.stopped || asked_in !== epoch)
            throw new Stopped('stopped');
        if (result.status !== 0)
            throw new Refused(said(result.err) || `the program ended with status ${result.status}`);
        return result;
    });
    last_command = answer.catch(() => null);
    return answer;
}

/** The command in progress ends, and those that wait: whoever asked for them goes no further. */
function stop_commands() {
    epoch++;
    if (going)
        engine.stop();
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

/** What work gives; null where the program refuses, which is said beside a field: its id, or what finds it from the message. */
async function unless_refused(field, work) {
    try {
        return await work();
    } catch (error) {
        if (!(error instanceof Refused))
            throw error;
        say_beside(typeof field === 'string' ? field : field(error.message), error.message);
        return null;
    }
}

/** What work gives; null when it is stopped.  What goes on is said in #busy, with a button that stops it. */
async function while_busy(words, work) {
    let by_hand = false;
    const stop = make('button', {type: 'button', onclick: () => {
        by_hand = true;
        stop_commands();
    }}, 'Stop');
    const timer = setTimeout(() => by_id('busy').replaceChildren(words + ' … ', stop), 250);
    at_work++;
    try {
        return await work();
    } catch (error) {
        if (!(error instanceof Stopped))
            throw error;
        return null;
    } finally {
        at_work--;
        clearTimeout(timer);
        by_id('busy').replaceChildren(...(by_hand ? ['Stopped.'] : []));
    }
}

/** The program's version, at the foot of the page, or why there is none. */
async function say_version() {
    by_id('version').textContent = 'Starting the program …';
    try {
        const {version, milliseconds} = await engine.ready;
        by_id('version').textContent = `${version}, ready after ${Math.round(milliseconds)} ms; everything is computed on this machine.`;
        return version;
    } catch (error) {
        by_id('version').textContent = `The program could not be started: ${error.message || error}`;
        return '';
    }
}
