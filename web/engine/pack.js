/* node pack.js LOADER WASM TO: writes program.js, the loader and the program, compressed, as one script, which a page that was opened as a file may load. */
"use strict";

const fs = require("node:fs"), zlib = require("node:zlib");
const [loader, wasm, to] = process.argv.slice(2);
const program = { loader: fs.readFileSync(loader, "utf8"), wasm: zlib.gzipSync(fs.readFileSync(wasm), { level: 9 }).toString("base64") };
fs.writeFileSync(to, `var ulpscope_program = ${JSON.stringify(program)};\nif (typeof module !== "undefined")\n    module.exports = ulpscope_program;\n`);
