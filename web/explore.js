/* The page Explore: fields to state, state to URL and commands, answers to the page. */
'use strict';

let {state, remarks} = read_state(location.hash, EXPLORE_DEFAULTS);
let generation = 0, working = false, words_of = {}, current = null, card_of = '';

const tree_panel = new TreePanel('tree', 'the additions of the method');
const own = new OwnBrackets(text => {
    set_field('brackets', text);
    change({brackets: text}, show_own);
});

const FIELDS = Object.keys(EXPLORE_DEFAULTS).filter(name => name !== 'data');
const SLIDERS = {
    n: {to: at => String(2 ** at), from: text => Math.log2(Number(text))}, cond: {to: at => `1e${at}`, from: text => Math.log10(Number(text))},
    offset: {to: at => String(at), from: Number}, seed: {to: at => String(at), from: Number},
};

function set_field(name, value) {
    by_id(name).value = value;
    const slider = by_id(`${name}-slider`);
    if (slider && Number.isFinite(SLIDERS[name].from(value)))
        slider.value = SLIDERS[name].from(value);
}

function fill_fields() {
    for (const name of FIELDS) {
        if (by_id(name).tagName === 'SELECT' && ![...by_id(name).options].some(option => option.value === state[name]))
            by_id(name).append(make('option', {value: state[name]}, state[name])); /* of a URL: the program says what is wrong with it */
        set_field(name, state[name]);
    }
    for (const radio of document.querySelectorAll('[name=data]'))
        radio.checked = radio.value === (state.data === 'family' ? 'family' : 'numbers');
    by_id('of-numbers').hidden = state.data === 'family';
    by_id('of-family').hidden = state.data !== 'family';
}

/** A change of the state, then what it asks for: all answers, or one part's. */
function change(changes, then = update) {
    state = {...state, ...changes};
    keep_state(state, EXPLORE_DEFAULTS);
    return then();
}

function refuse(error, field = null) {
    if (error instanceof Stopped)
        return;
    if (!(error instanceof Refused))
        throw error;
    say_beside(field || field_about(error.message, state), error.message);
}

/** One step of an update: its refusal goes beside a field.  Null when refused, stopped or out of date. */
async function step(mine, work, field = null) {
    if (mine !== generation)
        return null;
    try {
        const answer = await work();
        return mine === generation ? answer : null;
    } catch (error) {
        if (mine === generation)
            refuse(error, field);
        return null;
    }
}

function clear_messages() {
    for (const name of FIELDS)
        if (by_id(`${name}-message`))
            say_beside(name, '');
}

async function update() {
    const mine = ++generation;
    if (working)
        engine.stop();
    clear_messages();
    const [accumulator, order] = state.method.split('@')[0].split('/');
    by_id('method-words').textContent = [[accumulator, words_of.accumulators?.[accumulator]], [order, words_of.orders?.[order]]].filter(row => row[1]).map(row => row.join(': ')).join('; ');
    working = true;
    try {
        await while_busy('Adding', () => answer_all(mine));
    } finally {
        if (mine === generation)
            working = false;
    }
}

async function answer_all(mine) {
    if (state.data === 'family' && card_of !== state.family) {
        await step(mine, () => show_card(state.family), 'family');
        card_of = state.family;
    }
    const {flags, place, files} = data_of(state), method = method_in(state, state.method);
    const exact_args = ['exact', '--json=-', ...flags, '--', place], blame_args = ['blame', '--json=-', ...launch_of(state), ...flags, '--', method, place];
    const tree_args = ['tree', '--json=-', ...launch_of(state), ...flags, '--', method, place];
    current = null;
    const exact = await step(mine, () => run_json(exact_args, files));
    const blame = exact && await step(mine, () => run_json(blame_args, files));
    if (mine !== generation)
        return;
    if (!exact) {
        show('sum');
        show('compared');
        tree_panel.clear();
        own.clear();
        return;
    }
    show('sum', ...sum_facts(exact, blame), command_shown(command_line(exact_args, files), command_line(blame_args)));
    await step(mine, () => answer_tree(blame, tree_args, files));
    await show_own();
    await step(mine, () => compare_methods(state), 'compare');
}

function sum_facts(exact, blame) {
    const {result} = format_row(state), decimal = exact.exact_decimal.replace(/\.?0+e\+00$/, '').replace('e+00', '') + (exact.exact_is_rounded ? ' …' : '');
    const rows = [['exact sum', `${decimal} = ${exact.exact}`], ['condition Σ|x| / |s|', brief(number_of(exact.condition_hex))], ['numbers', String(exact.n)]];
    if (blame) {
        const {words, kind} = verdict({...blame, relative_error: blame.relative_error_hex === null ? 'nan' : number_of(blame.relative_error_hex)});
        rows.unshift([`sum by ${blame.method}`, make('span', {}, make('strong', {}, shortest(number_of(blame.computed_hex), result)), ` = ${blame.computed_hex} `, make('span', {class: kind}, words))],
            ['error', `${brief(Number(blame.ulp_error))} ulp of ${result}; ${brief(number_of(blame.abs_error_hex))}`]);
        rows.push(['proven bound', `${brief(number_of(blame.bound_hex))}; ${brief(100 * number_of(blame.bound_ratio_hex))} % of it attained`], ['additions', `${blame.additions}, ${blame.inexact} of them inexact; height ${blame.height}`]);
    }
    return [facts(rows), exact.said ? make('p', {class: 'message note'}, exact.said) : null];
}

