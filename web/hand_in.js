/* The file that a student hands in, and a teacher's second look at it: answers are judged again by what the program asks, so
 * that nothing has to be believed of the file but the answers themselves. */
'use strict';

const ANSWERS_FORMAT = 'ulpscope-answers';

/** All questions of a lesson and its exercises of a seed, as the program asks them. */
async function questions_of(lesson, seed) {
    const both = [await run_json(['lesson', '--json=-', '--', lesson]), await run_json(['lesson', '--json=-', `--exercises=${seed}`, '--', lesson])];
    return both.flatMap(answer => answer.lessons[0].parts.flatMap(part => part.asks || []));
}

function answers_file(lesson, seed, student, version, questions) {
    return JSON.stringify({format: ANSWERS_FORMAT, version: 1, program: version, lesson, seed, student,
        right: questions.filter(question => question.right).length, of: questions.length, answers: questions.map(question => question.record())}, null, 1) + '\n';
}

/** @return {Promise<Element[]>} the table of a handed-in file */
async function check_file(text) {
    let file = null;
    try {
        file = JSON.parse(text);
    } catch (error) {
        throw new Refused(`This is no file of answers: ${error.message}; expected one that "Save my answers" wrote.`);
    }
    if (!file || file.format !== ANSWERS_FORMAT || !Array.isArray(file.answers))
        throw new Refused(`expected a file of the format ${ANSWERS_FORMAT}; found ${String(file && file.format).slice(0, 40)}; choose one that "Save my answers" wrote.`);
    if (!(file.version <= 1))
        throw new Refused(`The file is of version ${String(file.version).slice(0, 20)}; this page reads 1. Open it with a newer page.`);
    const asks = new Map((await questions_of(String(file.lesson), String(file.seed))).map(ask => [ask.id, ask]));
    const rows = file.answers.map(answer => {
        const ask = asks.get(answer.id), given = String(answer.given ?? '');
        const right = ask ? judge(ask, given).right === true : false;
        return {answer, ask, given, right, differs: right !== (answer.right === true)};
    });
    const right = rows.filter(row => row.right).length;
    return [make('p', {}, make('strong', {}, `${String(file.student || 'No name').slice(0, 80)}: ${right} of ${asks.size} right`), `; lesson ${file.lesson}, seed ${file.seed}, ${file.program}.`,
        rows.some(row => row.differs) ? ' The file itself says something else of some answers.' : ''),
    table_of('answers of the file', ['question', 'given', 'right is', 'verdict', 'tries', 'hint'], rows.map(row => [
        row.ask ? row.ask.prompt : `${String(row.answer.id).slice(0, 40)}: not asked with this seed`, row.given.slice(0, 60), row.ask ? row.ask.answer : '-',
        {text: row.right ? 'right' : row.given ? 'not right' : 'not answered', class: row.right ? 'v1' : 'v7'}, String(Number(row.answer.tries)), row.answer.hint ? 'yes' : 'no']))];
}
