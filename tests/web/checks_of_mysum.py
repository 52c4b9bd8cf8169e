"""Is my sum right? What it says, and that nothing leaves the machine."""
import http.server
import threading

import native_site
from pages import HOME, WORK, browser, equal, open_mysum, press_check, program, program_json


def check_mysum():
    open_mysum()
    browser.write("#numbers", "0.1, 0.2;0.3\n1e16 -1e16")
    browser.write("#printed", "0.6")
    press_check()
    answer = program_json("exact", "--json=-", "--compare=0.6", "--", "data.txt", files=[("data.txt", "0.1\n0.2\n0.3\n1e16\n-1e16\n")])
    text = browser.text("#exact")
    for word in (answer["exact"], "6.0000000000000000555e-1", answer["nearest"]["binary32"], answer["sha256"], "Right: 0.6"):
        assert word in text, f"{word} is not in {text}"
    assert "superacc/serial" in browser.text("#compared"), "methods are compared"
    browser.write("#printed", "0.5")
    press_check()
    assert "Not the nearest number" in browser.text("#exact"), "a wrong sum is said to be wrong"
    (WORK / "co2.csv").write_text("year,co2\n1990,354.45\n1991,\n1992,356.54\n")
    browser.get("#file").send_keys(str(WORK / "co2.csv"))
    browser.wait("document.querySelector('#file-message')?.textContent.includes('which column')", "which column is asked for")
    browser.write("#column", "co2")
    browser.write("#nonfinite", "skip")
    press_check()
    browser.wait(lambda: "7.1099" in browser.text("#exact"), "the sum of a column without what is no number")
    program("gen", "uniform:n=1000", "-o", str(WORK / "x.npy"))
    browser.write("#column", "")
    browser.get("#file").send_keys(str(WORK / "x.npy"))
    expected = program_json("exact", "--json=-", "--", str(WORK / "x.npy"))
    browser.wait(lambda: expected["exact"] in browser.text("#exact"), "the sum of a .npy")
    browser.click("#forget")
    browser.run("""const data = new DataTransfer(); data.items.add(new File(['1\\n2\\n4\\n'], 'dropped.txt'));
        document.querySelector('#drop').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));""")
    browser.wait("document.querySelector('#exact').textContent.includes('0x1.cp+2')", "the sum of a dropped file")


def check_nothing_leaves():
    """A script in the page can send nothing, to another server or to its own, nor load a script or a picture from another."""
    reached = []

    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            reached.append(self.path)
            self.send_response(204)
            self.end_headers()
        do_POST = do_GET

        def log_message(self, *arguments):
            pass
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    native_site.Site.as_written = True  # the double may connect to where it came from
    try:
        browser.open(f"{HOME}mysum.html", "typeof MYSUM_DEFAULTS !== 'undefined'")
        if not native_site.Site.built:
            browser.wait("document.querySelector('#version').textContent.includes('could not be started')", "a page without its program says so")
        asked = len(native_site.Site.asked)
        own = f"{HOME}sent-" if HOME.startswith("http") else "http://127.0.0.1:1/"
        for url in (f"http://127.0.0.1:{other.server_port}/sent-", own):
            browser.driver.execute_async_script("""const url = arguments[0], done = arguments[1];
                new Image().src = url + 'image'; navigator.sendBeacon(url + 'beacon', 'x');
                const form = document.createElement('form'); form.action = url + 'form'; document.body.append(form); form.submit();
                fetch(url + 'fetch', {method: 'POST', body: 'x', mode: 'no-cors'}).catch(() => 0).finally(() => setTimeout(done, 300));""", url)
        browser.driver.execute_async_script("""const script = document.createElement('script'); script.src = arguments[0] + 'script';
            document.head.append(script); setTimeout(arguments[1], 300);""", f"http://127.0.0.1:{other.server_port}/")
    finally:
        native_site.Site.as_written = False
        other.shutdown()
    equal(reached, [], "what another server was asked for")
    equal([path for path in native_site.Site.asked[asked:] if "sent-" in path], [], "what its own server was asked for")
    assert "Nothing leaves this machine" in browser.text("main, header")
    assert browser.run("return location.hash").find("numbers") < 0, "no number in the address"