async function answer_tree(blame, args, files) {
    show('tree-legend');
    if (!blame)
        return tree_panel.clear();
    try {
        const answer = await run_json(args, files), ulp = number_of(blame.ulp_hex), {added: sum_format} = format_row(state);
        const tree = tree_of(answer, sum_format, ulp || 1);
        tree.plain = /^(dot:)?plain\//.test(state.method) || state.method === 'naive';
        current = {tree, format: sum_format, ulp: tree.ulp, numbers: []};
        for (const node of tree.nodes.values())
            if (node.element !== undefined)
                current.numbers[node.element] = node.value;
        show('tree-legend', loss_legend());
        tree_panel.put(tree);
        by_id('tree-panel').after(by_id('tree-command') || make('div', {id: 'tree-command'}));
        show('tree-command', command_shown(command_line(args, files)));
    } catch (error) {
        if (!(error instanceof Refused))
            throw error;
        tree_panel.clear(make('p', {class: 'message'}, error.message));
    }
}

/** Own brackets of the numbers at hand. */
async function show_own() {
    say_beside('brackets', '');
    show('own-sum');
    by_id('take').disabled = !current || current.numbers.length > BRACKETS_MOST;
    if (!current || !state.brackets)
        return own.clear();
    const {numbers, format, ulp} = current, mine = generation;
    try {
        if (numbers.length > BRACKETS_MOST)
            throw new Refused(`brackets: expected at most ${BRACKETS_MOST} numbers; found ${numbers.length}; take fewer`);
        if (!FORMATS[format])
            throw new Refused(`brackets: expected sums in ${Object.keys(FORMATS).join(', ')}; found ${format}; choose another format`);
        const root = own.put(state.brackets, numbers, format, ulp);
        const {flags, place, files} = data_of(state), args = ['exact', '--json=-', ...flags, `--compare=${root.value_hex}`, `--as=${format}`, '--', place];
        const answer = await run_json(args, files), judged = answer.compare[0];
        if (mine !== generation)
            return;
        show('own-sum', facts([['sum in these brackets', make('span', {}, make('strong', {}, shortest(root.value, format)), ` = ${root.value_hex}`)], ['error', `${brief(Number(judged.ulp_error))} ulp of ${format}`]]),
            command_shown(command_line(args, files)));
    } catch (error) {
        own.clear();
        refuse(error, 'brackets');
    }
}

/** A button's question, with its answer's place. */
function ask_by_button(id, words, work, place, field) {
    by_id(id).addEventListener('click', async () => {
        say_beside(field, '');
        by_id(id).disabled = true;
        try {
            await while_busy(words, () => work(state, text => {
                state.data = 'numbers';
                change({data: 'numbers', numbers: text, brackets: ''}, () => (fill_fields(), update()));
                by_id('numbers').focus();
            }));
        } catch (error) {
            show(place);
            refuse(error, field);
        } finally {
            by_id(id).disabled = false;
        }
    });
}

function listen() {
    let timer = 0;
    const later = work => {
        clearTimeout(timer);
        timer = setTimeout(work, 250);
    };
    for (const name of FIELDS)
        by_id(name).addEventListener('input', () => {
            set_field(name, by_id(name).value);
            const quiet = ['trials', 'one', 'other'].includes(name);
            state = {...state, [name]: by_id(name).value};
            later(() => change({}, quiet ? () => null : name === 'brackets' ? show_own : update));
        });
    for (const [name, {to}] of Object.entries(SLIDERS))
        by_id(`${name}-slider`).addEventListener('input', event => {
            by_id(name).value = to(Number(event.target.value));
            state = {...state, [name]: by_id(name).value};
            later(() => change({}));
        });
    for (const radio of document.querySelectorAll('[name=data]'))
        radio.addEventListener('change', () => change({data: radio.value}, () => (fill_fields(), update())));
    by_id('form').addEventListener('submit', event => event.preventDefault());
    by_id('take').addEventListener('click', () => {
        set_field('brackets', write_brackets(brackets_of(current.tree)));
        change({brackets: by_id('brackets').value}, show_own);
    });
    ask_by_button('spread', 'Adding', spread_methods, 'spread-out', 'trials');
    ask_by_button('differ', 'Looking for the fewest numbers', find_difference, 'differ-out', 'one');
    ask_by_button('attack', 'Searching', find_worst, 'differ-out', 'one');
    addEventListener('hashchange', () => {
        if (location.hash !== '#results' && location.hash !== write_state(state, EXPLORE_DEFAULTS)) {
            ({state, remarks} = read_state(location.hash, EXPLORE_DEFAULTS));
            open_state();
        }
    });
}

function open_state() {
    show('remarks', ...remarks.map(text => make('p', {class: 'message note'}, text)));
    fill_fields();
    return update();
}

(async () => {
    fill_fields();
    if (!await say_version())
        return;
    listen();
    words_of = await fill_choices();
    await open_state();
})();
