/* Answers of students: read as exact fractions, compared with what the program says is right, asked for on the page. */
'use strict';

const EXPONENT_MOST = 5000; /* 1e999999999 would be a number of a gigabyte */

/** '16,777,216', '0x1.8p+3', '2^24', '1/3', '-1.5e3'  @return {{over: bigint, under: bigint}|null} */
function read_fraction(text) {
    const clean = text.trim().replace(/[\u2212\u2013]/g, '-').replace(/(\d)[,_ '](?=\d{3}(\D|$))/g, '$1').replace(/^\+/, '');
    const power = (base, exponent) => Math.abs(exponent) > EXPONENT_MOST ? null : exponent >= 0 ? {over: base ** BigInt(exponent), under: 1n} : {over: 1n, under: base ** BigInt(-exponent)};
    const times = (a, b) => a && b && {over: a.over * b.over, under: a.under * b.under};
    const parts = clean.split('/');
    if (parts.length === 2) {
        const [a, b] = parts.map(read_fraction);
        return a && b && b.over !== 0n ? {over: a.over * b.under * (b.over < 0n ? -1n : 1n), under: a.under * (b.over < 0n ? -b.over : b.over)} : null;
    }
    const raised = /^(-?)(\d{1,20})\s*(?:\^|\*\*)\s*([+-]?\d{1,6})$/.exec(clean);
    if (raised)
        return BigInt(raised[2]) === 0n ? null : times({over: raised[1] ? -1n : 1n, under: 1n}, power(BigInt(raised[2]), Number(raised[3])));
    const hexadecimal = exact_number(clean);
    if (hexadecimal)
        return times({over: hexadecimal.digits, under: 1n}, power(2n, hexadecimal.exponent));
    const decimal = /^(-?)(\d{0,4000})(?:\.(\d{0,4000}))?(?:e([+-]?\d{1,6}))?$/i.exec(clean);
    if (!decimal || !(decimal[2] || decimal[3]))
        return null;
    return times({over: BigInt(decimal[1] + (decimal[2] || '0') + (decimal[3] || '')), under: 1n}, power(10n, Number(decimal[4] || 0) - (decimal[3] || '').length));
}

/** Is a <= b? */
function at_most(a, b) {
    return a.over * b.under <= b.over * a.under;
}

/** @return {{right: boolean}|{unread: string}} */
function judge(ask, given) {
    if (ask.kind === 'choice')
        return given === '' ? {unread: 'Choose one of them first.'} : {right: given === ask.answer};
    const number = read_fraction(given);
    if (!number)
        return {unread: given.trim() === '' ? 'Write a number first.' : `"${given.slice(0, 60)}" is no number; expected one like 16777216, -0.5, 1e6, 2^24, 1/3 or 0x1.8p+3.`};
    return {right: at_most(read_fraction(ask.least), number) && at_most(number, read_fraction(ask.most))};
}

/** HTML of the program (its own, with formulas as MathML), in an element. */
function set_html(name, attributes, html) {
    const element = make(name, attributes);
    element.innerHTML = html;
    return element;
}

let asked = 0;

/** One thing that is asked: prompt, field or choices, hint, verdict. */
class Question {
    /** @param {boolean} one_try a prediction, which is judged once; an exercise may be tried again */
    constructor(ask, one_try, answered) {
        Object.assign(this, {ask, one_try, answered, tries: 0, hinted: false, settled: false, right: false, given: '', id: `ask-${++asked}`});
        this.verdict = make('div', {role: 'status', id: `${this.id}-verdict`});
        this.message = make('p', {class: 'message', role: 'alert', id: `${this.id}-message`, hidden: true});
        this.hint = set_html('p', {class: 'context', role: 'status', hidden: true}, ask.hint_html ?? '');
        this.buttons = make('div', {class: 'fields'});
        this.element = make('form', {class: 'ask', 'data-ask': ask.id, novalidate: true, onsubmit: event => (event.preventDefault(), one_try ? this.answered(this) : this.check())},
            this.fields(), this.message, this.hint, this.buttons, this.verdict);
        this.offer();
    }

    fields() {
        const {ask, id} = this;
        if (ask.kind === 'choice')
            return make('fieldset', {'aria-describedby': `${id}-message`}, set_html('legend', {}, ask.prompt_html),
                ...ask.choices.map(choice => make('label', {class: 'choice'}, make('input', {type: 'radio', name: id, value: choice}), ' ' + choice)));
        return make('div', {class: 'fields'}, make('div', {class: 'field long'}, set_html('label', {for: id}, ask.prompt_html),
            make('span', {}, make('input', {id, autocomplete: 'off', spellcheck: 'false', inputmode: 'text', 'aria-describedby': `${id}-message`}), ask.unit ? ` ${ask.unit}` : '')));
    }

    offer() {
        const button = (words, kind, act) => make('button', {type: act ? 'button' : 'submit', class: kind, onclick: act || null}, words);
        show(this.buttons, this.one_try ? null : button('Check', 'main'),
            this.ask.hint && !this.hinted ? button('Hint', null, () => this.show_hint()) : null,
            this.tries && !this.one_try ? button('Show the answer', null, () => this.settle()) : null);
    }

    show_hint() {
        this.hinted = true;
        this.hint.hidden = false;
        this.offer();
    }

    written() {
        if (this.ask.kind === 'choice')
            return this.element.querySelector('input:checked')?.value ?? '';
        return this.element.querySelector('input').value;
    }

    say(text) {
        this.message.textContent = text;
        this.message.hidden = !text;
        for (const input of this.element.querySelectorAll('input'))
            text ? input.setAttribute('aria-invalid', 'true') : input.removeAttribute('aria-invalid');
    }

    /** Can what is written be judged?  If not, it is said why, and nothing is counted. */
    readable() {
        const {unread = ''} = judge(this.ask, this.written());
        this.say(unread);
        return !unread;
    }

    check() {
        if (!this.readable())
            return;
        this.given = this.written();
        this.tries++;
        this.right = judge(this.ask, this.given).right;
        if (this.right || this.one_try)
            this.settle();
        else {
            show(this.verdict, make('p', {}, make('strong', {class: 'bad'}, 'Not right. '), 'Try again.'));
            this.offer();
            this.answered(this);
        }
    }

    /** The end: what is right, and why. */
    settle() {
        this.settled = true;
        for (const input of this.element.querySelectorAll('input'))
            input.disabled = true;
        this.say('');
        const {ask, right} = this, close = ask.least !== undefined && ask.least !== ask.most;
        show(this.verdict, make('p', {}, make('strong', {class: right ? 'good' : 'bad'}, right ? 'Right. ' : this.given === '' ? 'Not answered. ' : 'Not right. '),
            `The answer is ${close ? 'about ' : ''}${ask.answer}${ask.unit ? ' ' + ask.unit : ''}. `, set_html('span', {}, ask.because_html ?? '')));
        show(this.buttons);
        if (!this.one_try)
            this.answered(this);
    }

    /** For the file to hand in. */
    record() {
        const {ask, given, right, tries, hinted} = this;
        return {id: ask.id, prompt: ask.prompt, given, right, tries, hint: hinted, answer: ask.answer};
    }
}
