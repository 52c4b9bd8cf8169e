/* Elements from names, attributes and children.  A text becomes a text node, never HTML: whatever stands in a field or a URL
 * can be shown as it is. */
'use strict';

const SVG = 'http://www.w3.org/2000/svg';

/** @param {Element} element @param {Object<string, any>} attributes null or false leaves one out, a function listens */
function dress(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes))
        if (typeof value === 'function')
            element.addEventListener(name.slice(2), value);
        else if (value !== null && value !== undefined && value !== false)
            element.setAttribute(name, value === true ? '' : value);
    element.append(...children.filter(child => child !== null && child !== undefined));
    return element;
}

/** make('button', {onclick: stop}, 'Stop') */
function make(name, attributes = {}, ...children) {
    return dress(document.createElement(name), attributes, children);
}

/** The same for pictures: draw('rect', {x: 1, ...}) */
function draw(name, attributes = {}, ...children) {
    return dress(document.createElementNS(SVG, name), attributes, children);
}

const by_id = id => document.getElementById(id);

function show(place, ...children) {
    const box = typeof place === 'string' ? by_id(place) : place;
    box.replaceChildren(...children.filter(child => child !== null && child !== undefined));
    box.hidden = box.childNodes.length === 0;
}

/** What the program says about a field's text, beside the field; '' takes it away. */
function say_beside(field, text) {
    const input = by_id(field), id = field + '-message';
    let box = by_id(id);
    if (!box) {
        box = make('p', {id, class: 'message', role: 'alert'});
        (input.closest('.field') || input.closest('fieldset') || input).append(box);
    }
    box.textContent = text;
    box.hidden = !text;
    const control = input.matches('input, select, textarea') ? input : input.querySelector('input, select, textarea');
    if (!control)
        return;
    if (text) {
        control.setAttribute('aria-invalid', 'true');
        control.setAttribute('aria-describedby', id);
    } else {
        control.removeAttribute('aria-invalid');
        control.removeAttribute('aria-describedby');
    }
}

/** @param {string|Uint8Array} content */
function save(name, content, type) {
    const link = make('a', {href: URL.createObjectURL(new Blob([content], {type})), download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A picture of the page as a file that stands alone: the colours that the style sheet gives it are written into it. */
function svg_file(svg) {
    const copy = svg.cloneNode(true), from = svg.querySelectorAll('*'), to = copy.querySelectorAll('*');
    const kept = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size'];
    for (let i = 0; i < from.length; i++) {
        const style = getComputedStyle(from[i]);
        to[i].setAttribute('style', kept.map(name => `${name}: ${style.getPropertyValue(name)}`).join('; '));
    }
    copy.setAttribute('style', `background: ${getComputedStyle(document.body).backgroundColor}`);
    return new XMLSerializer().serializeToString(copy);
}

/** A table whose first column names the rows; a cell is a text, an element, or {text, class}. */
function table_of(name, heads, rows) {
    const cell = (content, first) => {
        const {text = content, kind = null} = content && content.text !== undefined ? {text: content.text, kind: content.class} : {};
        return make(first ? 'th' : 'td', {scope: first ? 'row' : null, class: first ? 'left' : kind}, text);
    };
    return make('div', {class: 'wide', role: 'region', 'aria-label': name, tabindex: '0'},
        make('table', {'aria-label': name},
            make('thead', {}, make('tr', {}, ...heads.map((head, i) => make('th', {scope: 'col', class: i ? null : 'left'}, head)))),
            make('tbody', {}, ...rows.map(row => make('tr', {}, ...row.map((content, i) => cell(content, i === 0)))))));
}

/** facts([['exact sum', '1.5'], ...]) */
function facts(pairs) {
    return make('dl', {class: 'facts'}, ...pairs.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}
