"""ulpscope.torch on a GPU: what it costs, that it changes no bit and keeps nothing, and what it finds of the GPU's own arithmetic.

    torch_on_gpu.py [SIZE] [STEPS]    a transformer block of SIZE tokens and SIZE features, 4096; ULPSCOPE_LIBRARY names the library

Exit status: 77 where PyTorch has no GPU; 1 where something is not as it should be.
"""

import gc
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

try:
    import torch
except ImportError:
    sys.exit(77)
if not torch.cuda.is_available():
    sys.exit(77)
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
import ulpscope.torch

SIZE = int(sys.argv[1]) if len(sys.argv) > 1 else 4096
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
failures = 0


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, found, flush=True)


class Attention(torch.nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads, self.into, self.out = heads, torch.nn.Linear(size, 3 * size), torch.nn.Linear(size, size)

    def forward(self, x):
        q, k, v = (part.reshape(*x.shape[:2], self.heads, -1).transpose(1, 2) for part in self.into(x).chunk(3, -1))
        return self.out(torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(x.shape))


class Block(torch.nn.Module):
    def __init__(self, size, heads=32):
        super().__init__()
        self.first, self.second = torch.nn.LayerNorm(size), torch.nn.LayerNorm(size)
        self.attention = Attention(size, heads)
        self.widen, self.narrow = torch.nn.Linear(size, 4 * size), torch.nn.Linear(4 * size, size)

    def forward(self, x):
        x = x + self.attention(self.first(x))
        return x + self.narrow(torch.nn.functional.gelu(self.widen(self.second(x))))


def step(model, x):
    model.zero_grad(set_to_none=True)
    result = model(x)
    result.float().square().mean().backward()
    return result


def timed(steps, model, x, scope=None):
    """Seconds of each step, with all that the scope still has to do at the end."""
    torch.cuda.synchronize()
    began = time.perf_counter()
    if scope is None:
        for _ in range(steps):
            step(model, x)
    else:
        with scope:
            for _ in range(steps):
                step(model, x)
    torch.cuda.synchronize()
    return (time.perf_counter() - began) / steps


def profile():
    """Where the time goes that the scope takes."""
    import cProfile
    import pstats
    model, x = Block(SIZE).to("cuda", torch.bfloat16), torch.randn(1, SIZE, SIZE, device="cuda", dtype=torch.bfloat16)
    step(model, x)
    scope = ulpscope.torch.scope(sample=1 / 1000, threads=1)
    with cProfile.Profile() as of:
        timed(10, model, x, scope)
    pstats.Stats(of).sort_stats("cumulative").print_stats(35)


def cost(dtype, **settings):
    torch.manual_seed(1)
    model = Block(SIZE).to("cuda", dtype)
    x = torch.randn(1, SIZE, SIZE, device="cuda", dtype=dtype)
    for _ in range(2):
        step(model, x)
    with ulpscope.torch.scope(sample=1 / 1000, **settings):
        step(model, x)
    plain, looked, peaks = [], [], []
    for i in range(3):
        torch.cuda.reset_peak_memory_stats()
        plain.append(timed(STEPS, model, x))
        peaks.append([torch.cuda.max_memory_allocated()])
        torch.cuda.reset_peak_memory_stats()
        scope = ulpscope.torch.scope(sample=1 / 1000, seed=i, **settings)
        looked.append(timed(STEPS, model, x, scope))
        peaks[-1].append(torch.cuda.max_memory_allocated())
    ratio, memory = statistics.median(looked) / statistics.median(plain), max(b / a for a, b in peaks)
    name = f"{str(dtype)[6:]} {settings}"
    say(ratio < 2, f"{name}: {1e3 * statistics.median(plain):.2f} ms a step, {1e3 * statistics.median(looked):.2f} with the scope, {ratio:.2f} times")
    say(memory <= 1.05, f"{name}: {memory:.3f} times the memory")
    say(not scope.left_out, f"{name}: nothing is left out", scope.left_out)
    print("\n".join(str(scope).splitlines()[:5]), flush=True)
    torch.use_deterministic_algorithms(True)
    a = step(model, x).detach().clone()
    gradients = [one.grad.clone() for one in model.parameters()]
    with ulpscope.torch.scope(sample=1 / 10):
        b = step(model, x)
    say(torch.equal(a, b) and all(torch.equal(one.grad, before) for one, before in zip(model.parameters(), gradients)), f"{name}: no bit of results and gradients is another")
    torch.use_deterministic_algorithms(False)


def leaks():
    model, x = Block(256, 4).cuda(), torch.randn(2, 64, 256, device="cuda")
    def steps(count):
        with ulpscope.torch.scope(sample=1 / 100) as scope:
            for _ in range(count):
                step(model, x)
        del scope
        gc.collect()
        with open("/proc/self/statm") as file:
            return torch.cuda.memory_allocated(), int(file.read().split()[1]) * 4096
    steps(1000)
    before, after = steps(100), steps(1000)
    say(after[0] == before[0] and after[1] - before[1] < 64 << 20, f"1,000 steps keep {after[0] - before[0]} bytes of the GPU and {(after[1] - before[1]) >> 20} MiB of the host")


def findings():
    torch.manual_seed(2)
    model, x = torch.nn.Sequential(*[torch.nn.Linear(1024, 1024) for _ in range(6)]).cuda(), torch.randn(256, 1024, device="cuda")
    def allow(is_on):
        torch.backends.cuda.matmul.allow_tf32 = is_on
    model[3].register_forward_pre_hook(lambda *_: allow(True))
    model[3].register_forward_hook(lambda *_: allow(False))
    with ulpscope.torch.scope(sample=1) as scope:
        model(x)
    found = scope.findings
    say(len(found) == 1 and str(found[0].key) == "Sequential.3: matmul" and "tf32" in found[0].finding, "one layer with TF32 is named", [(str(one.key), one.finding) for one in found])
    with tempfile.TemporaryDirectory() as folder:
        def recorded(name, x, rows=None):
            with ulpscope.torch.scope(sample=0) as scope:
                scope.record(os.path.join(folder, name))
                model(x)
            return os.path.join(folder, name)
        a, b = recorded("a", x), recorded("b", x)
        one = ulpscope.torch.compare(a, b)
        say(one.first is None and one.compared == 6, "two equal runs do not part", str(one))
        print(ulpscope.torch.compare(a, recorded("c", x[:1])))
        allow(True)
        print(ulpscope.torch.compare(a, recorded("d", x)))
        allow(False)


def odd():
    """What it cannot look into, and does not fail of."""
    model, x = Block(256, 4).cuda(), torch.randn(2, 64, 256, device="cuda")
    with ulpscope.torch.scope(sample=1) as scope, torch.autocast("cuda", torch.bfloat16):
        step(model, x)
    say(not any("Error" in reason for _, reason in scope.left_out), "autocast", scope.left_out)
    print("\n".join(str(scope).splitlines()[:12]))
    with torch.inference_mode(), ulpscope.torch.scope(sample=1) as scope:
        model(x)
    say(sum(one.sampled for one in scope.entries()) >= 6 and not scope.left_out, "inference mode", (str(scope), scope.left_out))
    try:
        compiled = torch.compile(model)
        compiled(x)
        with ulpscope.torch.scope(sample=1) as scope:
            a = compiled(x)
        say(bool(scope.left_out), "a compiled graph is counted", scope.left_out)
        print(scope)
        compiled(x)
    except Exception as error:
        say(False, "a compiled graph", repr(error)[:2000])
    with ulpscope.torch.scope(sample=1) as scope:
        (torch.randn(4, 4, device="cuda") + 1j).sum()
        torch.arange(9, device="cuda").sum()
        torch.zeros(0, 3, device="cuda").sum()
        torch.softmax(torch.full((2, 4), -float("inf"), device="cuda"), -1)
        torch.randn(8, 8, device="cuda").to_sparse().sum()
        torch.randn(64, 64, device="cuda").half().cumsum(0)
    print(scope, scope.left_out)


if __name__ == "__main__":
    print(torch.__version__, torch.cuda.get_device_name(), os.cpu_count(), "processors")
    for part in ((profile,) if "--profile" in sys.argv else (findings, odd, leaks, lambda: cost(torch.bfloat16), lambda: cost(torch.float32), lambda: cost(torch.bfloat16, births=False))):
        try:
            part()
        except Exception as error:
            import traceback
            traceback.print_exc()
            say(False, "raised", repr(error))
    sys.exit(failures > 0)
