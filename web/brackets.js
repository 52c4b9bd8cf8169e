/* Own brackets: an order of additions that no method has, made by moving terms.  Written ((x0 + x1) + x2), in a URL without
 * blanks.  Every tree can be reached by one move: a term, a number or a bracket, is taken out and put beside another one.
 * The page adds these itself (numbers.js says why that rounds correctly); exact sum and error are the program's. */
'use strict';

const BRACKETS_MOST = 64;

/** @typedef {{element?: number, left?: Bracket, right?: Bracket}} Bracket */

/** '((x0+x1)+x2)'  @return {Bracket}  Throws a Refused that says where. */
function read_brackets(text, n) {
    const words = text.match(/x?\d+|[()+]|\S/gu) || [], seen = new Set();
    let at = 0;
    const refuse = expected => {
        throw new Refused(`brackets: expected ${expected}; found ${at < words.length ? `"${words[at]}"` : 'the end'} as word ${at + 1}; write ((x0 + x1) + x2)`);
    };
    const term = depth => {
        const word = words[at];
        if (depth > 2 * BRACKETS_MOST)
            refuse(`at most ${2 * BRACKETS_MOST} brackets in each other`);
        if (word === '(') {
            at++;
            const sum = terms(depth + 1);
            if (words[at] !== ')')
                refuse('")" or "+"');
            at++;
            return sum;
        }
        const number = /^x?(\d+)$/.exec(word || '');
        if (!number)
            refuse('a number like x0, or "("');
        const element = Number(number[1]);
        if (element >= n)
            refuse(`x0 to x${n - 1}`);
        if (seen.has(element))
            refuse(`each number once, and x${element} not again`);
        seen.add(element);
        at++;
        return {element};
    };
    const terms = depth => {
        let sum = term(depth);
        while (words[at] === '+') {
            at++;
            sum = {left: sum, right: term(depth)};
        }
        return sum;
    };
    const tree = terms(0);
    if (at < words.length)
        refuse('"+" or the end');
    if (seen.size < n)
        throw new Refused(`brackets: expected all ${n} numbers; x${[...Array(n).keys()].find(i => !seen.has(i))} is missing; put it in`);
    return tree;
}

/** @param {Bracket} tree */
function write_brackets(tree, outermost = true) {
    if (tree.element !== undefined)
        return `x${tree.element}`;
    const inside = `${write_brackets(tree.left, false)}+${write_brackets(tree.right, false)}`;
    return outermost ? inside : `(${inside})`;
}

/** The brackets of a method's tree. */
function brackets_of(tree) {
    const made = new Map();
    for (const node of tree.nodes.values()) /* children stand before their parents */
        made.set(node.id, node.left === undefined ? {element: node.element} : {left: made.get(node.left), right: made.get(node.right)});
    return made.get(tree.root);
}

/** Adds the numbers in these brackets, each sum rounded to the format.  @return {SumTree} */
function brackets_tree(brackets, numbers, format, ulp) {
    const nodes = new Map();
    const put = part => {
        if (part.element !== undefined) {
            const value = numbers[part.element];
            nodes.set(nodes.size, {id: nodes.size, element: part.element, leaves: 1, value, value_hex: hex_text(value), error: 0, error_hex: null, added: true, part});
            return nodes.size - 1;
        }
        const left = put(part.left), right = put(part.right), id = nodes.size;
        const {value, error} = added(nodes.get(left).value, nodes.get(right).value, format);
        nodes.get(left).parent = nodes.get(right).parent = id;
        nodes.set(id, {id, left, right, leaves: nodes.get(left).leaves + nodes.get(right).leaves, value, value_hex: hex_text(value), error,
            error_hex: hex_text(error), added: true, part});
        return id;
    };
    const root = put(brackets);
    return {nodes, root, format, ulp, plain: true};
}

function holds(tree, part) {
    return tree === part || (tree.left !== undefined && (holds(tree.left, part) || holds(tree.right, part)));
}

/** The brackets with `part` taken out and added to `target`: (target + part).  Null where that is no move. */
function moved(brackets, part, target) {
    if (part === brackets || holds(part, target))
        return null;
    const without = tree => {
        if (!holds(tree, part)) /* the same object: the target is found again */
            return tree;
        if (tree.left === part || tree.right === part)
            return with_part(tree.left === part ? tree.right : tree.left, tree);
        return with_part({left: without(tree.left), right: without(tree.right)}, tree);
    };
    /* the target may be the very sum that loses its term: what is left of it is the target then */
    const with_part = (tree, was) => was === target ? {left: tree, right: part} : tree;
    const put = tree => tree === target ? {left: tree, right: part} : tree.element !== undefined ? tree : {left: put(tree.left), right: put(tree.right)};
    const leaner = without(brackets);
    return holds(leaner, target) ? put(leaner) : leaner;
}

/** (a + b) + c to a + (b + c), and back; null where there is no bracket to move. */
function rotated(brackets, part, to_right) {
    const turn = tree => {
        if (tree === part)
            return to_right ? {left: tree.left.left, right: {left: tree.left.right, right: tree.right}}
                : {left: {left: tree.left, right: tree.right.left}, right: tree.right.right};
        return tree.element !== undefined ? tree : {left: turn(tree.left), right: turn(tree.right)};
    };
    const inner = part.element === undefined && (to_right ? part.left : part.right);
    return inner && inner.element === undefined ? turn(brackets) : null;
}
