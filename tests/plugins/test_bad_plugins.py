"""Libraries that break their contract, and sums that cheat: each is contained, and named; its twin, which does no harm, is not.

    test_bad_plugins.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER [ON_GPU.so TWIN.so]

Each misbehaving method runs beside plain/serial, whose rows must be kept.  The libraries are compiled as a user compiles them.  With
those of on_gpu.cu, which CMake compiles, these alone are tested, on a GPU.
"""
import concurrent.futures
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, PROGRAM, COMPILER = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off", "-shared", "-fPIC", f"-I{SOURCE}/include"]
RUN = ["run", "-d", "uniform:n=100", "-d", "uniform:n=200", "--trials", "2", "--speed", "0", "--device", "host"]
SHORT = ["--timeout", "0.3"]

# What a method of bad.c does, how the run ends, and what it is named for.
BAD = {
    "reads_null": ({3}, r"read through a null pointer \(SIGSEGV, at bad\.so\+0x[0-9a-f]+\)"),
    "reads_past": ({3}, r"read past the end of its input 1 \(SIGSEGV"),
    "reads_beside": ({1}, r"is broken: of \d+ integers? .* it gave nan"),
    "reads_before": ({3}, r"read before the beginning of its input 1 \(SIGSEGV"),
    "reads_elsewhere": ({3}, r"read at 0x[0-9a-f]+, which is not its own"),
    "reads_nowhere": ({3}, r"used an address that cannot be one"),
    "writes_input": ({3}, r"wrote to its input 1 \(SIGSEGV"),
    "writes_before": ({3}, r"wrote before the beginning of its output"),
    "writes_beside": ({3}, r"wrote more than its output"),
    "writes_past": ({3}, r"wrote past the end of its output"),
    "writes_nothing": ({3}, r"wrote no result"),
    "recurses": ({3}, r"ran out of stack"),
    "allocates": ({3}, r"uses .* of memory; expected at most", "--memory", "300M"),
    "exits": ({3}, r"called exit\(3\)"),
    "exits_quietly": ({3}, r"ended by itself in the middle of a call, with status 0"),
    "aborts": ({3}, r"called abort\(\), or failed an assertion \(SIGABRT"),
    "asserts": ({3}, r"called abort\(\), or failed an assertion \(SIGABRT"),
    "divides": ({3}, r"divided an integer by zero \(SIGFPE"),
    "traps": ({3}, r"came to an instruction that this processor lacks, or to __builtin_trap\(\) \(SIG"),
    "kills_itself": ({3}, r"was killed by signal 9"),
    "loops": ({3}, r"did not answer within 0\.3 s; --timeout gives it longer", *SHORT),
    "sleeps": ({3}, r"did not answer within 0\.3 s; --timeout gives it longer", *SHORT),
    "starts_threads": ({3}, r"started \d+ threads and processes|did not answer within", *SHORT),
    "starts_processes": ({3}, r"started \d+ threads and processes|did not answer within", *SHORT),
    "keeps_descriptors": ({3}, r"left no descriptor free", "-d", "uniform:n=5000"),
    "closes_socket": ({3}, r"ended by itself in the middle of a call, with status 1"),
    "writes_to_socket": ({3}, r"answered question \d+ in place of 1"),
    "forges": ({3}, r"wrote no result|answered question 1 in place of 2"),
    "flushes": ({3}, r"left the processor flushing subnormals to zero \(FTZ\)"),
    "takes_as_zero": ({3}, r"left the processor taking subnormals as zero \(DAZ\)"),
    "rounds_upward": ({3}, r"left the processor rounding upward"),
    "crashes_later": ({3}, r"at 120 x 256 on uniform:n=[12]00, trial [01]: .*"
                           r"rerun: ulpscope run -m bad/crashes_later --plugin \S*bad\.so -d uniform:n=[12]00 --seed 1 --trial [01]"),
    "varies": ({3}, r"claims to be deterministic, and its bits differed when it was asked again"),
    "is_wrong": ({1}, r"is broken: of \d+ integers? the exact result is \d+, in any order of additions; it gave \d+"),
    "is_nan": ({1}, r"is broken: of \d+ integers? the exact result is \d+, in any order of additions; it gave nan"),
    "fails": ({3}, r"returned status 7: the seventh seal is broken"),
}
# Likewise of cheats.c.  OUT: what the exact sum stood in was out of its reach.
OUT = r"returned status 20: what it looked for is closed to it"
STALE = r"claims to be deterministic, and its bits differed|on uniform:n=[12]00, \w+: the error is .* times the bound"
MANY = ["--trials", "20"]  # cases of several lengths take turns
CHEATS = {
    "sum_in_bfloat16": ({1}, r"is broken: of \d+ integers?"),
    "sum_of_bfloat16": ({1}, r"is broken: of \d+ integers?"),
    "sample": ({1}, r"is broken: of \d+ integers?"),
    "sample_of_others": ({1}, r"on uniform:n=200, \w+: the error is .* times the bound"),
    "sample_elsewhere": ({3}, r"claims to be deterministic, and its bits differed when it was asked again"),
    "known_sizes": ({1}, r"is broken: of \d+ integers?"),
    "keeps_last": ({1, 3}, STALE, *MANY),
    "by_address": ({1, 3}, STALE, *MANY),
    "constant": ({1}, r"is broken: of \d+ integers?"),
    "first_row": ({1}, r"is broken: of \d+ integers?, row 2 of \d, the exact result is"),
    "reads_memory": ({3}, OUT),
    "reads_parents_descriptors": ({3}, OUT),
    "copies_memory": ({3}, OUT),
    "reads_descriptors": ({3}, OUT),
}
# What the bits of a cheat are said to be.
DIAGNOSED = {
    "sum_in_bfloat16": r"bit for bit plain/serial in which the sum is kept in bfloat16",
    "sum_of_bfloat16": r"bit for bit plain/serial in which the elements are rounded to bfloat16 first",
    "sample": r"bit for bit plain/serial of one element in 16, rescaled",
    "known_sizes": r"the sum is kept in bfloat16",
    "constant": r"gives 0x0p\+0, whatever the data",
}
# Of on_fake.c, whose GPU is fake_cuda.c.
ON_FAKE = {
    "illegal": ({3}, r"left the GPU with an error that stays: CUDA_ERROR_ILLEGAL_ADDRESS"),
    "writes_input": ({3}, r"wrote to its input 1"),
    "writes_before": ({3}, r"wrote before the beginning of its output"),
    "writes_past": ({3}, r"wrote past the end of its output"),
    "writes_past_input": ({3}, r"wrote past the end of its input 1"),
    "reads_past": ({3}, r"wrote no result"),
}
# Of on_gpu.cu.
ON_GPU = {
    "illegal": ({3}, r"left the GPU with an error that stays: CUDA_ERROR_ILLEGAL_ADDRESS"),
    "traps": ({3}, r"left the GPU with an error that stays: CUDA_ERROR_"),
    "loops": ({3}, r"did not answer within 2 s", "--timeout", "2"),
    "writes_input": ({3}, r"wrote to its input 1"),
    "writes_past_input": ({3}, r"wrote past the end of its input 1"),
    "writes_past": ({3}, r"wrote past the end of its output"),
    "reads_past": ({1}, r"is broken: .* it gave nan"),
    "no_launch": ({3}, r"wrote no result"),
    "tells": ({3}, r"returned status \d+: invalid (configuration )?argument"),
}
# What refused.c is compiled with, and why it is refused.
REFUSED = {
    "NEWER": r"expected ulpscope_plugin_1, found ulpscope_plugin_2; compile it with the plugin\.h of this ulpscope",
    "MANGLED": r"found _Z17ulpscope_plugin_1v; declare that function with ULPSCOPE_EXPORT",
    "NO_ENTRY": r"expected the symbol ulpscope_plugin_1, found none; end the source with ULPSCOPE_PLUGIN",
    "MISSING": r"undefined symbol: sum_that_nobody_has",
    "EXITS_WHILE_LOADED": r"called exit\(5\) while it was loaded",
    "CRASHES_WHILE_LOADED": r"wrote through a null pointer while it was loaded \(SIGSEGV",
    "OPEN_FAILS": r"its function `open` returned status 12: no licence",
    "OPEN_CRASHES": r"called abort\(\), or failed an assertion in its function `open` \(SIGABRT\)",
    "METHOD_SIZE=8": r"expected struct ulpscope_method of \d+ to \d+ bytes, found 8; begin the struct with its size",
    "METHOD_SIZE=4096": r"found 4096; begin the struct with its size, and compile it with the plugin\.h of this ulpscope",
    "PLUGIN_SIZE=0": r"expected struct ulpscope_plugin of \d+ to \d+ bytes, found 0",
    "PLUGIN_SIZE=1000": r"found 1000; begin the struct with its size, and compile it",
    "PLUGIN_NAME": r'expected the name of a plug-in, found "not/a/name"; names are letters, digits and _',
    "METHOD_NAME": r'expected the name of a method, found "a sum"',
    "METHOD_NO_NAME": r"expected the name of a method, found none",
    "OPERATION": r"unknown operation; expected one of `ulpscope list operations`",
    "FORMAT": r'method sum: expected a format, found "float31"; ulpscope list formats',
    "FLAGS": r"method sum: expected flags of enum ulpscope_flags, found others",
    "BOUND": r"method sum: expected bound_of_sum and bound_of_abs from 0 to 1e300",
    "BOUND_NO_NAME": r"method sum: expected bound_named, the name of a bound, found none; see plugin\.h",
    "BOUND_NAME": r'sum: its bound "pairwize" is no word of a tree; expected height=H, .*; did you mean "pairwise"\?; or any_order, none, an accumulator like kahan, or of_sum',
    "NO_RUN": r"method sum: expected a function `run`, found none",
    "LENGTHS": r"method sum: expected lengths from 1 on, found 0",
    "COUNT_ALONE": r"method sum: expected lengths and their count, found one without the other",
    "TWICE": r"method sum: expected one method of this name, found two",
    "NO_METHODS": r"expected methods, found none",
    "NULL_PLUGIN": r"expected a plug-in, found NULL",
}
failures = []


