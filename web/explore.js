/* The page Explore: fields to state, state to URL and commands, answers to the page. */
'use strict';

let {state, remarks} = read_state(location.hash, EXPLORE_DEFAULTS);
let words_of = {}, current = null, card_of = '';

const tree_panel = new TreePanel('tree', 'the additions of the method');
const own = new OwnBrackets(text => {
    set_field('brackets', text);
    change({brackets: text}, own_brackets);
});

const FIELDS = Object.keys(EXPLORE_DEFAULTS).filter(name => !['data', 'ask'].includes(name));
const SLIDERS = {
    n: {to: at => String(2 ** at), from: text => Math.log2(Number(text))}, cond: {to: at => `1e${at}`, from: text => Math.log10(Number(text))},
    offset: {to: String, from: Number}, seed: {to: String, from: Number},
};

/** Questions that a button asks, and the URL: what is said meanwhile, what asks, where the answer goes, which field a refusal is about. */
const BUTTONS = {
    spread: ['Adding', spread_methods, 'spread-out', about_methods],
    shuffle: ['Adding in many orders', shuffle_numbers, 'spread-out', about_methods],
    differ: ['Looking for the fewest numbers', find_difference, 'differ-out', about_pair],
    attack: ['Searching', find_worst, 'differ-out', about_pair],
};

function set_field(name, value) {
    by_id(name).value = value;
    const at = SLIDERS[name]?.from(value);
    if (Number.isFinite(at))
        by_id(`${name}-slider`).value = at;
}

function fill_fields() {
    for (const name of FIELDS) {
        if (by_id(name).tagName === 'SELECT' && ![...by_id(name).options].some(option => option.value === state[name]))
            by_id(name).append(make('option', {value: state[name]}, state[name])); /* of a URL: the program says what is wrong with it */
        set_field(name, state[name]);
    }
    const family = state.data === 'family';
    for (const radio of document.querySelectorAll('[name=data]'))
        radio.checked = (radio.value === 'family') === family;
    by_id('of-numbers').hidden = family;
    by_id('of-family').hidden = by_id('spread').hidden = !family;
    by_id('shuffle').hidden = family;
}

/** A change of the state, then what it asks for.  Answers to a button's question go: they are about what the fields said before. */
function change(changes, then = update) {
    if (!Object.hasOwn(changes, 'brackets') && !changes.ask) {
        state.ask = '';
        show('spread-out');
        show('differ-out');
    }
    state = {...state, ...changes};
    keep_state(state, EXPLORE_DEFAULTS);
    return then();
}

function about(message) {
    return field_about(message, state);
}

/** The field that a refusal of many methods is about. */
function about_methods(message) {
    return /method/.test(message) ? 'compare' : about(message);
}

/** The field that a refusal of one method or another is about. */
function about_pair(message) {
    const field = about(message);
    return field !== 'method' ? field : message.includes(state.other) && !message.includes(state.one) ? 'other' : 'one';
}

function update() {
    stop_commands();
    for (const name of FIELDS)
        if (by_id(`${name}-message`))
            say_beside(name, '');
    const [accumulator, order] = state.method.split('@')[0].split('/');
    by_id('method-words').textContent = [[accumulator, words_of.accumulators?.[accumulator]], [order, words_of.orders?.[order]]].filter(row => row[1]).map(row => row.join(': ')).join('; ');
    return while_busy('Adding', answer_all).then(answered => answered || at_work ? null : clear_answers());
}

/** What was shown goes when nothing takes its place; until then it stays, so that the page does not jump. */
function clear_answers() {
    for (const place of ['sum', 'compared', 'own-sum'])
        show(place);
    clear_tree();
    own.clear();
}

function clear_tree(...instead) {
    show('tree-legend');
    show('tree-command');
    tree_panel.clear(...instead);
}

async function answer_all() {
    if (state.data === 'family' && card_of !== state.family) {
        await unless_refused('family', () => show_card(state.family));
        card_of = state.family;
    }
    const {flags, place, files} = data_of(state), method = method_in(state, state.method);
    const exact_args = ['exact', '--json=-', ...flags, '--', place], blame_args = ['blame', '--json=-', ...launch_of(state), ...flags, '--', method, place];
    let refused_about = '';
    current = null;
    const blame = await unless_refused(message => refused_about = about(message), () => run_json(blame_args, files));
    /* data that one command refused, for their size perhaps, are not tried with the next */
    const exact = (blame || ['method', 'blocks', 'threads'].includes(refused_about)) && await unless_refused(about, () => run_json(exact_args, files));
    if (exact) {
        show('sum', ...sum_facts(exact, blame), command_shown(command_line(exact_args, files), ...(blame ? [command_line(blame_args)] : [])));
        await (blame ? show_tree(blame, ['tree', ...blame_args.slice(1)], files) : clear_tree());
        await show_own();
        await unless_refused(about_methods, () => compare_methods(state)) || show('compared');
    } else {
        clear_answers();
        show('sum', make('p', {class: 'context'}, 'Nothing was added: a message stands beside a field above.'));
        await unless_refused(about_methods, () => run_command(compare_args(state, 'ones:n=2')));
    }
    return true;
}

