"""Scans from data to report: where the last digit went, the picture of it, and what is refused.

  test_scan_command.py ULPSCOPE
"""
import json
import os
import subprocess
import sys
import tempfile

ULPSCOPE = sys.argv[1]


def run(*words):
    done = subprocess.run([ULPSCOPE, "run", *words, "--speed", "0", "--permutations", "0", "--device", "host"],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def series_of(folder):
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        return {series["method"]: series for series in json.load(file)["series"]}


def check_first_lost(folder):
    """2^24 + 1 is lost where it is no number, and seen as soon as 2^24 goes"""
    data, out = os.path.join(folder, "x.txt"), os.path.join(folder, "out")
    with open(data, "w", encoding="utf-8") as file:
        file.write("16777216\n1\n-16777216\n5\n")
    code, text = run(data, "-m", "scan:plain/serial,scan:kahan/serial", "-o", out)
    assert code == 0, text
    series = series_of(out)
    assert series["scan:plain/serial"]["first_of_no_digit"] == 3, series["scan:plain/serial"]
    assert "first_of_no_digit" not in series["scan:kahan/serial"]
    assert series["scan:plain/serial"]["count"] == 4
    with open(os.path.join(out, "report.html"), encoding="utf-8") as file:
        page = file.read()
    assert "The first result without a correct digit is number 3" in page
    assert "Error against position" in page and "Elements of the products" not in page
    with open(os.path.join(out, "svg", "position-1-file.csv"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert [line.split(",")[1] for line in lines[1:]] == ["scan:plain/serial"] * 3 + ["scan:kahan/serial"], lines
    return 1


def check_window(folder):
    """one loop of add_subtract keeps what a spike has left; each window by itself does not"""
    data, out = os.path.join(folder, "y.txt"), os.path.join(folder, "rolling")
    with open(data, "w", encoding="utf-8") as file:
        file.write("67108864\n" + "1.5\n" * 40)
    code, text = run(data + ":window=4", "-m", "rolling:plain/*", "--blocks", "1", "--threads", "1", "-o", out)
    assert code == 0, text
    series = series_of(out)
    assert series["rolling:plain/add_subtract"]["first_of_no_digit"] == 5
    assert "first_of_no_digit" not in series["rolling:plain/again_each_time"]
    assert "no bound is in that" in text
    for name in series:
        assert series[name]["statistics"]["bound_ratio"]["max"] <= 1
    return 1


def check_stagnation(folder):
    """ones end where one more is half an ulp: at 2^24, in binary16 at 2,048, and so do numbers below 1; two_level does not"""
    data, out, checked = os.path.join(folder, "ones.txt"), os.path.join(folder, "ends"), 0
    with open(data, "w", encoding="utf-8") as file:
        file.write("16777212\n" + "1\n" * 40)
    for spec, method, bits, exact in (
            (data, "scan:plain/serial", "0x4b800000", 5), (data, "scan:kahan/serial", None, 41),
            ("ones:n=9000,format=binary16", "scan:plain/serial@binary16_in_binary16", "0x6800", 2048),
            ("uniform:n=9000,format=binary16", "scan:plain/serial@binary16_in_binary16", "0x6800", None),
            ("uniform:n=9000,format=binary16", "scan:plain/two_level@binary16_in_binary16", None, None)):
        code, text = run(spec, "-m", method, "-o", out, "--overwrite")
        assert code == 0, text
        series = series_of(out)[method]
        stands = series["witness"]["bits"] == bits and series["witness"]["ulp_error"] > 10
        assert stands == (bits is not None), series["witness"]
        assert exact is None or series["classes"]["exact"] == exact or bits is None, series["classes"]
        checked += 1
    return checked


REFUSED = (
    (("uniform:n=8,window=2", "-m", "scan:plain/serial"), "has window=, which is of rolling sums"),
    (("uniform:n=8", "-m", "rolling:plain/add_subtract"), "has no window="),
    (("uniform:n=8,window=0", "-m", "rolling:plain/add_subtract"), "window=0"),
    (("uniform:n=8", "-m", "scan:plain/serial,plain/serial"), "expected methods that compute one thing"),
)


def main():
    with tempfile.TemporaryDirectory() as folder:
        checked = check_first_lost(folder) + check_window(folder) + check_stagnation(folder)
    for words, said in REFUSED:
        spec, rest = ["-d", words[0]], list(words[1:])
        code, text = run(*spec, *rest)
        assert code == 2 and said in text, (code, text)
        checked += 1
    assert checked == 11
    print(f"{checked} checked")


main()