def expect(condition, what, seen=""):
    print(f"{'ok  ' if condition else 'FAIL'}  {what}", flush=True)
    if not condition:
        failures.append(what)
        print(seen, flush=True)


def compile_library(source, library, *arguments):
    subprocess.run([COMPILER, *FLAGS, *arguments, str(SOURCE / "tests/plugins" / source), "-o", str(library), "-lm"], check=True)
    return library


def run(*arguments, **environment):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, errors="replace", timeout=1000,
                          env={**os.environ, **environment})


def check_table(plugin, library, twin, table, **environment):
    """Each method of a library alone, and all methods of its twin, which have no word said of them."""
    def ask(method):
        return run(*RUN, "--plugin", str(library), "-m", f"{plugin}/{method}", "-m", "plain/serial", *table[method][2:], **environment)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for method, done in zip(table, pool.map(ask, table)):
            codes, sentence = table[method][:2]
            is_named = re.search(f"{plugin}/{method}\\b.*?({sentence})", done.stderr) and re.search(DIAGNOSED.get(method, ""), done.stdout)
            expect(done.returncode in codes and is_named and "plain/serial" in done.stdout, f"{plugin}/{method}: {sentence}",
                   f"exit {done.returncode}\n{done.stdout}{done.stderr}")
    done = run(*RUN, "--plugin", str(twin), "-m", f"{plugin}/*", **environment)
    silent = [line for line in done.stderr.splitlines() if f"{plugin}/" in line]
    expect(done.returncode == 0 and not silent and all(f"{plugin}/{method}" in done.stdout for method in table),
           f"the {len(table)} twins of {plugin}", f"exit {done.returncode}\n{done.stdout}{done.stderr}")


