"""The pages of web/ with the native program behind them instead of WebAssembly: a double of web/engine/ for tests and for work on
the pages.  GET serves a folder; POST /command runs the program in a fresh folder of its own; /engine/engine.js is the double, for
which the pages' policy has to let them connect to where they came from.  A site that was built (tools/site) has an engine itself,
which is taken then, and its policy.

    python3 tests/web/native_site.py build/host/ulpscope [PORT]        then open http://127.0.0.1:PORT/
"""
import base64
import functools
import http.server
import json
import pathlib
import select
import subprocess
import sys
import tempfile
import threading
import time

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"

ENGINE = """'use strict';
function ulpscope_engine() {
    let going = null;
    const in_base64 = value => {
        const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
        let text = '';
        for (let i = 0; i < bytes.length; i += 8192)
            text += String.fromCharCode(...bytes.subarray(i, i + 8192));
        return btoa(text);
    };
    const from_base64 = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    return {
        ready: fetch('/version').then(answer => answer.json()),
        async command(args, files = {}) {
            going = new AbortController();
            const body = JSON.stringify({args, files: Object.fromEntries(
                Object.entries(files).map(([name, value]) => [name, in_base64(value)]))});
            try {
                const answer = await fetch('/command', {method: 'POST', body, signal: going.signal});
                const result = await answer.json();
                result.files = Object.fromEntries(Object.entries(result.files).map(([name, text]) => [name, from_base64(text)]));
                return result;
            } catch (error) {
                if (error.name === 'AbortError')
                    return {stopped: true};
                throw error;
            }
        },
        stop() {
            if (going)
                going.abort();
        },
    };
}
"""


class Site(http.server.SimpleHTTPRequestHandler):
    program = None
    built = False  # the folder has an engine of its own
    faults = {}    # a test's: {"tree.js": (text, other text)}
    asked = []     # paths that were asked for
    as_written = False  # the policy is left alone, and the double cannot answer

    def log_message(self, *arguments):
        pass

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")  # else a fault would be read from the browser's cache, or not
        super().end_headers()

    def answer(self, body, kind="application/json"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0]
        Site.asked.append(path)
        changes = [self.faults[path[1:]]] if path[1:] in self.faults else []
        if not self.built and path.startswith("/engine/"):
            self.answer(ENGINE.encode() if path == "/engine/engine.js" else b"", "text/javascript")
            return
        if not self.built and path == "/page.js" and not self.as_written:
            changes.append(("connect-src 'none'", "connect-src 'self'"))
        if path == "/version":
            said = subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout
            self.answer(json.dumps({"version": said.strip(), "milliseconds": 0}).encode())
        elif path == "/favicon.ico":
            self.answer(b"", "image/x-icon")
        elif changes:
            source = (pathlib.Path(self.directory) / path[1:]).read_text()
            for text, other in changes:
                assert text in source, f"{path}: a fault's text is not there: {text}"
                source = source.replace(text, other)
            self.answer(source.encode(), self.guess_type(path))
        else:
            super().do_GET()

    def run_program(self, args, place):
        """Its status, out and err; it ends when the page stops waiting for it."""
        with open(place / ".out", "w+b") as out, open(place / ".err", "w+b") as err:
            begun = subprocess.Popen([self.program, *args], cwd=place, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            while begun.poll() is None:
                if select.select([self.connection], [], [], 0.005)[0]:
                    begun.kill()
                    begun.wait()
            return begun.returncode, *((place / name).read_bytes() for name in (".out", ".err"))

    def do_POST(self):
        Site.asked.append(self.path)
        if self.path != "/command":
            self.send_error(404)
            return
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            for name, text in asked["files"].items():
                (place / pathlib.Path(name).name).write_bytes(base64.b64decode(text))
            begin = time.monotonic()
            try:
                status, out, err = self.run_program(asked["args"], place)
            except ValueError as error:  # a NUL in an argument
                status, out, err = 3, b"", f"ulpscope: {error}\n".encode()
            made = {path.name: base64.b64encode(path.read_bytes()).decode() for path in place.iterdir()
                    if path.is_file() and path.name not in (".out", ".err", *asked["files"])}
            result = {"status": status, "out": out.decode(errors="replace"), "err": err.decode(errors="replace"),
                      "files": made, "milliseconds": 1000 * (time.monotonic() - begin)}
        try:
            self.answer(json.dumps(result).encode())
        except (BrokenPipeError, ConnectionResetError):
            pass  # the page stopped waiting


def serve(program, folder=WEB, port=0):
    """A server in a thread of its own; server.server_port says where."""
    Site.program = str(pathlib.Path(program).resolve())
    Site.built = (pathlib.Path(folder) / "engine/program.js").exists()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Site, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    site = serve(sys.argv[1], port=int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"http://127.0.0.1:{site.server_port}/", flush=True)
    threading.Event().wait()
