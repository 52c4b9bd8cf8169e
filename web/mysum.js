/* The page "Is my sum right?": numbers that are pasted or dropped, their exact sum, and what each method makes of them. */
'use strict';

const MYSUM_DEFAULTS = {column: '', delimiter: '', nonfinite: 'refuse', format: '', written: '', printed: '', methods: 'naive,plain/pairwise_1,tree,kahan,neumaier/serial,double,superacc/serial'};
let {state, remarks} = read_state(location.hash, MYSUM_DEFAULTS);
/** @type {{name: string, bytes: Uint8Array}|null} what was dropped or chosen */
let dropped = null;

/** The name that a dropped file has for the program: its own ending, nothing else of it. */
function plain_name(name) {
    const ending = /\.[a-z0-9]{1,12}$/i.exec(name);
    return 'data' + (ending ? ending[0].toLowerCase() : '.txt');
}

/** data.csv:column=2, and the files. */
function data_given() {
    const text = by_id('numbers').value, table = state.column !== '' || state.delimiter !== '';
    const name = dropped ? plain_name(dropped.name) : table ? 'data.csv' : 'data.txt';
    const parameters = [state.column !== '' ? `column=${state.column}` : '', state.delimiter ? `delimiter=${state.delimiter}` : ''].filter(word => word);
    return {place: name + (parameters.length ? ':' + parameters.join(',') : ''), files: {[name]: dropped ? dropped.bytes : table ? text : numbers_file(text)}};
}

function printed_flags() {
    return state.printed.trim() === '' ? [] : [`--compare=${state.printed.trim()}`];
}

/** The field that a refusal is about. */
function field_of(message) {
    if (/--compare|^--as/.test(message))
        return 'printed';
    if (/method/.test(message))
        return 'methods';
    return dropped ? 'file' : /column/.test(message) && state.column !== '' ? 'column' : 'numbers';
}

const SPECIALS = {nan: 'NaN', inf: 'infinite', '-inf': '-infinite', subnormal: 'subnormal', '-0': '-0'};

function exact_facts(answer) {
    const rows = [['exact sum', make('strong', {}, exact_text(answer))], ['as a hexadecimal', make('span', {class: 'mono'}, String(answer.exact))], ['numbers', String(answer.n)],
        ['condition Σ|x| / |s|', `${brief(number_of(answer.condition_hex))}: ${condition_words(number_of(answer.condition_hex))}`],
        ...Object.entries(answer.nearest).map(([format, hex]) => [`nearest ${format}`, Number.isFinite(number_of(hex)) ? `${shortest(number_of(hex), format)} = ${hex}` : `${hex}, beyond its largest number`])];
    const odd = Object.entries(answer.specials || {}).filter(([, count]) => count > 0).map(([name, count]) => `${count} ${SPECIALS[name] || name}`);
    if (odd.length)
        rows.push(['among them', odd.join(', ')]);
    if (answer.sha256)
        rows.push(['SHA-256', make('span', {class: 'mono'}, answer.sha256)]);
    return facts(rows);
}

function condition_words(condition) {
    if (!(condition >= 1))
        return 'not defined for a sum of 0';
    const digits = Math.floor(Math.log10(condition));
    return digits === 0 ? 'the numbers hardly cancel' : `cancellation costs about ${digits} decimal digit${digits === 1 ? '' : 's'}`;
}

function printed_verdict(answer) {
    const judged = answer.compare?.[0];
    if (!judged)
        return null;
    const steps = Math.abs(judged.steps_from_nearest), right = steps === 0;
    return make('p', {id: 'verdict'}, make('strong', {class: right ? 'good' : 'bad'}, right ? 'Right: ' : 'Not the nearest number: '),
        right ? `${judged.given} is the ${judged.format} nearest to the exact sum.`
            : `${judged.given} is ${brief(Number(judged.ulp_error))} ulp of ${judged.format} ${judged.side} the exact sum, relative error ${brief(Number(judged.relative_error))}.`);
}

function note(text) {
    return text ? make('p', {class: 'message note'}, text) : null;
}

async function check() {
    for (const name of ['numbers', 'file', 'printed', 'methods', 'column'])
        say_beside(name, '');
    keep_state(state, MYSUM_DEFAULTS);
    show('exact');
    show('compared');
    const {place, files} = data_given(), flags = [`--nonfinite=${state.nonfinite}`, ...(state.format ? [`--format=${state.format}`] : [])];
    const exact_args = ['exact', '--json=-', ...flags, ...printed_flags(), ...(state.written ? ['--as-written'] : []), '--', place];
    const exact = await unless_refused(field_of, () => run_json(exact_args, files));
    if (exact)
        show('exact', printed_verdict(exact), exact_facts(exact), note(exact.said), command_shown(command_line(exact_args, dropped ? {} : files)));
    /* run alone would read binary32; without data to add, methods are tried on others */
    const args = ['run', '--csv=-', '--trials=1', '--permutations=0', '--speed=0', flags[0], `--format=${exact?.format ?? 'binary64'}`, ...globs_of(state.methods), '--', exact ? place : 'ones:n=2'];
    const result = await unless_refused(field_of, () => run_command(args, files));
    if (exact && result)
        show('compared', make('p', {class: 'context'}, `Added and rounded in ${exact.format}; an ulp is the spacing of its numbers at the exact sum.`), methods_table(read_csv(result.out), ''),
            note(said(result.err).split('\n').filter(line => !exact.said.includes(line)).join('\n')), command_shown(command_line(args)));
}

async function press_check() {
    by_id('check').disabled = true;
    try {
        await while_busy('Adding', check);
    } finally {
        by_id('check').disabled = false;
    }
}

function put_file(name, bytes) {
    dropped = bytes && {name, bytes};
    by_id('file-name').textContent = bytes ? `${name}, ${bytes.length} bytes` : '';
    by_id('forget').hidden = !bytes;
    by_id('numbers').disabled = Boolean(bytes);
}

async function take_file(file) {
    try {
        put_file(file.name, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
        put_file('', null);
        say_beside('file', `${file.name} could not be read: ${error.message}; a folder has to be dropped file by file.`);
        return;
    }
    await press_check();
}

function listen() {
    for (const name of Object.keys(MYSUM_DEFAULTS)) {
        const input = by_id(name);
        input.type === 'checkbox' ? input.checked = state[name] !== '' : input.value = state[name];
        input.addEventListener('input', () => {
            state = {...state, [name]: input.type === 'checkbox' ? (input.checked ? '1' : '') : input.value};
        });
    }
    by_id('form').addEventListener('submit', event => {
        event.preventDefault();
        press_check();
    });
    by_id('file').addEventListener('change', event => event.target.files.length && take_file(event.target.files[0]));
    by_id('forget').addEventListener('click', () => {
        put_file('', null);
        by_id('file').value = '';
    });
    for (const kind of ['dragenter', 'dragover', 'dragleave', 'drop'])
        document.addEventListener(kind, event => {
            if (event.target === by_id('numbers') && kind === 'drop' && !event.dataTransfer.files.length)
                return; /* a text, which the field takes itself */
            event.preventDefault();
            by_id('drop').classList.toggle('over', kind === 'dragenter' || kind === 'dragover');
            if (kind === 'drop' && event.dataTransfer.files.length)
                take_file(event.dataTransfer.files[0]);
        });
}

(async () => {
    show('remarks', ...remarks.map(text => make('p', {class: 'message note'}, text)));
    listen();
    listen_to_skip();
    await say_version();
})();
