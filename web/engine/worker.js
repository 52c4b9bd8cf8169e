/* The worker: one command after another, each in an instance of its own, so that no command sees what one before it left.
 *
 * It is a function, whose text engine.js makes a worker of: a page that was opened as a file may start no worker from
 * another file.  In node, engine.js calls it.  `port` has postMessage and onmessage, as a worker's scope has. */
"use strict";

function ulpscope_worker(port) {
    const FOLDER = "/work", IS_FOLDER = 0o040000, TYPE = 0o170000, NOT_MEASURED = 3;
    const encoder = new TextEncoder(), decoder = new TextDecoder();
    let module;

    const bytes_of = value => (typeof value === "string" ? encoder.encode(value) : value);

    const joined = chunks => {
        const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
        let at = 0;
        for (const chunk of chunks) {
            all.set(chunk, at);
            at += chunk.length;
        }
        return all;
    };

    async function unpack(base64) {
        const packed = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
        return new Response(stream).arrayBuffer();
    }

    /* What one of the three standard streams is: bytes that are given, or kept as they come. */
    function put_stream(FS, number, device) {
        const id = FS.makedev(64, number), path = "/dev/ulpscope" + number;
        FS.registerDevice(id, { open() {}, close() {}, ...device });
        FS.mkdev(path, id);
        FS.close(FS.streams[number]);
        if (FS.open(path, number === 0 ? "r" : "w").fd !== number)
            throw new Error("a stream is not in its place");
    }

    function put_streams(FS, input) {
        const kept = [[], []];
        let at = 0;
        put_stream(FS, 0, {
            read(stream, buffer, offset, length) {
                const part = input.subarray(at, at + length);
                buffer.set(part, offset);
                at += part.length;
                return part.length;
            },
        });
        for (const k of [0, 1])
            put_stream(FS, k + 1, {
                write(stream, buffer, offset, length) {
                    kept[k].push(buffer.slice(offset, offset + length));
                    return length;
                },
            });
        return kept;
    }

    function put_files(FS, files) {
        FS.mkdir(FOLDER);
        FS.chdir(FOLDER);
        for (const [name, value] of Object.entries(files)) {
            const parts = name.split("/").filter(part => part !== "" && part !== ".");
            for (let i = 1; i < parts.length; i++)
                try {
                    FS.mkdir(parts.slice(0, i).join("/"));
                } catch (error) {
                    /* it is there */
                }
            FS.writeFile(parts.join("/"), bytes_of(value));
        }
    }

    /* Those of the folder that were not given, or are no longer as they were given. */
    function files_written(FS, given, folder = "", found = {}) {
        for (const entry of FS.readdir(FOLDER + "/" + folder)) {
            const name = folder + entry;
            if (entry === "." || entry === "..")
                continue;
            if ((FS.stat(FOLDER + "/" + name).mode & TYPE) === IS_FOLDER) {
                files_written(FS, given, name + "/", found);
                continue;
            }
            const bytes = FS.readFile(FOLDER + "/" + name);
            const before = Object.hasOwn(given, name) ? bytes_of(given[name]) : null;
            if (!before || before.length !== bytes.length || before.some((byte, i) => byte !== bytes[i]))
                found[name] = bytes;
        }
        return found;
    }

    function instance_of(environment) {
        return ulpscope_module({ // of the loader, before this function in the worker's text
            noInitialRun: true,
            instantiateWasm(imports, done) {
                const instance = new WebAssembly.Instance(module, imports);
                done(instance, module);
                return instance.exports;
            },
            preRun: [made => Object.assign(made.ENV, environment)],
            print() {},
            printErr() {},
        });
    }

    /* A trap, or a stack that ran out, ends an instance and nothing else. */
    function call(instance, words) {
        try {
            return { status: instance.callMain(words), why: "" };
        } catch (error) {
            return { status: NOT_MEASURED, why: "ulpscope: the browser ended this command: " + error.message + "\n" };
        }
    }

    async function run({ words, files, input, environment }) {
        const start = performance.now();
        const instance = await instance_of({ TZ: "UTC", ...environment });
        const [out, err] = put_streams(instance.FS, bytes_of(input));
        put_files(instance.FS, files);
        const { status, why } = call(instance, words);
        return {
            status,
            out: decoder.decode(joined(out)),
            err: decoder.decode(joined(err)) + why,
            files: files_written(instance.FS, files),
            milliseconds: performance.now() - start,
        };
    }

    async function begin(program) {
        module = program.module || (await WebAssembly.compile(program.bytes || (await unpack(program.wasm))));
        return { module };
    }

    port.onmessage = async ({ data }) => {
        let answer;
        try {
            answer = await (data.begin ? begin(data.begin) : run(data));
        } catch (error) {
            answer = { status: NOT_MEASURED, out: "", err: "ulpscope: " + error.message + "\n", files: {}, milliseconds: 0 };
        }
        port.postMessage({ id: data.id, answer });
    };
}

if (typeof module !== "undefined")
    module.exports = ulpscope_worker;
