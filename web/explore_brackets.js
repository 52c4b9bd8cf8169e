/* Own brackets on the page: moved by pointer or keyboard, shown at once, judged by the program. */
'use strict';

class OwnBrackets {
    /** @param {(text: string) => void} changed what to do with new brackets */
    constructor(changed) {
        this.changed = changed;
        this.panel = new TreePanel('own', 'your own brackets', {tools: button => this.tools(button), key: (event, node) => this.key(event, node)});
        const place = this.panel.panel;
        place.addEventListener('pointerdown', event => this.pointer_down(event));
        place.addEventListener('pointerup', event => this.pointer_up(event));
    }

    /** @param {number[]} numbers */
    put(text, numbers, format, ulp) {
        this.brackets = read_brackets(text, numbers.length);
        this.panel.put(brackets_tree(this.brackets, numbers, format, ulp));
        return this.panel.tree.nodes.get(this.panel.tree.root);
    }

    clear(...instead) {
        this.panel.clear(...instead);
        this.panel.panel.hidden = !instead.length;
    }

    tools(button) {
        const chosen = () => this.panel.tree.nodes.get(this.panel.view.chosen ?? this.panel.tree.root);
        return [button('Bracket to the right', () => this.rotate(chosen(), true)), button('Bracket to the left', () => this.rotate(chosen(), false)),
            make('span', {id: 'own-hint', class: 'context', role: 'status'})];
    }

    hint(words) {
        by_id('own-hint').textContent = words;
    }

    key(event, node) {
        const act = {
            m: () => this.take_or_put(node), r: () => this.rotate(node, true), l: () => this.rotate(node, false),
            escape: () => this.hold(null),
        }[event.key.toLowerCase()];
        if (!act)
            return false;
        event.preventDefault();
        act();
        return true;
    }

    hold(node) {
        this.panel.view.held = node ? node.id : null;
        this.panel.redraw(node ? node.id : this.panel.view.chosen);
        this.hint(node ? `${name_of(node, this.panel.tree)} is taken: go to another term and press M.` : 'Let go.');
    }

    take_or_put(node) {
        const held = this.panel.tree.nodes.get(this.panel.view.held);
        if (!held)
            this.hold(node);
        else if (held === node)
            this.hold(null);
        else
            this.move(held, node);
    }

    move(node, target) {
        const after = moved(this.brackets, node.part, target.part);
        if (after)
            this.changed(write_brackets(after));
        else
            this.hint('A bracket cannot be put into itself; take another place.');
    }

    rotate(node, to_right) {
        const after = rotated(this.brackets, node.part, to_right);
        if (after)
            this.changed(write_brackets(after));
        else
            this.hint(`There is no bracket on the ${to_right ? 'left' : 'right'} of this sum to move; choose another sum.`);
    }

    pointer_down(event) {
        this.dragged = this.panel.tree && this.panel.node_at(event);
        if (this.dragged && event.target.releasePointerCapture && event.target.hasPointerCapture?.(event.pointerId))
            event.target.releasePointerCapture(event.pointerId); /* a finger: where it is lifted is what counts */
    }

    pointer_up(event) {
        const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('#own-panel [role=treeitem]');
        const target = under && this.panel.tree.nodes.get(Number(under.dataset.node));
        if (this.dragged && target && target !== this.dragged)
            this.move(this.dragged, target);
        this.dragged = null;
    }
}
