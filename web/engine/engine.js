/* The command-line program in a page: engine.command(["tree", "plain/serial", "-n", "8"]) (README.md).
 *
 * Beside it a page loads program.js, which the build made of ulpscope.wasm, and worker.js; in node, require() does. */
"use strict";

function ulpscope_engine(options = {}) {
    const in_node = typeof window === "undefined" && typeof process !== "undefined" && Boolean(process.versions?.node);
    const program = options.program || (in_node ? require(options.path) : ulpscope_program);
    const started = performance.now();
    let worker, compiled, next = 1;
    const waiting = [], stopped = { stopped: true };

    function start_worker() {
        if (in_node) {
            const { Worker } = require("node:worker_threads");
            const text = `${program.loader}
                const { parentPort } = require("node:worker_threads");
                const port = { postMessage: m => parentPort.postMessage(m) };
                parentPort.on("message", data => port.onmessage({ data }));
                (${require("./worker.js")})(port);`;
            const made = new Worker(text, { eval: true });
            return {
                post: m => (made.ref(), made.postMessage(m)), // node ends when only an idle worker is left
                end: () => made.terminate(),
                hear: f => made.on("message", m => (made.unref(), f(m))),
                fail: f => made.on("error", f),
            };
        }
        const text = `${program.loader}\n(${ulpscope_worker})(self);`; /* not by new Function: the pages' policy allows no eval */
        const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
        const made = new Worker(address);
        URL.revokeObjectURL(address);
        return {
            post: m => made.postMessage(m),
            end: () => made.terminate(),
            hear: f => { made.onmessage = ({ data }) => f(data); },
            fail: f => { made.onerror = f; },
        };
    }

    function begin() {
        const mine = start_worker();
        worker = mine;
        mine.hear(({ id, answer }) => worker === mine && heard(id, answer));
        mine.fail(error => worker === mine && heard(waiting[0]?.id, { status: 3, out: "", err: `ulpscope: ${error.message}\n`, files: {}, milliseconds: 0 }));
        send({ begin: compiled ? { module: compiled } : { wasm: program.wasm } }).then(answer => {
            compiled = answer.module || compiled;
        });
    }

    function send(message, resolve) {
        return new Promise(done => {
            waiting.push({ id: next, message: { id: next++, ...message }, done: resolve || done });
            if (waiting.length === 1)
                worker.post(waiting[0].message);
        });
    }

    function heard(id, answer) {
        if (waiting[0]?.id !== id)
            return;
        waiting.shift().done(answer);
        if (waiting.length > 0)
            worker.post(waiting[0].message);
    }

    function command(words, files = {}, { input = "", environment = {} } = {}) {
        return send({ words: words.map(String), files, input, environment });
    }

    /* The worker goes, with the command that it is at; those that wait go to another. */
    function stop() {
        const left = waiting.splice(0);
        const current = left.findIndex(item => !item.message.begin);
        worker.end();
        begin();
        left.forEach((item, i) => {
            if (i === current)
                item.done(stopped);
            else if (!item.message.begin)
                waiting.push(item);
        });
    }

    function end() {
        worker.end();
        waiting.splice(0).forEach(item => item.done(stopped));
    }

    begin();
    const ready = command(["--version"]).then(answer => {
        if (answer.status !== 0)
            throw new Error(answer.err || "the engine was stopped before it was ready");
        return { version: answer.out.trim(), milliseconds: performance.now() - started };
    });
    return { ready, command, stop, end };
}

if (typeof module !== "undefined")
    module.exports = ulpscope_engine;
