/* node compare.js NATIVE ENGINE [COMMANDS]: runs each command by both programs, in a folder of its own, and compares the
 * status, what is printed and every file, byte for byte, but for lines that name what differs (DIFFERS).  ENGINE is the
 * folder of engine.js and program.js.  Exit 1: something differs. */
"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs"), os = require("node:os"), path = require("node:path");
const [native, folder, list = path.join(__dirname, "commands.txt")] = process.argv.slice(2);
const engine_of = require(path.resolve(folder, "engine.js"));

/* Times, places, and facts about the machine and the build. */
const DIFFERS = [
    /\d(\.\d+)?(e-?\d+)? (ns|us|ms|s|seconds)\b/, /\b(elapsed|date|took|seconds|kernel|processor|compiler|glibc|flags|jobs|commit|GMP|SQLite|machine|system|CUDA)\b/i,
    /^<dd>[^<]*<\/dd>$/, /\d\d\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/,
];
const STORES = /\.db$/; /* SQLite's pages have its version */

const comparable = text => text.replaceAll("kernel and replay", "replay").split("\n").filter(line => !DIFFERS.some(pattern => pattern.test(line))).join("\n");

function words_of(line) {
    return (line.match(/'[^']*'|\S+/g) || []).map(word => word.replace(/^'(.*)'$/, "$1"));
}

function read_all(at, below = "", found = {}) {
    for (const entry of fs.readdirSync(path.join(at, below), { withFileTypes: true })) {
        const name = path.posix.join(below, entry.name);
        if (entry.isDirectory())
            read_all(at, name, found);
        else
            found[name] = fs.readFileSync(path.join(at, name));
    }
    return found;
}

function first_difference(ours, theirs) {
    const a = ours.split("\n"), b = theirs.split("\n");
    const at = a.findIndex((line, i) => line !== b[i]);
    return at < 0 ? `${b.length - a.length} lines more` : `${JSON.stringify(a[at])} natively, ${JSON.stringify(b[at])} in the engine`;
}

function differences(expected, found) {
    const all = [];
    if (expected.status !== found.status)
        all.push(`status ${expected.status} natively, ${found.status} in the engine`);
    for (const stream of ["out", "err"])
        if (comparable(expected[stream]) !== comparable(found[stream]))
            all.push(`${stream}: ${first_difference(comparable(expected[stream]), comparable(found[stream]))}`);
    const names = new Set([...Object.keys(expected.files), ...Object.keys(found.files)]);
    for (const name of names) {
        const a = expected.files[name], b = found.files[name];
        if (!a || !b)
            all.push(`${name}: only ${a ? "natively" : "in the engine"}`);
        else if (!STORES.test(name) && Buffer.compare(a, Buffer.from(b)) !== 0 && comparable(a.toString("latin1")) !== comparable(Buffer.from(b).toString("latin1")))
            all.push(`${name}: ${first_difference(comparable(a.toString("latin1")), comparable(Buffer.from(b).toString("latin1")))}`.slice(0, 400));
    }
    return all;
}

async function main() {
    const engine = engine_of({ path: path.resolve(folder, "program.js") });
    await engine.ready;
    let place, files, compared = 0, differ = 0, rows = 0, slowest = { milliseconds: 0 };
    for (const line of fs.readFileSync(list, "utf8").split("\n").filter(text => text && !text.startsWith("#"))) {
        const goes_on = line.startsWith("| "), words = words_of(line.replace(/^\| /, ""));
        if (!goes_on) {
            place = fs.mkdtempSync(path.join(os.tmpdir(), "ulpscope-web-"));
            files = {};
        }
        const before = read_all(place), was = spawnSync(path.resolve(native), words, { cwd: place, encoding: "utf8", env: { ...process.env, TZ: "UTC" }, input: "", maxBuffer: 1 << 30 });
        const after = read_all(place), changed = {};
        for (const [name, bytes] of Object.entries(after))
            if (!before[name] || Buffer.compare(before[name], bytes) !== 0)
                changed[name] = bytes;
        for (const name of Object.keys(changed).filter(one => one.endsWith(".csv")))
            rows += changed[name].toString().split("\n").length - 2;
        const is = await engine.command(words, files);
        Object.assign(files, is.files);
        if (is.milliseconds > slowest.milliseconds)
            slowest = { milliseconds: is.milliseconds, words };
        const all = differences({ status: was.status, out: was.stdout, err: was.stderr, files: changed }, is);
        compared++;
        differ += all.length > 0;
        for (const one of all)
            console.log(`${words.join(" ")}: ${one}`);
    }
    console.log(`${compared} commands compared, ${differ} differ; ${rows} rows of CSV; the slowest, ${slowest.words?.join(" ")}, took ${Math.round(slowest.milliseconds)} ms`);
    engine.end();
    process.exit(compared === 0 || differ > 0 ? 1 : 0);
}

main();
