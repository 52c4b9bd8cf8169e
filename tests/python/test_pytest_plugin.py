"""The pytest plug-in in projects of its own: the mark, the fixture, what is skipped and what is refused.

    test_pytest_plugin.py SOURCE_DIRECTORY ULPSCOPE    ULPSCOPE_LIBRARY names the library

Exit status: 77 without pytest.
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE, PROGRAM = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
if not importlib.util.find_spec("pytest"):
    print("skipped: no pytest")
    sys.exit(77)
failures = 0


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found)


opened = []  # the exit status of each command that was named to open a case


def pytest(text, *arguments, **environment):
    """The exit status and the output of a project with one file."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "test_it.py").write_text("import math, pytest, ulpscope\n" + text)
        done = subprocess.run([sys.executable, "-m", "pytest", "-p", "ulpscope.pytest_plugin", "-p", "no:cacheprovider", *arguments], cwd=folder,
                              capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(SOURCE / "python"),
                                                                   "ULPSCOPE_PROGRAM": str(PROGRAM), **environment})
        for command in dict.fromkeys(re.findall("open it with: (.*)", done.stdout)):
            path = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
            opened.append(subprocess.run(command, shell=True, cwd=folder, env=path, capture_output=True, check=False).returncode)
    return done.returncode, done.stdout + done.stderr


SOUND = "def test_sum(adversarial):\n    ulpscope.assert_sum(math.fsum(adversarial), adversarial)\n"
status, output = pytest(SOUND, "-v")
say(status == 0 and "test_sum[kahan_killer:n=1000-seed1] PASSED" in output and "8 passed" in output, "the families of the fixture", output)

MARKED = '@pytest.mark.adversarial(families=["uniform:n=10", "normal:mean=3"], n=64, seeds=2)\n' + SOUND
status, output = pytest(MARKED, "-v", "--strict-markers")
names = re.findall(r"test_sum\[(.*?)\] PASSED", output)
say(names == ["uniform:n=10-seed1", "uniform:n=10-seed2", "normal:n=64,mean=3-seed1", "normal:n=64,mean=3-seed2"],
    "families, n and seeds of the mark", output)
status, output = pytest("def test_n(adversarial):\n    assert len(adversarial) == 64\n".replace("def", MARKED.split("\n")[0] + "\ndef"))
say(status == 1 and "2 failed, 2 passed" in output, "n is of families without one", output)

status, output = pytest(MARKED.replace("fsum(adversarial)", "fsum(adversarial[1:])"))
say(status == 1 and "4 failed" in output and "ulp" in output and "case: ulpscope-cases/test_it.py_test_sum_" in output, "a broken sum", output)
say(len(opened) == 4 and set(opened) == {0}, "the program opens its cases", (opened, output))
say("hold(" not in output and "accuracy.py" not in output, "its traceback ends in the test", output)

status, output = pytest('@pytest.mark.adversarial(families=["normal:n=50::normal"])\n'
                        "def test_dot(adversarial):\n    x, y = adversarial\n    ulpscope.assert_dot(sum(map(float.__mul__, map(float, x), map(float, y))), x, y)\n")
say(status == 0 and "1 passed" in output, "two vectors", output)

status, output = pytest('@pytest.mark.adversarial(families=["normal:rows=3"], n=5, matrix=True)\n'
                        "def test_shapes(adversarial):\n    a, b = adversarial\n    assert (a.shape, b.shape) == ((3, 5), (5, 5))\n")
say(status == 0 and "1 passed" in output or "expected NumPy" in output, "two matrices", output)

status, output = pytest(SOUND, "-rs", ULPSCOPE_PROGRAM="none_such")
say(status == 0 and "8 skipped" in output and "expected the program ulpscope, found no none_such" in output, "without the program", output)
status, output = pytest(SOUND.replace("def", '@pytest.mark.adversarial(families=["none_such"])\ndef', 1))
say(status == 1 and "expected a family of data" in output, "a family that is none", output)
status, output = pytest(SOUND.replace("def", '@pytest.mark.adversarial(families=["uniform:n=0"])\ndef', 1))
say(status == 1 and "ValueError: there is no number to write" in output, "no numbers, and no name of a file that the test does not know", output)
status, output = pytest(SOUND.replace("def", "@pytest.mark.adversarial(seed=3)\ndef", 1))
say(status and "expected adversarial(families=(gensum:" in output and "matrix=False), found" in output and "'seed'" in output, "an argument that is none", output)
status, output = pytest("", "--markers")
say("@pytest.mark.adversarial(families=" in output, "pytest --markers", output)
status, output = pytest("", "--fixtures")
say("Data that break sums" in output, "pytest --fixtures", output)
MODEL = ("import torch\ndef test_model(look_into):\n    with look_into({'matmul': 'LIMIT'}):\n        torch.nn.Linear(8, 8)(torch.randn(4, 8))\n")
if importlib.util.find_spec("torch"):
    status, output = pytest(MODEL.replace("LIMIT", "auto"))
    say(status == 0 and "1 passed" in output, "a model under a limit", output)
    status, output = pytest(MODEL.replace("LIMIT", "0ulp"))
    say(status == 1 and "Linear: matmul: " in output and "limit 0ulp" in output and re.search(r"ulpscope \w+ .*look_into/Linear-matmul", output), "a model beyond it", output)
status, output = pytest("def test_sum():\n    for _ in range(3):\n        ulpscope.assert_sum(0.0, [1.0, -1.0, 2.0**-60], '1abs')\n")
say(status == 0 and len(re.findall("hardly fail", output)) == 1 and "1 warning" in output, "a vacuous test is warned of once", output)

status, output = pytest("def test_sum():\n    ulpscope.assert_sum(0.0, [1.0, -1.0, 2.0**-60], '1abs')\n", "-W", "error::ulpscope.VacuousTestWarning")
say(status == 1 and "1 failed" in output, "or fails, where that is asked for", output)

print(f"{failures} failures")
sys.exit(failures > 0)
