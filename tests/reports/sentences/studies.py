"""Random studies: methods, data and launches that a seed chooses, always the same ones."""

import random
import shlex

ACCUMULATORS = ["plain", "kahan", "kahan_two_sum", "kahan_naive_merge", "neumaier", "sum2", "klein", "double_float", "binary64",
                "binary64_kahan", "fabsum", "fabsum_32", "fabsum_512", "binned", "binned_3x13", "binned_4x20", "superacc"]
ORDERS = ["serial", "strided_serial", "tree_interleaved_two_pass", "tree_two_pass", "tree_unrolled", "tree_host_finish", "tree_last_block",
          "tree_atomic", "shuffle_two_pass", "shuffle_last_block", "pairwise", "pairwise_1", "blocked", "vector_two_pass", "tree_rows",
          "shuffle_rows"]
FAMILIES = ["uniform", "normal", "lognormal", "exp_uniform", "integers", "bias", "anderson", "ones", "const", "swamp", "tie", "round_up",
            "leblanc", "telescope", "n_cond", "n_cond_rand", "mountain", "mirror", "harmonic", "alt_harmonic", "basel", "sine", "kahan_killer",
            "binary64_killer", "fab", "rfa", "demmel_hida", "gensum", "gendot", "gendot2", "rand_cond", "full_range", "half_range", "difficult",
            "subnormal", "overflow_mid", "ties_mid", "signed_zero", "specials"]


class Study:
    """`kept`: of so many data sets the sums are there; None: of all."""

    def __init__(self, arguments, target, kept=None):
        self.arguments, self.target, self.kept = arguments, target, kept

    def without(self, refused):
        """The study less the data that a message names; None: it names none of them, or the last."""
        at = next((at for at, word in enumerate(self.arguments) if self.arguments[at - 1] == "-d" and f'"{word}"' in refused), None)
        if at is None or self.arguments.count("-d") == 1:
            return None
        return Study(self.arguments[: at - 1] + self.arguments[at + 1 :], self.target, self.kept)

    def partner(self, chance):
        """A study to be compared with: some of its methods and data are missing, others are new, and the seed may be another."""
        pairs = list(zip(self.arguments[::2], self.arguments[1::2]))
        kept = [pair for pair in pairs if pair[0] not in ("-m", "-d") or chance.random() < 0.9]
        for key in ("-m", "-d"):
            if not any(pair[0] == key for pair in kept):
                kept.append(next(pair for pair in pairs if pair[0] == key))
        kept += [("-m", "kahan_two_sum/serial")] * (chance.random() < 0.5) + [("-d", "gensum:n=32,cond=1e4")] * (chance.random() < 0.3)
        kept = [("--seed", "7") if key == "--seed" and chance.random() < 0.15 else (key, value) for key, value in dict.fromkeys(kept)]
        return Study([word for pair in kept for word in pair], None)

    def command(self):
        return "ulpscope run " + shlex.join(self.arguments) + (
            f" (report --target {self.target})" if self.target else "") + (f" (killed after {self.kept})" if self.kept else "")


def methods(chance):
    """One cell, a row, a column, or a handful."""
    kind = chance.random()
    if kind < 0.15:
        return ["*/" + chance.choice([order for order in ORDERS if order != "tree_atomic"])]
    if kind < 0.25:
        return [chance.choice(ACCUMULATORS) + "/*" for _ in range(chance.randint(1, 2))]
    count = chance.choice([1, 2, 3, 4, 5, 8, 9, 12, 20, 40])
    chosen = []
    while len(chosen) < count:
        one = f"{chance.choice(ACCUMULATORS)}/{chance.choice(ORDERS)}"
        if one not in chosen and (not one.endswith("tree_atomic") or one.startswith("plain")):
            chosen.append(one)
    return chosen


def size(chance):
    kind = chance.random()
    if kind < 0.25:
        first = chance.choice([2, 8, 16, 50])
        return f"n={first}..{first * chance.choice([4, 8, 16])}*{chance.choice([2, 4])}"
    return f"n={chance.choice([1, 2, 3, 7, 10, 32, 64, 100, 128, 200, 257])}"


def entry(chance):
    family = chance.choice(FAMILIES)
    if family in ("gensum", "gendot"):
        cond = chance.choice(["1e3", "1e8", "1e2..1e14*1e6", "1e1..1e9*1e4"])
        return f"{family}:n={chance.choice([16, 64, 100])},cond={cond}"
    if chance.random() < 0.1:
        return f"{family}:{size(chance).split('..')[0]},order={chance.choice(['shuffled:1', 'shuffled:2', 'reversed', 'sorted'])}"
    return f"{family}:{size(chance)}"


def random_study(seed, curated=()):
    chance = random.Random(seed)
    arguments, texts = [], []
    for method in methods(chance):
        arguments += ["-m", method]
    for _ in range(chance.choice([1, 1, 1, 2, 3, 4, 6])):
        text = entry(chance) if not curated or chance.random() < 0.85 else str(chance.choice(curated))
        if text not in texts:
            texts.append(text)
    for text in texts:
        arguments += ["-d", text]
    arguments += ["--trials", str(chance.choice([1, 1, 2, 3, 5, 10, 17, 50])), "--seed", str(chance.randint(0, 99))]
    if chance.random() < 0.9:
        arguments += ["--permutations", str(chance.choice([0, 0, 2, 7, 20]))]
    if chance.random() < 0.2:
        arguments += ["--blocks", chance.choice(["1", "2..4*2", "3"]), "--threads", chance.choice(["32", "64..128*2"])]
    if chance.random() < 0.4:
        arguments += ["--speed", chance.choice(["0", "64", "256"])]
    else:
        arguments += ["--speed", "0"]
    kept = chance.choice([1, 2, 3, 5]) if chance.random() < 0.1 else None
    return Study(arguments, chance.choice([None, None, "2ulp", "1e-6", "0.25ulp", "1e-3"]), kept)
