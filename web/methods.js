/* Many methods on the same numbers: a table with a dot per error, and a histogram per method over many seeds. */
'use strict';

/** The exact sum in decimal, without noughts that say nothing. */
function exact_text(answer) {
    return answer.exact_decimal.replace(/\.?0+e/, 'e').replace('e+00', '').replace(/e\+0?/, 'e').replace('e-0', 'e-') + (answer.exact_is_rounded ? ' …' : '');
}

/** Globs of a field as flags. */
function globs_of(text) {
    return text.split(/[\s,]+/).filter(word => word).map(word => `--method=${word}`);
}

/** Lines of `run --csv -`, as objects by the names of the first. */
function read_csv(text) {
    const cells = line => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(part => part[1] !== undefined ? part[1].replaceAll('""', '"') : part[2]);
    const [heads, ...lines] = text.trim().split('\n').map(cells);
    return lines.map(line => Object.fromEntries(heads.map((head, i) => [head, line[i]])));
}

/** The levels of a report's verdict, from exact to no digit. */
function verdict(row) {
    const ulps = Number(row.ulp_error), relative = Number(row.relative_error);
    if (!Number.isFinite(Number(row.computed)))
        return {kind: row.class === 'finite' ? '' : 'v7', words: row.class};
    if (Number(row.abs_error) === 0)
        return {kind: 'v1', words: 'exact'};
    if (ulps <= 0.5)
        return {kind: 'v2', words: 'correctly rounded'};
    if (ulps <= 1)
        return {kind: 'v3', words: 'within 1 ulp'};
    if (!(relative < 1))
        return {kind: 'v7', words: 'no correct digit'};
    const digits = Math.max(0, Math.floor(-Math.log10(relative)));
    return {kind: digits >= 3 ? 'v4' : digits ? 'v6' : 'v7', words: digits === 0 ? 'no correct digit' : `${digits} correct digit${digits === 1 ? '' : 's'}`};
}

const DOTS = {width: 180, height: 16, least: -2};

/** A dot on an axis of powers of ten, from 0.01 ulp to the largest error of the table; at the left edge what is exact. */
function dot(ulps, largest) {
    const decades = Math.max(1, Math.ceil(Math.log10(Math.max(largest, 1))) - DOTS.least);
    const at = power => 8 + (DOTS.width - 16) * (power - DOTS.least) / decades, lines = [];
    for (let power = DOTS.least; power <= DOTS.least + decades; power++)
        lines.push(draw('path', {class: 'grid', d: `M${at(power)},0V${DOTS.height}`}));
    const place = ulps === 0 ? 4 : at(Math.max(DOTS.least, Math.log10(ulps)));
    return draw('svg', {width: DOTS.width, height: DOTS.height, 'aria-hidden': 'true'}, ...lines,
        Number.isFinite(place) ? draw('circle', {class: 'dot', cx: place, cy: DOTS.height / 2, r: 4}) : null);
}

function methods_table(rows, chosen) {
    const finite = rows.map(row => Number(row.ulp_error)).filter(Number.isFinite), largest = Math.max(1, ...finite);
    return table_of('the sum by each method', ['method', 'sum', 'error (ulp)', `0.01 to ${brief(10 ** Math.ceil(Math.log10(largest)))} ulp`, 'result'],
        rows.map(row => {
            const {kind, words} = verdict(row), ulps = Number(row.ulp_error);
            return [row.method + (row.method === chosen ? ' (chosen)' : ''), shortest(Number(row.computed), row.format),
                Number.isFinite(ulps) ? brief(ulps) : 'no digit', dot(ulps, largest), {text: words, class: kind + ' left'}];
        }));
}

/** The median and the largest of a series, in words. */
function series_words(series) {
    const {p50, max} = series.statistics.relative_error, exact = series.histogram.exact;
    return `${series.histogram.total} sums, median relative error ${brief(Number(p50))}, largest ${brief(Number(max))}${exact ? `, ${exact} exact` : ''}`;
}

const BARS = {wide: 440, high: 64};

/** A figure of bars as wide as it can be: {at, to, count, name} and marks {at, text} on an axis from 0 to 1, a bar's height its share of the largest. */
function bars_figure(name, words, bars, marks) {
    const wide = Math.min(BARS.wide, by_id('spread-out').parentElement.clientWidth), {high} = BARS, x = at => 20 + (wide - 40) * at;
    const most = Math.max(1, ...bars.map(bar => bar.count)), shown = bars.filter(bar => bar.count);
    return make('figure', {class: 'histogram'}, make('figcaption', {}, make('strong', {}, name), ': ' + words),
        draw('svg', {role: 'img', 'aria-label': `${name}: ${words}`, width: wide, height: high + 20, viewBox: `0 0 ${wide} ${high + 20}`},
            draw('path', {class: 'grid', d: `M0,${high}H${wide}`}),
            ...shown.map(({at, to, count, name: bar}) => draw('g', {}, draw('title', {}, `${bar}: ${count}`),
                draw('rect', {class: 'bar', x: x(at), y: high - high * count / most, width: Math.max(2, x(to) - x(at) - 1), height: high * count / most}))),
            ...marks.map(({at, text}) => draw('text', {class: 'small soft', x: x(at), y: high + 14, 'text-anchor': 'middle'}, text))));
}

/** How many different sums the orders gave, and the same. */
function orders_words(answer, series) {
    const {most} = answer.reproducibility.find(method => method.method === series.method).permutations;
    return `${most > 1 ? `${most} different sums of ${series.histogram.total}` : `the same sum ${series.histogram.total} times`}; ${series_words(series)}`;
}

/** Bars over powers of two of the relative error; `exact` and `no digit` have bars of their own at the ends. */
function histograms(answer, words = series_words) {
    const powers = answer.series.flatMap(series => series.histogram.bins.map(bin => bin.binade));
    const first = Math.min(-24, ...powers), last = Math.max(-1, ...powers), width = 1 / (last - first + 9), at = power => (power - first + 4) * width;
    const marks = [{at: width, text: 'exact'}, {at: 1 - width, text: 'no digit'}], apart = Math.ceil((last - first) / 5);
    for (let power = first + Math.floor(apart / 2); power <= last - 2; power += apart)
        marks.push({at: at(power + 0.5), text: `2^${power}`});
    return make('div', {class: 'figures'}, ...answer.series.map(series => {
        const {bins, exact, no_digit} = series.histogram;
        return bars_figure(series.method, words(series), [{at: 0, to: 2 * width, count: exact, name: 'exact'}, {at: 1 - 2 * width, to: 1, count: no_digit, name: 'no digit'},
            ...bins.map(bin => ({at: at(bin.binade), to: at(bin.binade + 1), count: bin.count, name: `relative error from 2^${bin.binade}`}))], marks);
    }));
}