def check_source(work, plugin, source, table, **environment):
    (work / "twin").mkdir(exist_ok=True)
    library = pathlib.Path(source).with_suffix(".so")
    check_table(plugin, compile_library(source, work / library), compile_library(source, work / "twin" / library, "-DTWIN"), table,
                **environment)


def check_refused(work):
    done = run(*RUN, "--plugin", str(compile_library("refused.c", work / "sound.so")), "-m", "refused/sum")
    expect(done.returncode == 0 and "refused/sum" in done.stdout and "| closed" in done.stderr, "the twin of those that are refused",
           done.stderr)
    for define, sentence in REFUSED.items():
        library = compile_library("refused.c", work / f"refused_{define}.so", f"-D{define}", "-Wno-unused-function")
        done = run(*RUN, "--plugin", str(library))
        expect(done.returncode == 2 and re.search(sentence, done.stderr), f"{define}: {sentence}",
               f"exit {done.returncode}\n{done.stderr}")
    for file, sentence in (("nowhere.so", "nowhere.so: No such file"), (f"{SOURCE}/README.md", "cannot be loaded: .*invalid ELF header; expected a shared library")):
        done = run(*RUN, "--plugin", file)
        expect(done.returncode == 2 and re.search(sentence, done.stderr), f"--plugin {file}: {sentence}", done.stderr)


