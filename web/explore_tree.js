/* A panel with a tree of additions: focus, folding, bits on demand, saving.  The method's tree and own brackets both are one. */
'use strict';

class TreePanel {
    /** @param {string} prefix of the ids: 'tree' has #tree-panel, #tree-tools, #tree-bits  @param {object} more its own keys and buttons */
    constructor(prefix, label, more = {}) {
        this.prefix = prefix;
        this.label = label;
        this.more = more;
        this.panel = by_id(`${prefix}-panel`);
        this.panel.addEventListener('click', event => this.clicked(event));
        this.panel.addEventListener('keydown', event => this.key(event));
    }

    /** @param {SumTree} tree */
    put(tree) {
        this.tree = tree;
        this.view = {folded: folded_at_first(tree), chosen: null, held: null};
        this.panel.hidden = false;
        show(`${this.prefix}-tools`, ...this.tools());
        this.redraw();
    }

    clear(...instead) {
        this.tree = null;
        for (const part of ['tools', 'bits'])
            show(`${this.prefix}-${part}`);
        show(this.panel, ...instead);
    }

    tools() {
        const button = (words, act) => make('button', {type: 'button', onclick: act}, words);
        return [
            button('Unfold all', () => this.fold(new Set())),
            button('Fold', () => this.fold(folded_at_first(this.tree, 8))),
            button('Save as SVG', () => save('tree.svg', svg_file(this.panel.querySelector('svg')), 'image/svg+xml')),
            ...(this.more.tools ? this.more.tools(button) : []),
        ];
    }

    fold(folded) {
        const most = 1024; /* joins of an SVG that a browser still scrolls well */
        this.view.folded = folded.size || this.tree.nodes.size < 2 * most ? folded : folded_at_first(this.tree, most);
        this.redraw();
    }

    redraw(focus = null) {
        const had = this.panel.contains(document.activeElement);
        if (focus !== null)
            this.view.chosen = focus;
        this.panel.replaceChildren(draw_tree(this.tree, this.view, this.label));
        if (had || focus !== null) {
            const item = this.item(this.view.chosen) || this.panel.querySelector('[tabindex="0"]') || this.panel.querySelector('[role=treeitem]');
            item.setAttribute('tabindex', '0');
            item.focus();
        } else if (!this.panel.querySelector('[tabindex="0"]'))
            this.panel.querySelector('[role=treeitem]').setAttribute('tabindex', '0');
        const node = this.tree.nodes.get(this.view.chosen);
        show(`${this.prefix}-bits`, node ? this.bits(node) : null);
    }

    bits(node) {
        const words = node.element !== undefined ? `x${node.element} is ${shortest(node.value, this.tree.format)}, ${node.value_hex}`
            : `${name_of(node, this.tree)}: ${shortest(node.value, this.tree.format)}, ${node.value_hex}; ${loss_of(node, this.tree).words}`;
        return make('div', {}, make('h3', {}, words), node.left === undefined ? null : bits_lines(this.tree, node));
    }

    item(id) {
        return this.panel.querySelector(`[data-node="${id}"]`);
    }

    node_at(event) {
        const item = event.target.closest('[role=treeitem]');
        return item ? this.tree.nodes.get(Number(item.dataset.node)) : null;
    }

    clicked(event) {
        const node = this.node_at(event);
        if (!node)
            return;
        if (this.view.folded.has(node.id))
            this.view.folded.delete(node.id);
        this.redraw(node.id);
    }

    key(event) {
        const node = this.tree && this.node_at(event);
        if (!node || event.ctrlKey || event.metaKey || event.altKey)
            return;
        const joins = node.left !== undefined;
        if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            if (event.key === ' ' && joins)
                this.view.folded.has(node.id) ? this.view.folded.delete(node.id) : this.view.folded.add(node.id);
            this.redraw(node.id);
        } else if (!(this.more.key && this.more.key(event, node))) {
            const next = tree_key(event, this.tree, this.view);
            if (next !== null)
                this.redraw(next);
        }
    }
}
