/* Many methods on the same numbers: a table with a dot per error, and a histogram per method over many seeds. */
'use strict';

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

/** Bars over powers of two of the relative error; `exact` and `no digit` have bars of their own at the ends. */
function histogram(series, first, last) {
    const {bins, exact, no_digit, total} = series.histogram, wide = 620, high = 64, room = 52, width = (wide - 2 * room) / (last - first + 1);
    const most = Math.max(1, exact, no_digit, ...bins.map(bin => bin.count));
    const bar = (x, count, name) => count ? draw('g', {}, draw('title', {}, `${name}: ${count} of ${total}`),
        draw('rect', {class: 'bar', x, y: high - high * count / most, width: Math.max(2, width - 1), height: high * count / most})) : null;
    const marks = [];
    for (let power = first; power <= last; power++)
        if (power % Math.max(1, Math.ceil((last - first) / 8)) === 0)
            marks.push(draw('text', {class: 'small soft', x: room + (power - first) * width, y: high + 14}, `2^${power}`));
    return draw('svg', {role: 'img', 'aria-label': `${series.method}: ${series_words(series)}`, width: wide, height: high + 20, viewBox: `0 0 ${wide} ${high + 20}`},
        draw('path', {class: 'grid', d: `M0,${high}H${wide}`}),
        bar(8, exact, 'exact'), draw('text', {class: 'small soft', x: 4, y: high + 14}, 'exact'),
        ...bins.map(bin => bar(room + (bin.binade - first) * width, bin.count, `relative error from 2^${bin.binade}`)),
        bar(wide - room + 8, no_digit, 'no digit'), draw('text', {class: 'small soft', x: wide - room + 2, y: high + 14}, 'no digit'), ...marks);
}

function histograms(answer) {
    const powers = answer.series.flatMap(series => series.histogram.bins.map(bin => bin.binade));
    const first = Math.min(-24, ...powers), last = Math.max(-1, ...powers);
    return answer.series.map(series => make('figure', {class: 'histogram'}, make('figcaption', {}, make('strong', {}, series.method), ': ' + series_words(series)),
        make('div', {class: 'wide', role: 'region', tabindex: '0', 'aria-label': `histogram of ${series.method}`}, histogram(series, first, last))));
}