def check_mode(work):
    """FTZ on load: a warning, and sums that keep their subnormals all the same."""
    subnormal = work / "subnormal.f32"
    subnormal.write_text("0x1p-149\n0x1p-149\n0x1p-148\n")
    for define, is_warned in (("FLUSHES_WHILE_LOADED", True), ("NOTHING", False)):
        library = compile_library("refused.c", work / f"mode_{define}.so", f"-D{define}")
        done = run("run", str(subnormal), "--plugin", str(library), "-m", "refused/sum", "--permutations", "0", "--speed", "0")
        warning = re.search(r"loading it left the processor flushing subnormals to zero \(FTZ\), as a library does", done.stderr)
        expect(done.returncode == 0 and bool(warning) == is_warned and " exact " in done.stdout, f"the mode after {define}",
               done.stdout + done.stderr)


def check_flushing(work, **environment):
    """What atomicAdd flushes is within the bound of a GPU's order of arrival, as within that of cuda/atomic_add, and of no other."""
    for order, code in (("atomically", 0), ("in_order", 1)):
        done = run("run", str(work / "subnormal.f32"), "--plugin", str(work / "on_fake.so"), "-m", f"fake/flushes_{order}", "--permutations",
                   "0", "--speed", "0", **environment)
        expect(done.returncode == code and ("ABOVE ITS BOUND" in done.stdout) == code and "no digit" in done.stdout,
               f"subnormals that are flushed {order}", done.stdout + done.stderr)


