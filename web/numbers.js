/* Numbers as the program prints them (%a), exactly: sums of any length as integers of BigInt, and rounding to a format.
 *
 * The page rounds sums itself in one place alone, own brackets (brackets.js), by Math.fround and its likes on a binary64 sum.
 * That is the correct rounding of the exact sum although it rounds twice: for p-bit operands, + rounded to q bits and then
 * to p equals + rounded to p whenever q >= 2 p + 2 (Figueroa, When is double rounding innocuous?, 1995), and 53 >= 2 * 24 + 2.
 * A sum below the normal range is exact.  tests/web/test_pages_of_web.py compares it with exact fractions. */
'use strict';

/** precision p, exponent of the least subnormal, largest number */
const FORMATS = {
    binary64: {precision: 53, least: -1074, largest: Number.MAX_VALUE},
    binary32: {precision: 24, least: -149, largest: (2 - 2 ** -23) * 2 ** 127},
    tf32: {precision: 11, least: -136, largest: (2 - 2 ** -10) * 2 ** 127},
    bfloat16: {precision: 8, least: -133, largest: (2 - 2 ** -7) * 2 ** 127},
    binary16: {precision: 11, least: -24, largest: 65504},
};

/** The e of 2^e <= |x| < 2^(e+1); of subnormals of binary64 too. */
function binade(x) {
    const bits = new DataView(new ArrayBuffer(8));
    bits.setFloat64(0, Math.abs(x));
    const biased = bits.getUint16(0) >> 4;
    return biased ? biased - 1023 : Math.abs(x) < 2 ** -1022 && x ? Math.floor(Math.log2(Math.abs(x) * 2 ** 100)) - 100 : 0;
}

/** x, a binary64, to the nearest number of a format, ties to even. */
function rounded(x, format) {
    const {precision, least, largest} = FORMATS[format];
    if (format === 'binary64' || !Number.isFinite(x) || x === 0)
        return x;
    if (format === 'binary32')
        return Math.fround(x);
    const spacing = 2 ** Math.max(binade(x) - precision + 1, least), steps = x / spacing, down = Math.floor(steps);
    const rest = steps - down, nearest = rest < 0.5 || (rest === 0.5 && down % 2 === 0) ? down : down + 1;
    const value = nearest * spacing;
    return Math.abs(value) > largest ? Math.sign(value) * Infinity : value === 0 ? Math.sign(x) * 0 : value;
}

/** a + b in a format, and what it lost: TwoSum (Knuth), whose error is exact in each format unless something overflows. */
function added(a, b, format) {
    const round = x => rounded(x, format), value = round(a + b);
    const of_b = round(value - a), of_a = round(value - of_b);
    return {value, error: -round(round(a - of_a) + round(b - of_b))};
}

/** '-0x1.8p+3': -1.5 * 8 as {digits: -3n, exponent: 2}, digits * 2^exponent; null of inf and nan. */
function exact_number(text) {
    const parts = /^(-?)0x([0-9a-f]+)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i.exec(text);
    if (!parts)
        return null;
    const [, sign, whole, fraction = '', power] = parts;
    let digits = BigInt('0x' + whole + fraction), exponent = Number(power) - 4 * fraction.length;
    while (digits && digits % 2n === 0n) {
        digits /= 2n;
        exponent++;
    }
    return {digits: sign ? -digits : digits, exponent: digits ? exponent : 0};
}

function exact_add(a, b) {
    const exponent = Math.min(a.exponent, b.exponent);
    return {digits: (a.digits << BigInt(a.exponent - exponent)) + (b.digits << BigInt(b.exponent - exponent)), exponent};
}

/** A double of the program's %a text. */
function number_of(text) {
    const exact = exact_number(String(text));
    if (!exact)
        return /^-?inf/.test(text) ? (text[0] === '-' ? -Infinity : Infinity) : text === null || text === '' ? NaN : Number(text);
    if (!exact.digits)
        return text[0] === '-' ? -0 : 0;
    const half = Math.trunc(exact.exponent / 2); /* in two steps: 2^-1074 alone times a large integer is no double on the way */
    return Number(exact.digits) * 2 ** half * 2 ** (exact.exponent - half);
}

/** %a of a double */
function hex_text(x) {
    if (!Number.isFinite(x))
        return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf';
    const sign = x < 0 || Object.is(x, -0) ? '-' : '';
    if (x === 0)
        return sign + '0x0p+0';
    const power = binade(x);
    let rest = Math.abs(x) * 2 ** (power < -1000 ? 100 : 0) / 2 ** (power + (power < -1000 ? 100 : 0)) - 1, digits = '';
    while (rest > 0) {
        const digit = Math.floor(rest * 16);
        digits += digit.toString(16);
        rest = rest * 16 - digit;
    }
    return `${sign}0x1${digits ? '.' + digits : ''}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}

/** The fewest digits that are read as x again in the format. */
function shortest(x, format = 'binary64') {
    if (!Number.isFinite(x))
        return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf';
    const known = FORMATS[format] ? format : 'binary64';
    for (let digits = 1; digits < 17; digits++) {
        const text = x.toPrecision(digits);
        if (rounded(Number(text), known) === x)
            return tidy(Number(text));
    }
    return tidy(x);
}

function tidy(x) {
    return Object.is(x, -0) ? '-0' : (Math.abs(x) >= 1e10 ? x.toExponential() : String(x)).replace('e+', 'e');
}

/** 1234567: '1.23e6', 0.5: '0.5', for errors */
function brief(x) {
    if (!Number.isFinite(x))
        return Number.isNaN(x) ? '-' : String(x).replace('Infinity', 'inf');
    const size = Math.abs(x);
    const text = size === 0 ? '0' : size >= 1e5 || size < 1e-3 ? x.toExponential(2) : String(Number(x.toPrecision(3)));
    return text.replace('e+', 'e');
}

/** The text of a field as a file, one number a line: numbers stand apart by blanks, commas, semicolons or lines. */
function numbers_file(text) {
    const numbers = text.split(/[\s,;]+/).filter(word => word);
    return numbers.length ? numbers.join('\n') + '\n' : '';
}
