"""Plug-ins that give a result for each number: those of norms.c that are methods of ours are named, and sound ones
are not accused; what breaks the contract is said.

    test_norm_plugins.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER [GPU_NORMS]

With norms.cu, compiled, it is that alone, on a GPU.
"""

import pathlib
import re
import sys
import tempfile

import plugged
from plugged import compiled, fact, finish, run

DATA, TRIALS = "normal:n=403,mean=0.001,sd=0.0003", 20
TWO_PASS, TREE = "layer_norm.two_pass:plain/serial", "layer_norm.two_pass:plain/tree_rows"
SOUND = {
    "times": TWO_PASS + ", computed as each", "block": TREE + ",",
    "wide": TWO_PASS + "@binary32_to_binary64, computed as .*, all in binary64, then rounded to binary32,",
    "welford": "layer_norm.welford:plain/serial,", "textbook": "layer_norm.textbook:plain/serial,",
    "rms_times": "rms_norm:plain/serial, computed as",
}
ANOTHER_END = ("divides", "splits", "chains", "rms_divides")  # sound as well, with bits that no method has
FAULTS = ("eps_outside", "eps_left_out", "of_sample", "no_mean", "mean_kept", "no_root", "short_factor", "neighbours", "drops_last", "rms_with_mean",
          "rms_eps_outside")
OF_GPU = {"times": ", computed as each"}
CONTRACT = {
    "beyond": "wrote more than its output|wrote past the end of its output", "before": "wrote before the beginning of its output",
    "unwritten": "wrote no result|left elements of its output unwritten", "nothing": "wrote no result",
    "reads_beyond": "read past the end of its input 1", "aborts": "called abort", "hangs": "did not answer within 1 s",
}


def said_of(*plugin, methods):
    """What the bits say of each, by its name."""
    return {method.partition("/")[2]: plugged.said_of(plugin, method, [DATA], TRIALS) for method in methods}


def try_names(library):
    ids = [f"{'rms_norm' if name.startswith('rms_') else 'layer_norm'}:norms/{name}" for name in (*SOUND, *ANOTHER_END, *FAULTS)]
    said = said_of("--plugin", library, methods=ids)
    look_at({name: (words, said[name]) for name, words in SOUND.items()})
    for name in (*SOUND, *ANOTHER_END):
        fact(f"{name}, which is sound, is not accused", " in which " not in said[name] and "is broken" not in said[name], said[name])
    for name in (*ANOTHER_END, *FAULTS):
        fact(f"{name} is no method of ours", re.search(r": none of \d+ methods gives these bits", said[name]), said[name])


def try_gpu(library):
    said = said_of("--plugin", library, methods=[f"layer_norm:gpu_norms/{name}" for name in OF_GPU])
    if "needs a GPU" in said["times"]:
        print("no GPU")
        sys.exit(77)
    order = r"layer_norm\.\w+:plain/\w+"  # several may have the bits
    look_at({name: (order + words, said[name]) for name, words in OF_GPU.items()})


def look_at(lines):
    for name, (words, line) in lines.items():
        fact(f"{name} is named", re.search(rf": (bit for bit|correctly rounded, as is) {words}", line), line)
        count = re.search(r" on (\d+) of (\d+)", line)
        fact(f"{name} was compared in all rows, more than 50", count and count[1] == count[2] and int(count[1]) > 50, line)


def try_contract(library):
    for method, words in CONTRACT.items():
        code, _, said = run("run", "--plugin", library, "--timeout", 1, "-m", f"layer_norm:norms/{method}", "-d", "normal:n=100", "--trials", 2,
                            "--speed", 0)
        fact(f"{method} is said, status 3", code == 3 and re.search(rf"layer_norm:norms/{method}.*: ({words})", said), f"{code} {said}")


def try_check(library):
    code, out, said = run("plugin", "check", library)
    checked = set(re.findall(r"^\w+:norms/(\w+) +asked", out, re.M)) & set(SOUND)
    fact("five sound ones are checked", len(checked) == 5, checked)
    for method in checked:
        fact(f"plugin check does not accuse {method}", f"/{method}: " not in said and re.search(rf"norms/{method} +asked \d\d+ times: \d\d+ lengths", out),
             re.findall(rf".*/{method}\b.*", said))
    for method in ("of_sample", "no_mean", "mean_kept", "no_root", "neighbours", "drops_last", "rms_with_mean"):
        fact(f"plugin check finds {method}", re.search(rf"norms/{method}: is broken: of \d+ integers?, element \d+,", said), said)
    fact("its status is 1", code == 1 and "not ok" in out, code)
    code, out, said = run("bench", "--plugin", library, "-m", "layer_norm:norms/times", "-n", 20000, "--device", "host", "--repeats", 2)
    fact("bench times a norm", code == 0 and re.search(r"layer_norm:norms/times *\| +20000 ", out), f"{code} {out} {said}")


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    if len(sys.argv) > 4:
        try_gpu(sys.argv[4])
    else:
        try_names(compiled(work / "norms.so", "norms.c"))
        try_contract(compiled(work / "contract.so", "norms.c", "-DCONTRACT"))
        try_check(compiled(work / "checked.so", "norms.c", "-DCHECKED"))
finish()
