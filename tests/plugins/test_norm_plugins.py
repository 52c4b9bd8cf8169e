"""Plug-ins that give a result for each number: norms.c and norms.py are named, with what is wrong with them, and sound ones
are not accused; what breaks the contract is said.

    test_norm_plugins.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER [GPU_NORMS]

With norms.cu, compiled, it is that alone, on a GPU.
"""

import pathlib
import re
import sys
import tempfile

import plugged
from plugged import SOURCE, compiled, fact, finish, has_numpy, run

DATA, TRIALS = "normal:n=403,mean=0.001,sd=0.0003", 20
TWO_PASS, TREE = "layer_norm.two_pass:plain/serial", "layer_norm.two_pass:plain/tree_rows"
SOUND = {
    "times": TWO_PASS + ", computed as each", "divides": TWO_PASS + ", each x - m divided by the root,",
    "splits": TWO_PASS + ", each x r - m r for r = 1/root,", "chains": r"layer_norm.two_pass \(.*\) by additions in binary32 in 8 chains \(.*\), joined one after another,",
    "block": TREE + ",", "wide": TWO_PASS + "@binary32_to_binary64, computed as .*, all in binary64, then rounded to binary32,",
    "welford": "layer_norm.welford:plain/serial,", "textbook": "layer_norm.textbook:plain/serial,",
    "rms_times": "rms_norm:plain/serial, computed as", "rms_divides": "rms_norm:plain/serial, each x - m divided by the root,",
}
FAULTS = {
    "eps_outside": TWO_PASS + " in which eps is added outside the root,",
    "eps_outside_divides": TWO_PASS + ", each x - m divided by the root, in which eps is added outside the root,",
    "eps_left_out": TWO_PASS + " in which eps is left out,", "eps_1e6": TWO_PASS + " in which eps is 1e-6, not 1e-5,",
    "eps_1e12": TWO_PASS + " in which eps is 1e-12, not 1e-5,",
    "of_sample": TWO_PASS + " in which the variance is divided by n - 1, not by n,",
    "no_mean": TWO_PASS + " in which no mean is taken off: an RMS norm,",
    "mean_kept": TWO_PASS + " in which the mean is taken off in the variance alone,",
    "no_root": TWO_PASS + " in which the root is not taken,",
    "short_factor": TWO_PASS + " in which 1/root is approximated, two bits short,",
    "neighbours": TWO_PASS + " in which the mean is that of two neighbours, along another axis,",
    "drops_last": TWO_PASS + " in which the last element is left out,",
    "block_eps_left_out": TREE + " in which eps is left out,",
    "rms_with_mean": "rms_norm:plain/serial in which the mean is taken off: a layer norm,",
    "rms_eps_outside": "rms_norm:plain/serial in which eps is added outside the root,",
}
NUMPY = r"layer_norm.two_pass \(.*\) by additions in binary32 in blocks of up to 128, joined pairwise, and each in 8 chains \(.*\), joined pairwise(, then the rest)?"
OF_NUMPY = {
    "right": ", each x - m divided by the root,", "of_rows": ", each x - m divided by the root,", "multiplied": ",",
    "eps_outside": ", each x - m divided by the root, in which eps is added outside the root,",
    "of_sample": ", each x - m divided by the root, in which the variance is divided by n - 1, not by n,",
    "eps_left_out": ", each x - m divided by the root, in which eps is left out,",
}
OF_GPU = {
    "times": ", computed as each", "divides": ", each x - m divided by the root,", "eps_outside": " in which eps is added outside the root,",
    "eps_left_out": " in which eps is left out,", "eps_1e6": " in which eps is 1e-6, not 1e-5,",
    "of_sample": " in which the variance is divided by n - 1, not by n,", "no_mean": " in which no mean is taken off: an RMS norm,",
    "mean_kept": " in which the mean is taken off in the variance alone,",
}
CONTRACT = {
    "beyond": "wrote more than its output|wrote past the end of its output", "before": "wrote before the beginning of its output",
    "unwritten": "wrote no result|left elements of its output unwritten", "nothing": "wrote no result",
    "reads_beyond": "read past the end of its input 1", "aborts": "called abort", "hangs": "did not answer within 1 s",
}


def said_of(*plugin, methods):
    """What the bits say of each, by its name."""
    return {method.partition("/")[2]: plugged.said_of(plugin, method, [DATA], TRIALS) for method in methods}


def try_names(library):
    rms = {name for name in (*SOUND, *FAULTS) if name.startswith("rms_")}
    ids = [f"{'rms_norm' if name in rms else 'layer_norm'}:norms/{name}" for name in (*SOUND, *FAULTS)]
    said = said_of("--plugin", library, methods=ids)
    look_at({name: (words, said[name]) for name, words in (SOUND | FAULTS).items()})
    if has_numpy():
        said_of_numpy = said_of("--python", SOURCE / "tests/plugins/norms.py", methods=[f"layer_norm:norms/{name}" for name in OF_NUMPY])
        look_at({f"numpy {name}": (NUMPY + words, said_of_numpy[name]) for name, words in OF_NUMPY.items()})
    fact("twelve faults and more, and ten sound norms", len(FAULTS) >= 12 and len(SOUND) >= 10, len(FAULTS))
    for name in SOUND:
        fact(f"{name}, which is sound, is not accused", " in which " not in said[name] and "is broken" not in said[name], said[name])


def try_gpu(library):
    said = said_of("--plugin", library, methods=[f"layer_norm:gpu_norms/{name}" for name in OF_GPU])
    if "needs a GPU" in said["times"]:
        print("no GPU")
        sys.exit(77)
    order = r"layer_norm\.\w+(:plain/\w+| \(.*\) by additions in binary32 in .*)"  # several may have the bits
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
    fact("six sound ones are checked", len(checked) == 6, checked)
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
