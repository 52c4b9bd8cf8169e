/* A tree of additions, drawn as `ulpscope tree` draws it in lines: an element per line, a join at the end of its right
 * operand's line, and a line from above for its left one, so that a running sum is one column and n lines.
 *
 *     x0 ─┐
 *     x1 ─(x0 + x1)─┐
 *     x2 ───────────(x0 + x1 + x2)
 *
 * A join is folded to a line of its own on demand; of large trees most are, and only what is seen costs anything. */
'use strict';

const CELL = {width: 118, height: 38, gap: 16, line: 46, left: 6, top: 6};
const LEAVES_AT_FIRST = 64;

/**
 * @typedef {{id: number, left?: number, right?: number, element?: number, leaves: number, value: number, value_hex: string,
 *            error: number|null, error_hex: string|null, added: boolean, parent?: number}} TreeNode
 * @typedef {{nodes: Map<number, TreeNode>, root: number, format: string, ulp: number}} SumTree
 */

/** The tree of `tree --json` with data.  @return {SumTree} */
function tree_of(answer, format, ulp) {
    const nodes = new Map();
    let root = 0;
    for (const node of answer.nodes) {
        const error = node.error_hex === undefined ? 0 : node.error_hex === null ? null : number_of(node.error_hex);
        nodes.set(node.node, {id: node.node, left: node.left, right: node.right, element: node.element, leaves: node.leaves || 1,
            value: number_of(node.value_hex), value_hex: node.value_hex, error, error_hex: node.error_hex || null, added: node.added !== false});
        if (node.left !== undefined) {
            nodes.get(node.left).parent = node.node;
            nodes.get(node.right).parent = node.node;
        }
        root = node.node;
    }
    return {nodes, root, format, ulp};
}

/** Which joins to fold so that about `most` lines are left: the largest are opened first. */
function folded_at_first(tree, most = LEAVES_AT_FIRST) {
    const open = new Set(), front = [tree.root];
    let lines = 1;
    while (front.length && lines < most) {
        let at = 0;
        for (let i = 1; i < front.length; i++)
            if (tree.nodes.get(front[i]).leaves > tree.nodes.get(front[at]).leaves)
                at = i;
        const node = tree.nodes.get(front.splice(at, 1)[0]);
        if (node.left === undefined)
            continue;
        open.add(node.id);
        front.push(node.left, node.right);
        lines++;
    }
    const folded = new Set();
    for (const id of front)
        if (tree.nodes.get(id).left !== undefined)
            folded.add(id);
    return folded;
}

/** Lines and columns of what is not folded away, children before their parents.  No recursion: a serial tree is n deep. */
function tree_places(tree, folded) {
    const places = new Map(), order = [], stack = [tree.root];
    let lines = 0, columns = 0;
    while (stack.length) {
        const id = stack[stack.length - 1], node = tree.nodes.get(id);
        if (node.left === undefined || folded.has(id)) {
            places.set(id, {line: lines++, column: 0});
        } else if (!places.has(node.right)) {
            stack.push(places.has(node.left) ? node.right : node.left);
            continue;
        } else {
            const left = places.get(node.left), right = places.get(node.right);
            places.set(id, {line: right.line, column: Math.max(left.column, right.column + 1)});
            columns = Math.max(columns, places.get(id).column);
        }
        order.push(id);
        stack.pop();
    }
    return {places, order, lines, columns};
}

/** How much an addition lost, in ulp of the exact sum: a level of colour, and words that say the same. */
const LOSS_LEVELS = [
    {kind: 'v1', below: 0, words: 'nothing, it is exact'},
    {kind: 'v2', below: 0.1, words: 'less than 0.1 ulp of the exact sum'},
    {kind: 'v4', below: 1, words: 'less than 1 ulp'},
    {kind: 'v6', below: 100, words: 'less than 100 ulp'},
    {kind: 'v7', below: Infinity, words: '100 ulp or more'},
];

function loss_of(node, tree) {
    if (node.element !== undefined || node.left === undefined)
        return {kind: '', text: '', words: 'a number'};
    if (node.error === null || Number.isNaN(node.error))
        return {kind: '', text: node.added ? 'not finite' : 'merge', words: 'error unknown'};
    if (!node.added && node.error === 0 && tree.plain === false)
        return {kind: 'v1', text: 'merged', words: 'merged, nothing lost'};
    const lost = Math.abs(node.error) / tree.ulp;
    const level = LOSS_LEVELS.find(row => lost <= row.below && (row.below !== 0 || lost === 0)) || LOSS_LEVELS[LOSS_LEVELS.length - 1];
    const ulps = `${brief(node.error / tree.ulp)} ulp`;
    return {kind: level.kind, text: lost === 0 ? 'exact' : Number.isFinite(lost) ? ulps : brief(node.error),
        words: lost === 0 ? 'exact' : `rounding changed it by ${Number.isFinite(lost) ? ulps : brief(node.error)}`};
}

