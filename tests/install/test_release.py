"""What tools/release makes of this build: the same bytes twice, checksums, notes; and action.yml, whose steps are run here as GitHub
runs them, with the wheel and the archive: green, red, and where there is nothing to install.

    test_release.py SOURCE_DIRECTORY BUILD_DIRECTORY FILE...      which are to be built first

No network is used.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

SOURCE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
VERSION = re.search(r"VERSION ([\d.]+) LANGUAGES", (SOURCE / "CMakeLists.txt").read_text())[1]
STEP = re.compile(r"^    - name: (.*)\n      shell: sh\n      env:\n((?:        .*\n)+)      run: \|.*\n((?:        .*\n|\n)+)", re.M)
failures = 0
folder = tempfile.TemporaryDirectory(prefix="ulpscope_release.")
work = pathlib.Path(folder.name)


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found)


def run(*command, cwd=work, **environment):
    done = subprocess.run(list(map(str, command)), cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout


def released(name, *parts, date="1700000000"):
    status, output = run(SOURCE / "tools/release", work / name, *parts, ULPSCOPE_BUILD=str(BUILD), SOURCE_DATE_EPOCH=date)
    say(status == 0, f"tools/release {' '.join(parts)}", output)
    return {path.name: path.read_bytes() for path in (work / name).iterdir()}


# ---- the action ----


def steps():
    """Each step: its name, variables and shell, as action.yml has them."""
    text = (SOURCE / "action.yml").read_text()
    found = [(name, dict(line.strip().split(": ", 1) for line in env.splitlines()), script) for name, env, script in STEP.findall(text)]
    say(len(found) == text.count("- name:") == 3, "action.yml has three steps, all of them of the shell", found)
    return found


def defaults():
    found = re.findall(r"^  (\w+):\n    description: .*\n    default: (.*)$", (SOURCE / "action.yml").read_text(), re.M)
    return {f"inputs.{name}": value.strip('"') for name, value in found}


def acted(name, **inputs):
    """The exit status, the output and the summary of a job with that step, which begins in a copy of the example."""
    job = work / name
    shutil.copytree(SOURCE / "tests/gate_example", job / "project")
    values = {**defaults(), "github.server_url": f"file://{work}", "github.action_repository": "some/where", "github.action_ref": f"v{VERSION}",
              **{f"inputs.{key}": str(value) for key, value in inputs.items()}}
    variables = {"GITHUB_STEP_SUMMARY": f"{job}/summary", "GITHUB_PATH": f"{job}/path", "RUNNER_TEMP": f"{job}/temp", "PATH": os.environ["PATH"]}
    all_said = ""
    for _, env, script in steps_there:
        given = {key: re.sub(r"\$\{\{ (\S+) \}\}", lambda of: values[of[1]], text) for key, text in env.items()}
        status, said = run("sh", "-e", "-c", script, cwd=job / "project", **variables, **given)
        all_said += said
        if status:
            break
        if (job / "path").exists():
            variables["PATH"] = os.pathsep.join([*(job / "path").read_text().split(), os.environ["PATH"]])
    summary = (job / "summary").read_text() if (job / "summary").exists() else ""
    return status, all_said, summary


made = released("one", "archive", "wheel", "notes")
say(released("two", "archive", "wheel", "notes") == made, f"twice the same bytes of {len(made)} files")
say(len(made) == 4 and not {*made.values()} & {*released("later", "archive", "wheel", date="1700000002").values()}, "and others of another date", list(made))
status, output = run("sha256sum", "-c", "SHA256SUMS", cwd=work / "one")
say(status == 0 and output.count(": OK\n") == 3, "the checksums are those of the files", output)
(work / "two/NOTES.md").write_text("others\n")
say(run("sha256sum", "-c", "SHA256SUMS", cwd=work / "two")[0] == 1, "and of no others")
notes, changelog = made["NOTES.md"].decode(), (SOURCE / "CHANGELOG.md").read_text()
say(notes.startswith(f"## [{VERSION}]") and notes in changelog and notes.count("\n## ") == 0 and "- **" in notes, "the notes are CHANGELOG.md's of this version", notes)
say(run(SOURCE / "tools/release", work / "one")[0] == 1 and run(SOURCE / "tools/release", work / "none", "notes", "pudding")[0] == 2 and
    not (work / "none").exists(), "a folder that is there, and a part that is none, are refused")
if (SOURCE / ".git").exists() and shutil.which("git"):
    first = released("sources", "source")
    say(released("sources again", "source") == first, "twice the same sources")
    with tarfile.open(work / f"sources/ulpscope-{VERSION}.tar.gz") as sources:
        say({f"ulpscope-{VERSION}/{name}" for name in ("CMakeLists.txt", "tools/wheel.py", "pyproject.toml")} <= set(sources.getnames()), "pip finds what it needs in them")
else:
    print("skipped: the archive of the sources, no git")

archive, wheel = (next(work / "one" / name for name in made if name.endswith(end)) for end in (".tar.gz", ".whl"))
steps_there = steps()
checksum = next(line.split()[0] for line in made["SHA256SUMS"].decode().splitlines() if line.endswith(".tar.gz"))
status, said, summary = acted("green", package=archive, baseline="main", sha256=checksum)
say(status == 0 and "0 failed" not in summary and "ulpscope-check" in summary, "green: by an archive", said + summary)
say((work / "green/project/out/junit.xml").exists() and (work / "green/project/out/report.html").exists(), "the run and junit.xml are kept", said)
(work / "tight.yaml").write_text('schema: ulpscope-limits/1\nrules:\n  - {method: "plain/*", data: "*", metric: ulp_error, limit: 0.6ulp}\n')
status, said, red = acted("red", package=archive, limits=work / "tight.yaml")
say(status == 1 and "::error" in said and "ulpscope-check" in red and "FAIL" in said + red and red != summary, "red: a limit that is broken", said + red)
status, said, none = acted("false", package=archive, sha256="0" * 64)
say(status == 2 and "is not the file of that sha256" in said and not none, "a package of another checksum is refused", said)
status, said, none = acted("other", package=work / "one/NOTES.md")
say(status == 2 and "expected a .whl or a .tar.gz" in said and not none, "what is no package is refused", said)
if importlib.util.find_spec("pip"):
    status, said, by_wheel = acted("wheel", package=wheel, baseline="main")
    say(status == 0 and by_wheel == summary, "green: by the wheel, with the same summary", said)
    if shutil.which("curl"):
        status, said, none = acted("nowhere")
        say(status == 2 and f"releases/download/v{VERSION} has no wheel; use the action by the tag of a release" in said, "a release that is not there is named", said)
        shutil.copytree(work / "one", work / f"some/where/releases/download/v{VERSION}")
        status, said, fetched = acted("release", baseline="main")
        say(status == 0 and fetched == summary and f"/{wheel.name}: OK" in said, "green: by the release, with the same summary", said)
        (work / f"some/where/releases/download/v{VERSION}" / wheel.name).write_bytes(b"another")
        status, said, none = acted("changed")
        say(status == 2 and "is not the file of that sha256" in said, "and by no wheel but the one that it lists", said)
        status, said, fetched = acted("token", package=f"file://{archive}?token=secret", baseline="main")
        say(status == 0 and fetched == summary, "green: by a URL with a token", said)
        status, said, none = acted("no token", package=f"file://{archive}.gone.tar.gz?token=secret")
        say(status == 2 and ".gone.tar.gz cannot be fetched" in said and "secret" not in said, "which is not printed", said)

print(f"{failures} failures")
sys.exit(failures > 0)