def check_together(work, **environment):
    """Short sums are asked for together, each with the bits that it has alone; a call that does harm among them is told as ever."""
    words = ["run", "--device", "host", "--plugin", str(work / "on_fake.so"), "-d", "uniform:n=64", "--trials", "3000", "--speed", "0"]
    done = run(*words, "-m", "fake/flushes_in_order", "-m", "plain/serial", "-o", str(work / "together"), **environment, FAKE_CUDA_COUNTS="1")
    with open(work / "together" / "results.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    bits = [{row["trial"]: row["computed_bits"] for row in rows if row["method"] == method} for method in ("fake/flushes_in_order", "plain/serial")]
    brought = sum(map(int, re.findall(r"(\d+) arrays were brought", done.stderr)))
    expect(done.returncode == 0 and len(bits[0]) == 3000 and bits[0] == bits[1] and len(set(bits[0].values())) > 1000,
           "3000 sums that were asked for together have the bits of plain/serial", done.stderr)
    expect(0 < brought < 100, "they are brought together", f"{brought}: {done.stderr}")
    done = run(*words, "-m", "fake/writes_past_seldom", "-o", str(work / "seldom"), **environment)
    with open(work / "seldom" / "results.csv", encoding="utf-8") as file:
        harmless = len(list(csv.DictReader(file)))
    told = done.stderr.count("fake/writes_past_seldom: wrote past the end of its output")
    expect(done.returncode == 3 and 0 < told <= 3 and 100 < harmless <= 3000 - told and "wrote beside" not in done.stderr,
           "the twin, where one of them does harm: it alone is told", f"{told} of {3000 - harmless}: {done.stderr}")


def check_good(work):
    """Each format and operation is a run of its own; a loop is plain/serial."""
    library, sums = compile_library("good.c", work / "good.so"), "uniform:n=64..4096*4"
    for methods, data in ((("good/loop", "good/pairwise", "good/rows", "good/powers"), sums), (("good/binary64@binary64",), sums),
                          (("good/bfloat16@bfloat16",), sums), (("good/wide@bfloat16_to_binary32",), sums),
                          (("dot:good/dot",), "normal:n=100::normal"), (("dot:good/dot_rows@binary64",), "normal:n=100::normal"), (("matmul:good/matmul",), "normal:n=33,rows=5::uniform:columns=7")):
        done = run("run", "--plugin", str(library), *(word for method in methods for word in ("-m", method)), "-d", data, "--trials", "2",
                   "--speed", "0")
        expect(done.returncode == 0 and all(method in done.stdout for method in methods), " ".join(methods), done.stdout + done.stderr)
    for method, same in (("good/loop", True), ("good/pairwise", False)):
        done = run(*RUN, "--plugin", str(library), "-m", method, "-m", "plain/serial")
        rows = [line.split()[1:4] for line in done.stdout.splitlines() if re.match(rf" +({method}|plain/serial) ", line) and "%" in line]
        expect(len(rows) == 4 and (rows[0::2] == rows[1::2]) == same, f"{method}: the errors of plain/serial, {same}", done.stdout)


def check_other_languages(work):
    """plugin.h, and a library whose source is C, as C++ and as CUDA."""
    cxx = ["c++", "-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fPIC"]
    nvcc = ["nvcc", "-x", "cu", "-std=c++17",  "-Xcompiler=-Wall,-Wextra,-Werror,-fPIC"]
    for name, command in (("cxx", cxx), ("cuda", nvcc)):
        if not shutil.which(command[0]):
            print(f"skip  {command[0]} is not there")
            continue
        library = work / f"{name}.so"
        subprocess.run([*command, "-shared", f"-I{SOURCE}/include", str(SOURCE / "tests/plugins/good.c"), "-o", str(library)], check=True)
        done = run(*RUN, "--plugin", str(library), "-m", "good/loop")
        expect(done.returncode == 0 and "good/loop" in done.stdout, f"a library as {name}", done.stdout + done.stderr)


def check_all(work):
    check_good(work)
    check_other_languages(work)
    check_refused(work)
    check_mode(work)
    check_source(work, "bad", "bad.c", BAD)
    check_source(work, "cheats", "cheats.c", CHEATS)
    compile_library("fake_cuda.c", work / "libcuda.so.1")
    check_source(work, "fake", "on_fake.c", ON_FAKE, LD_LIBRARY_PATH=str(work))
    check_flushing(work, LD_LIBRARY_PATH=str(work))
    check_together(work, LD_LIBRARY_PATH=str(work))
    code = "import ctypes; from ulpscope import busy; fake = ctypes.CDLL('libcuda.so.1')\nwith busy.kernel(): print(fake.fake_is_busy())\n" \
           "print(fake.fake_is_busy())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=1000,
                          env={**os.environ, "PYTHONPATH": str(SOURCE / "python"), "LD_LIBRARY_PATH": str(work)})
    expect(done.stdout.split() == ["1", "0"], "a worker in Python keeps a GPU busy while it computes, and no longer", done.stderr)
    done = run(*RUN, "--plugin", str(work / "on_fake.so"), LD_LIBRARY_PATH=str(work), FAKE_CUDA_NO_DEVICE="1")
    expect(done.returncode == 2 and "needs a GPU: CUDA says CUDA_ERROR_NO_DEVICE" in done.stderr, "no GPU", done.stderr)


def main():
    if len(sys.argv) > 4:
        done = run(*RUN, "--plugin", sys.argv[5], "-m", "gpu/own_stream")
        if "needs a GPU" in done.stderr:
            print(f"skipped: {done.stderr.strip()}")
            return 77
        check_table("gpu", sys.argv[4], sys.argv[5], ON_GPU)
    else:
        with tempfile.TemporaryDirectory(prefix="ulpscope_plugins.") as folder:
            check_all(pathlib.Path(folder))
    print(f"{len(failures)} failed" if failures else "all as expected")
    return 1 if failures else 0


sys.exit(main())