function sum_facts(exact, blame) {
    const {result} = format_row(state);
    const rows = [['exact sum', `${exact_text(exact)} = ${exact.exact}`], ['condition Σ|x| / |s|', brief(number_of(exact.condition_hex))], ['numbers', String(exact.n)]];
    if (blame) {
        const {words, kind} = verdict({...blame, relative_error: blame.relative_error_hex === null ? 'nan' : number_of(blame.relative_error_hex)});
        rows.unshift([`sum by ${blame.method}`, make('span', {}, make('strong', {}, shortest(number_of(blame.computed_hex), result)), ` = ${blame.computed_hex} `, make('span', {class: `level ${kind}`}, words))],
            ['error', `${brief(number_of(blame.abs_error_hex))}, which is ${brief(Number(blame.ulp_error))} ulp of ${result}`]);
        rows.push(['proven bound', `${brief(number_of(blame.bound_hex))}, of which the error is ${brief(100 * number_of(blame.bound_ratio_hex))} %`], ['additions', `${blame.additions}, ${blame.inexact} of them inexact; height ${blame.height}`]);
    }
    return [facts(rows), exact.said ? make('p', {class: 'message note'}, exact.said) : null];
}

async function show_tree(blame, args, files) {
    try {
        const answer = await run_json(args, files), {added: sum_format} = format_row(state);
        const tree = tree_of(answer, sum_format, number_of(blame.ulp_hex) || 1);
        tree.plain = /^(dot:)?plain\//.test(state.method) || state.method === 'naive';
        current = {tree, numbers: []};
        for (const node of tree.nodes.values())
            if (node.element !== undefined)
                current.numbers[node.element] = node.value;
        show('tree-legend', loss_legend());
        tree_panel.put(tree);
        show('tree-command', command_shown(command_line(args, files)));
    } catch (error) {
        if (!(error instanceof Refused))
            throw error;
        clear_tree(make('p', {class: 'message'}, error.message)); /* a tree that is too large: about no field's text */
    }
}

function own_brackets() {
    return while_busy('Adding', show_own);
}

/** Own brackets of the numbers at hand. */
async function show_own() {
    say_beside('brackets', '');
    show('own-sum');
    by_id('take').disabled = !current || current.numbers.length > BRACKETS_MOST;
    if (!current || !state.brackets)
        return own.clear();
    return await unless_refused('brackets', judge_own) || own.clear();
}

async function judge_own() {
    const {numbers, tree: {format, ulp}} = current;
    if (numbers.length > BRACKETS_MOST)
        throw new Refused(`brackets: expected at most ${BRACKETS_MOST} numbers; found ${numbers.length}; take fewer`);
    if (!FORMATS[format])
        throw new Refused(`brackets: expected sums in ${Object.keys(FORMATS).join(', ')}; found ${format}; choose another format`);
    const root = own.put(state.brackets, numbers, format, ulp);
    const {flags, place, files} = data_of(state), args = ['exact', '--json=-', ...flags, `--compare=${root.value_hex}`, `--as=${format}`, '--', place];
    const answer = await run_json(args, files);
    show('own-sum', facts([['sum in these brackets', make('span', {}, make('strong', {}, shortest(root.value, format)), ` = ${root.value_hex}`)], ['error', `${brief(Number(answer.compare[0].ulp_error))} ulp of ${format}`]]),
        command_shown(command_line(args, files)));
    return answer;
}

/** What is pressed is asked, and stands in the address until a field changes. */
async function press(id) {
    const [words, work, place, field] = BUTTONS[id];
    await change({ask: id}, () => while_busy(words, async () => {
        for (const name of ['trials', 'one', 'other'])
            say_beside(name, '');
        by_id(id).disabled = true;
        show(place);
        try {
            if (await unless_refused(field, () => work(state, use_numbers)) === null)
                show(place, make('p', {class: 'context'}, 'No answer: a message stands beside a field.'));
        } finally {
            by_id(id).disabled = false;
        }
    }));
}

/** What was found, into the field. */
function use_numbers(text) {
    show('spread-out');
    change({data: 'numbers', numbers: text, brackets: '', ask: ''}, open_state);
    by_id('numbers').focus();
}

function listen() {
    const timers = {};
    const written = (name, value) => {
        set_field(name, value);
        state = {...state, [name]: value};
        const then = ['trials', 'one', 'other'].includes(name) ? () => null : name === 'brackets' ? own_brackets : update;
        clearTimeout(timers[name]);
        timers[name] = setTimeout(() => change({[name]: value}, then), 250);
    };
    for (const name of FIELDS)
        by_id(name).addEventListener('input', event => written(name, event.target.value));
    for (const [name, {to}] of Object.entries(SLIDERS))
        by_id(`${name}-slider`).addEventListener('input', event => written(name, to(Number(event.target.value))));
    for (const radio of document.querySelectorAll('[name=data]'))
        radio.addEventListener('change', () => change({data: radio.value}, open_state));
    by_id('form').addEventListener('submit', event => event.preventDefault());
    for (const name of ['method', 'one', 'other']) /* its list shows what has the field's text in it: a text that is chosen goes with the next key */
        by_id(name).addEventListener('focus', event => event.target.select());
    by_id('take').addEventListener('click', () => {
        set_field('brackets', write_brackets(brackets_of(current.tree)));
        change({brackets: by_id('brackets').value}, own_brackets);
    });
    for (const id of Object.keys(BUTTONS))
        by_id(id).addEventListener('click', () => press(id));
    addEventListener('hashchange', () => {
        if (location.hash !== write_state(state, EXPLORE_DEFAULTS))
            open_address();
    });
    listen_to_skip();
}

function open_address() {
    ({state, remarks} = read_state(location.hash, EXPLORE_DEFAULTS));
    show('spread-out');
    show('differ-out');
    return open_state();
}

async function open_state() {
    show('remarks', ...remarks.map(text => make('p', {class: 'message note'}, text)));
    fill_fields();
    await update();
    if (Object.hasOwn(BUTTONS, state.ask))
        await press(state.ask);
}

(async () => {
    fill_fields();
    if (!await say_version())
        return;
    words_of = await fill_choices();
    listen();
    await open_state();
})();
