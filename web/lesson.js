/* The page of a lesson: its parts in turn, held back at each prediction until the student has answered. */
'use strict';

const LESSON_DEFAULTS = {lesson: '', seed: '1'};
let {state, remarks} = read_state(location.hash, LESSON_DEFAULTS);
let version = '', lessons = [];
/** of the lesson, and of the exercises of the seed */
let predictions = [], exercises = [];

function score() {
    const all = [...predictions, ...exercises], right = all.filter(question => question.right).length;
    by_id('score').textContent = `${right} of ${all.length} right, ${all.filter(question => question.settled).length} done.`;
}

/** A button below each figure; its picture is an SVG in the page already. */
function figures_saved(part) {
    for (const figure of part.querySelectorAll('figure')) {
        const image = figure.querySelector('img'), data = /^data:image\/svg\+xml;base64,(.*)$/.exec(image?.src || '');
        if (data)
            figure.append(make('button', {type: 'button', onclick: () => save(`${state.lesson}-${[...document.querySelectorAll('figure')].indexOf(figure) + 1}.svg`,
                Uint8Array.from(atob(data[1]), letter => letter.charCodeAt(0)), 'image/svg+xml')}, 'Save as SVG'));
    }
    return part;
}

/** Parts up to and with the next prediction; what follows is not even in the page before it is answered. */
function put_parts(parts, from, place) {
    for (let i = from; i < parts.length; i++) {
        const part = parts[i];
        if (part.kind === 'answer' && part.html === '')
            continue;
        place.append(figures_saved(set_html('div', {class: `part ${part.kind}`}, part.html)));
        if (part.kind === 'prediction' && part.asks?.length)
            return place.append(prediction(part, () => put_parts(parts, i + 1, place)));
    }
    by_id('drawn').hidden = by_id('hand-in').hidden = false;
    score();
    return null;
}

function prediction(part, go_on) {
    const box = make('div', {class: 'asks'}), buttons = make('div', {class: 'fields'});
    const show_run = () => {
        buttons.remove();
        go_on();
        score();
    };
    const check_all = () => {
        if (questions.map(question => question.readable()).includes(false))
            return box.querySelector('[aria-invalid]').focus();
        questions.forEach(question => question.check());
        return show_run();
    };
    const questions = part.asks.map(ask => new Question(ask, true, () => check_all()));
    predictions.push(...questions);
    buttons.append(make('button', {type: 'button', class: 'main check-all', onclick: check_all}, 'Check, and show the run'),
        make('button', {type: 'button', class: 'give-up', onclick: () => {
            questions.forEach(question => question.settle());
            show_run();
        }}, 'I do not know: show the run'));
    box.append(...questions.map(question => question.element), buttons);
    return box;
}

async function draw_exercises() {
    say_beside('seed', '');
    exercises = [];
    show('exercises');
    const answer = await unless_refused('seed', () => run_json(['lesson', '--json=-', `--exercises=${state.seed}`, '--', state.lesson]));
    show('exercises', ...(answer?.lessons[0].parts ?? []).map(part => {
        const questions = (part.asks || []).map(ask => new Question(ask, false, score));
        exercises.push(...questions);
        return make('div', {class: 'exercise'}, figures_saved(set_html('div', {}, part.html)), ...questions.map(question => question.element));
    }));
    score();
}

function other_exercises() {
    return while_busy('Drawing exercises', draw_exercises);
}

async function open_lesson() {
    stop_commands();
    predictions = [];
    by_id('drawn').hidden = by_id('hand-in').hidden = true;
    by_id('choose').value = state.lesson;
    by_id('seed').value = state.seed;
    say_beside('choose', '');
    show('remarks', ...remarks.map(text => make('p', {class: 'message note'}, text)));
    show('lesson', state.lesson ? null : list_of_lessons());
    if (state.lesson)
        await while_busy('Computing the lesson', show_lesson);
}

async function show_lesson() {
    const answer = await unless_refused('choose', () => run_json(['lesson', '--json=-', '--', state.lesson]));
    if (!answer)
        return;
    const [lesson] = answer.lessons;
    show('lesson', make('h2', {id: 'title'}, `${lesson.number}. ${lesson.title}`));
    put_parts(lesson.parts, 0, by_id('lesson'));
    await draw_exercises();
}

function list_of_lessons() {
    return make('ol', {}, ...lessons.map(([id, title]) => make('li', {}, make('a', {href: write_state({...state, lesson: id}, LESSON_DEFAULTS)}, title))));
}

function go(changes) {
    state = {...state, ...changes};
    keep_state(state, LESSON_DEFAULTS);
}

function listen() {
    let timer = 0;
    by_id('choose').addEventListener('change', event => {
        remarks = [];
        go({lesson: event.target.value});
        open_lesson();
    });
    by_id('seed').addEventListener('input', event => {
        go({seed: event.target.value});
        clearTimeout(timer);
        timer = setTimeout(other_exercises, 300);
    });
    by_id('draw').addEventListener('click', () => {
        const next = /^\d{1,15}$/.test(state.seed) ? String(Number(state.seed) + 1) : '1';
        by_id('seed').value = next;
        go({seed: next});
        other_exercises();
    });
    by_id('save-answers').addEventListener('click', () => save(`${state.lesson}-${state.seed.replace(/\W/g, '_')}-answers.json`,
        answers_file(state.lesson, state.seed, by_id('student').value, version, [...predictions, ...exercises]), 'application/json'));
    by_id('handed-in').addEventListener('change', async event => {
        say_beside('handed-in', '');
        const [file] = event.target.files;
        const rows = file && await while_busy('Judging', () => unless_refused('handed-in', async () => check_file(await file.text())));
        show('checked', ...(rows || []));
    });
    addEventListener('hashchange', () => {
        if (location.hash !== write_state(state, LESSON_DEFAULTS)) {
            ({state, remarks} = read_state(location.hash, LESSON_DEFAULTS));
            open_lesson();
        }
    });
    listen_to_skip();
}

(async () => {
    version = await say_version();
    if (!version)
        return;
    const {out} = await run_command(['list', 'lessons']);
    lessons = out.split('\n').filter(line => line).map(line => /^(\S+)\s+(.*)$/.exec(line).slice(1));
    by_id('choose').append(make('option', {value: ''}, `Choose one of ${lessons.length}`), ...lessons.map(([id, title], i) => make('option', {value: id}, `${i + 1}. ${title}`)));
    if (state.lesson && !lessons.some(([id]) => id === state.lesson))
        by_id('choose').append(make('option', {value: state.lesson}, state.lesson)); /* of a URL: the program says that there is none */
    listen();
    await open_lesson();
})();
