/* Which numbers, in which format, added by which method: what the fields say, as arguments of commands. */
'use strict';

const EXPLORE_DEFAULTS = {
    data: 'numbers', numbers: '1 2e8 3 -2e8 0.5', family: 'gensum', n: '16', cond: '1e6', offset: '1', seed: '1', more: '',
    method: 'plain/serial', format: 'binary32', blocks: '2', threads: '32', compare: '*/serial', trials: '100', brackets: '',
    one: 'plain/serial', other: 'kahan/serial', ask: '',
};
const FILE = 'numbers.txt';

/** What a family's parameter is called whose meaning a slider has. */
const CONDITIONS = ['cond', 'kappa'], OFFSETS = ['mu', 'mean'];

/** rows of `list formats`: {binary16: {stored, added, result}} */
const formats = {};
/** names of parameters of the family, from its card */
let parameters = ['n', 'cond'];

async function list_of(kind) {
    const {out} = await run_command(['list', kind]);
    return out.split('\n').filter(line => line && line[0] !== ' ').map(line => /^(\S+)\s*(.*)$/.exec(line).slice(1));
}

async function fill_choices() {
    const option = ([name, words]) => make('option', {value: name, label: words ? `${name}: ${words}` : name}, name);
    for (const [name, words] of await list_of('formats')) {
        const [, stored, sum, result] = /stored in (\S+), added in (\S+), result in (\S+)/.exec(words);
        formats[name] = {stored, added: sum, result};
        by_id('format').append(make('option', {value: name}, stored === sum && sum === result ? name : `${name} (added in ${sum}, result ${result})`));
    }
    for (const [name, words] of await list_of('generators'))
        by_id('family').append(make('option', {value: name}, `${name}: ${words}`));
    const words_of = {};
    for (const kind of ['accumulators', 'orders'])
        words_of[kind] = Object.fromEntries(await list_of(kind));
    const names = (await list_of('methods')).filter(([name, words]) => !name.includes(':') && !words.startsWith('refused')).map(([name]) => name);
    by_id('methods').append(...names.map(name => option([name, ''])));
    return words_of;
}

/** The card of a family, and which sliders it has. */
async function show_card(family) {
    const {out} = await run_command(['list', 'generators', '--', family]);
    by_id('card-text').textContent = out;
    parameters = [...out.split('\n\n').pop().matchAll(/^ {2}(\w+) {2,}/gm)].map(part => part[1]);
    by_id('of-cond').hidden = !CONDITIONS.some(name => parameters.includes(name));
    by_id('of-offset').hidden = !OFFSETS.some(name => parameters.includes(name));
}

/** gensum:n=16,cond=1e6 */
function spec_of(state) {
    const named = (names, value) => names.filter(name => parameters.includes(name) && value !== '').slice(0, 1).map(name => `${name}=${value}`);
    return `${state.family}:` + [`n=${state.n}`, ...named(CONDITIONS, state.cond), ...named(OFFSETS, state.offset), ...(state.more ? [state.more] : [])].join(',');
}

function format_row(state) {
    return formats[state.format] || {stored: state.format, added: state.format, result: state.format};
}

/** The data as flags, FILE or SPEC, and the file. */
function data_of(state) {
    const flags = [`--format=${format_row(state).stored}`];
    return state.data === 'family' ? {flags: [...flags, `--seed=${state.seed}`], place: spec_of(state), files: {}}
        : {flags, place: FILE, files: {[FILE]: numbers_file(state.numbers)}};
}

/** plain/serial in a format: plain/serial@binary16_in_binary16 where the format is more than what is stored. */
function method_in(state, method) {
    return method.includes('@') || state.format === format_row(state).stored ? method : `${method}@${state.format}`;
}

function launch_of(state) {
    return [`--blocks=${state.blocks}`, `--threads=${state.threads}`];
}

/** The field that a refusal is about; what names none is about the data. */
function field_about(message, state) {
    const about = [
        [/matches no method|^"[^"]*" is (no|not a) method|--method|^[^ ]+ (at \d+ x|is a black box|is refused)/, 'method'], [/blocks/, 'blocks'], [/threads/, 'threads'], [/--seed/, 'seed'],
        [/--format/, 'format'], [/--trials|--permutations/, 'trials'],
    ].find(([pattern]) => pattern.test(message));
    if (about)
        return about[1];
    if (state.data !== 'family')
        return 'numbers';
    const parameter = /(?:^|[": ])(n|cond|kappa|mu|mean)=/.exec(message.replace(/^"[^"]*": /, ''));
    return parameter ? (CONDITIONS.includes(parameter[1]) ? 'cond' : OFFSETS.includes(parameter[1]) ? 'offset' : 'n') : /expected a family/.test(message) ? 'family' : state.more ? 'more' : 'n';
}
