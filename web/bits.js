/* The bits of an addition, lined up under each other: both operands, their exact sum, and what is stored of it.  All of it is
 * exact, by integers (numbers.js). */
'use strict';

const BITS_SHOWN = 120;

/** '1011' of digits * 2^exponent between two places, blanks where it has none; noughts down to the place `end` are its own. */
function bits_between(number, highest, lowest, end) {
    const digits = number.digits < 0n ? -number.digits : number.digits, text = digits.toString(2);
    const top = number.exponent + text.length - 1;
    let line = '';
    for (let place = highest; place >= lowest; place--)
        line += !digits || place > top ? ' ' : place >= number.exponent ? text[top - place] : place >= end ? '0' : ' ';
    return line;
}

function top_bit(number) {
    const digits = number.digits < 0n ? -number.digits : number.digits;
    return digits ? number.exponent + digits.toString(2).length - 1 : -Infinity;
}

/** @return {Element} the lines of node = left + right */
function bits_lines(tree, node) {
    const left = tree.nodes.get(node.left), right = tree.nodes.get(node.right);
    const a = exact_number(left.value_hex), b = exact_number(right.value_hex), stored = exact_number(node.value_hex);
    if (!a || !b || !stored)
        return make('p', {}, 'A number that is not finite has no bits to line up.');
    const sum = exact_add(a, b), all = [a, b, sum, stored].filter(number => number.digits);
    if (!all.length)
        return make('p', {}, 'All of them are 0.');
    const highest = Math.max(...all.map(top_bit)), lowest = Math.min(...all.map(number => number.exponent));
    if (highest - lowest >= BITS_SHOWN)
        return make('p', {}, `Their bits reach from 2^${highest} to 2^${lowest}: too wide to line up. Rounding changed the sum by ${node.error_hex ?? 'an unknown amount'}.`);
    const {precision, least} = FORMATS[tree.format] || FORMATS.binary32;
    const cut = Math.max((sum.digits ? top_bit(sum) : highest) - precision + 1, least);
    const line = (name, number) => {
        const end = number.digits ? Math.max(top_bit(number) - precision + 1, least) : highest;
        const bits = bits_between(number, highest, lowest, end), kept = Math.max(0, Math.min(bits.length, highest - cut + 1));
        return [name.padEnd(11), number.digits < 0n ? '- ' : '+ ', bits.slice(0, kept), kept < bits.length ? '|' : '',
            make('span', {class: 'cut'}, bits.slice(kept)), '\n'];
    };
    const name = part => name_of(part, tree).slice(0, 10);
    const pre = make('pre', {class: 'bits', tabindex: '0', role: 'region', 'aria-label': 'bits lined up'},
        ...line(name(left), a), ...line(name(right), b), ...line('exact', sum), ...line('stored', stored));
    return make('div', {}, pre, make('p', {class: 'context'}, cut > lowest
        ? `From 2^${highest} to 2^${lowest}. Behind the bar stands what ${tree.format} has no room for: ${precision} bits from the first. Rounding changed the sum by ${node.error_hex ?? '?'}.`
        : `From 2^${highest} to 2^${lowest}: all bits of the exact sum fit.`),
    tree.plain === false ? make('p', {class: 'context'}, 'This method keeps more than one number: what stands here are its states, rounded.') : null);
}
