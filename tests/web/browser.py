"""Headless Chromium for the tests of the pages: waits, keys, pictures, what went wrong.  Skips (77) where it cannot be had."""
import base64
import json
import pathlib
import shutil
import sys
import time


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
except ImportError:
    skip("no selenium for this Python (Debian's python3-selenium, or pip install selenium)")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    skip("no chromium with chromedriver (Debian's chromium, chromium-driver)")


class Browser:
    """A page at a width, light or dark."""
    patience = 30  # seconds that a page may take to answer
    opened = 0
    faults = None  # of the site when Explore was loaded

    def __init__(self, downloads=None):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,900", "--no-first-run", "--in-process-gpu", "--disable-extensions", "--renderer-process-limit=1",
                     "--disable-features=SpareRendererForSitePerProcess,BackForwardCache,PaintHolding"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.cdp = self.driver.execute_cdp_cmd
        self.run = self.driver.execute_script
        if downloads:
            self.cdp("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
        self.look(1280, False)

    def look(self, width, dark, media=""):
        self.cdp("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.cdp("Emulation.setEmulatedMedia", {"media": media, "features": features})

    def open(self, url, ready):
        """A fresh page, also where only what stands behind the # is another one."""
        self.complaints()
        self.opened += 1
        page, mark, state = url.partition("#")
        self.driver.get(f"{page}?{self.opened}{mark}{state}")
        self.wait(ready, f"{url} is ready")

    def wait(self, condition, what):
        """condition: a JavaScript expression, or a function."""
        end = time.monotonic() + self.patience
        while time.monotonic() < end:
            value = condition() if callable(condition) else self.run(f"return {condition}")
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError(f"waited {self.patience} s for: {what}; {self.complaints()}")

    def get(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """What is written there, folded or not."""
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self.get(selector).click()

    def write(self, selector, text):
        """Puts any text into a field as a person does who pastes it."""
        self.run("const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                 "field.dispatchEvent(new Event('input', {bubbles: true}));", selector, text)

    def complaints(self):
        """Errors of scripts, and what the policy refused."""
        return [line["message"] for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]

    def picture(self, path):
        size = self.cdp("Page.getLayoutMetrics", {})["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}
        data = self.cdp("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def overflow(self):
        return self.run("return document.documentElement.scrollWidth - innerWidth")

    def quit(self):
        self.driver.quit()


def axe_script():
    """axe-core as a script; None where it is not installed."""
    try:
        import axe_core_python
    except ImportError:
        return None
    return (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()


def serious_faults(browser, script):
    browser.run(script + "\nwindow.axe = axe;")
    found = browser.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(answer => done(JSON.stringify(answer.violations)))")
    return [f"{fault['id']}: {node['html'][:160]}" for fault in json.loads(found) if fault["impact"] in ("serious", "critical") for node in fault["nodes"]]
