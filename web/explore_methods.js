/* Questions about many methods: other methods on the same numbers, many seeds, where two of them part. */
'use strict';

/** `run` of all methods of the field on a place of data, answered in a form, with flags of its own. */
function run_args(state, place, form, ...more) {
    const {flags} = data_of(state);
    return ['run', form, '--speed=0', ...more, ...launch_of(state), ...flags.slice(1), `--format=${state.format}`, ...globs_of(state.compare), '--', place];
}

function compare_args(state, place) {
    return run_args(state, place, '--csv=-', '--trials=1', '--permutations=0');
}

async function compare_methods(state) {
    const {place, files} = data_of(state), args = compare_args(state, place);
    const result = await run_command(args, files), rows = read_csv(result.out);
    show('compared', methods_table(rows, method_in(state, state.method)),
        /skipping/.test(result.err) ? make('p', {class: 'message note'}, said(result.err)) : null, command_shown(command_line(args, files)));
    return rows;
}

async function spread_methods(state) {
    const {place, files} = data_of(state), args = run_args(state, place, '--json=-', `--trials=${state.trials}`);
    const answer = await run_json(args, files);
    show('spread-out', make('p', {class: 'context'}, 'Relative errors of each method, a sum per seed; each bar is a power of two.'),
        histograms(answer), command_shown(command_line(args, files)));
}

/** The same numbers as they are and in many orders: how far apart the sums of a method are. */
async function shuffle_numbers(state) {
    const {place, files} = data_of(state), args = run_args(state, place, '--json=-', `--permutations=${state.trials}`);
    const answer = await run_json(args, files);
    show('spread-out', make('p', {class: 'context'}, 'The exact sum is the same in every order. Relative errors of each method; each bar is a power of two.'),
        histograms(answer, series => orders_words(answer, series)), command_shown(command_line(args, files)));
}

/** What was found, the numbers first, and a button that puts them into the field. */
function found(words, numbers, methods, state, use, ...more) {
    const {stored} = format_row(state), texts = numbers.map(text => shortest(number_of(text), stored));
    return [make('p', {}, words), make('p', {class: 'mono'}, texts.join('   ')),
        table_of('what each makes of them', ['method', 'sum', 'error (ulp)'], methods.map(method => [method.method, shortest(number_of(method.sum_hex), stored), brief(Number(method.ulp_error))])),
        make('button', {type: 'button', onclick: () => use(texts.join(' '))}, 'Put them into the field'),
        ...more];
}

/** The fewest numbers on which two methods differ: out of the page's numbers if they do there, else out of random ones. */
async function find_difference(state, use) {
    const {flags, place, files} = data_of(state), tries = [[place, files, 'your numbers'], ['uniform:n=1000', {}, 'a thousand random numbers'], ['normal:n=10000', {}, 'ten thousand random numbers of both signs']];
    for (const [data, given, words] of tries) {
        const args = ['explain', '--json=-', '--most-additions=1e8', ...launch_of(state), ...flags, '--', method_in(state, state.one), method_in(state, state.other), data];
        const answer = await run_json(args, given), witness = answer.witness;
        if (!answer.differ || !witness)
            continue;
        return show('differ-out', ...found(`The fewest of ${words} that are enough${witness.minimal ? '' : ' (as far as was looked)'}, made simple: ${answer.verdict}`,
            witness.numbers.map(number => number.x_hex), witness.methods, state, use, make('p', {}, answer.cause), command_shown(command_line(args, given))));
    }
    show('differ-out', make('p', {}, 'They gave the same sum of your numbers, of a thousand and of ten thousand random ones. Other data may part them: try kahan_killer, or larger n.'));
}

async function find_worst(state, use) {
    const args = ['attack', '--json=-', '--n=3', '--budget=2e4', '--device=host', ...launch_of(state), `--format=${format_row(state).stored}`, '--', method_in(state, state.one)];
    const answer = await run_json(args), {witness, judged, numbers} = answer.attacks[0], best = witness || {numbers, judged};
    show('differ-out', ...found(`Of ${answer.attacks[0].calls} triples tried, ${best.judged.method} does worst on these: ${brief(Number(best.judged.ulp_error))} ulp.`,
        best.numbers, [best.judged], state, use, command_shown(command_line(args))));
}