function name_of(node, tree) {
    if (node.element !== undefined)
        return `x${node.element}`;
    return node.leaves === 2 ? `${name_of(tree.nodes.get(node.left), tree)} + ${name_of(tree.nodes.get(node.right), tree)}` : `sum of ${node.leaves}`;
}

/** @param {{folded: Set<number>, chosen: number|null, held: number|null}} view */
function draw_tree(tree, view, label) {
    const {places, order, lines, columns} = tree_places(tree, view.folded);
    const step = CELL.width + CELL.gap, wide = 2 * CELL.left + (columns + 1) * step, high = 2 * CELL.top + lines * CELL.line;
    const x = place => CELL.left + place.column * step, y = place => CELL.top + place.line * CELL.line;
    const items = [], level = new Map([[tree.root, 1]]);
    let edges = '';
    for (let i = order.length; i-- > 0;) {
        const node = tree.nodes.get(order[i]);
        if (node.left !== undefined && !view.folded.has(node.id))
            for (const side of [node.left, node.right])
                level.set(side, level.get(node.id) + 1);
    }
    for (const id of order) {
        const node = tree.nodes.get(id), place = places.get(id), joins = node.left !== undefined, folded = joins && view.folded.has(id);
        if (joins && !folded) {
            const left = places.get(node.left), right = places.get(node.right), middle = x(place) + CELL.width / 2;
            const down = y(place), across = y(left) + CELL.height / 2;
            edges += left.column === place.column ? `M${middle},${y(left) + CELL.height}V${down}` : `M${x(left) + CELL.width},${across}H${middle}V${down}`;
            edges += `M${x(right) + CELL.width},${y(right) + CELL.height / 2}H${x(place)}`;
        }
        const loss = loss_of(node, tree), name = name_of(node, tree), value = shortest(node.value, tree.format);
        const kind = [loss.kind, folded ? 'folded' : '', view.chosen === id ? 'chosen' : '', view.held === id ? 'held' : ''].filter(word => word).join(' ');
        items.push(draw('g', {role: 'treeitem', 'data-node': id, class: kind, tabindex: id === (view.chosen ?? tree.root) ? '0' : '-1',
            'aria-level': level.get(id), 'aria-expanded': joins ? String(!folded) : null, 'aria-selected': String(view.chosen === id),
            'aria-label': `${name}${joins ? ' = ' : ': '}${value}${joins ? ', ' + loss.words : ''}`},
        draw('rect', {x: x(place), y: y(place), width: CELL.width, height: CELL.height, rx: 4}),
        draw('text', {x: x(place) + 6, y: y(place) + 15}, value.length > 15 ? brief(node.value) : value),
        draw('text', {x: x(place) + 6, y: y(place) + 31, class: 'small soft'},
            joins ? (folded ? `+ ${node.leaves}: ` : '') + loss.text : `x${node.element}`)));
    }
    return draw('svg', {class: 'tree', role: 'tree', 'aria-label': label, width: wide, height: high, viewBox: `0 0 ${wide} ${high}`},
        draw('path', {class: 'edge', d: edges, 'aria-hidden': 'true'}), ...items.reverse());
}

function loss_legend() {
    return make('ul', {class: 'legend', 'aria-label': 'colours'}, make('li', {}, 'Rounding changed a sum by:'), ...LOSS_LEVELS.map(level =>
        make('li', {}, make('span', {class: level.kind}, level.kind === 'v1' ? '=' : '±'), level.words)));
}

/** The arrow keys of a tree: right unfolds or goes to the left operand, left goes to the sum, up and down through all. */
function tree_key(event, tree, view) {
    const shown = [...event.currentTarget.querySelectorAll('[role=treeitem]')].map(item => Number(item.dataset.node));
    const id = Number(event.target.closest('[role=treeitem]').dataset.node), node = tree.nodes.get(id), at = shown.indexOf(id);
    const open = node.left !== undefined && !view.folded.has(id);
    const go = {
        ArrowDown: () => shown[at + 1], ArrowUp: () => shown[at - 1], Home: () => shown[0], End: () => shown[shown.length - 1],
        ArrowRight: () => open ? node.right : node.left !== undefined ? (view.folded.delete(id), id) : undefined,
        ArrowLeft: () => open ? (view.folded.add(id), id) : node.parent,
    }[event.key];
    if (!go)
        return null;
    event.preventDefault();
    return go() ?? id;
}
