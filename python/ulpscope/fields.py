"""What --json of a command has: attributes of its answer and of what that holds.  tools/pages writes this file, from reports/schemas."""

from __future__ import annotations

import typing

from ulpscope.typed import Fields

# fmt: off

class Exact:
    schema: str
    n: int
    format: str
    exact: str  # In full, but where it is irrational.
    exact_decimal: str  # To --digits.
    sum_abs: str  # The sum of the magnitudes, in full.
    condition: float; condition_hex: str
    nearest: Nearest  # In each format.
    nearest_number: NearestNumber
    ulp: Nearest
    exponents: typing.Optional[Exponents]  # null: no finite number but 0, or of what is written.
    specials: Specials  # How many there are of each.
    verified: bool  # A second opinion was asked.
    compare: typing.List[Comparison]  # Of each --compare.
    operation: typing.Optional[str]
    exact_is_rounded: typing.Optional[bool]  # It is irrational: exact is rounded to odd.
    left_out: typing.Optional[int]  # Values of the data, where some were.
    conversion: typing.Optional[Conversion]  # With convert=: what rounding the numbers of the file did.
    fraction: typing.Optional[str]  # Of what is written: in full.
    stored: typing.Optional[typing.Dict[str, Conversion]]  # Of what is written: what storing the numbers in each format did.
    sha256: typing.Optional[str]  # Of a file.
    second_sha256: typing.Optional[str]  # Of that of a second vector.

class Attack:
    schema: str
    command: str
    attacks: typing.List[AttackAttack]

class Explain:
    schema: str
    data: str
    n: int
    launch: Launch
    verdict: str  # A sentence.
    cause: str  # Some more.
    methods: typing.List[Method]
    exact: AttackExact
    differ: bool
    nearer: typing.Optional[int]  # Of `methods`, from 0; null: neither.
    difference_ulp: float; difference_ulp_hex: str  # The first less the second.
    parting: Parting
    subset: typing.Optional[ExplainNumbers]  # Of the data.
    witness: typing.Optional[ExplainWitness]  # Simpler numbers in their places.
    effort: typing.Optional[Effort]

class Blame:
    schema: str
    method: str
    launch: Launch
    data: str
    seed: int
    trial: int
    n: int
    # ['class']: str
    computed: float; computed_hex: str
    exact: str  # In full.
    ulp: float; ulp_hex: str
    condition: float; condition_hex: str
    bound: float; bound_hex: str
    abs_error: float; abs_error_hex: str
    relative_error: float; relative_error_hex: str
    ulp_error: float; ulp_error_hex: str
    backward_error: float; backward_error_hex: str
    bound_ratio: float; bound_ratio_hex: str
    height: int  # Of the tree.
    additions: int
    finite: bool  # There is a proof.
    sum_of_errors: typing.Optional[str]  # In full, as the next.
    computed_less_exact: typing.Optional[str]
    equal: typing.Optional[bool]  # Both are; nothing else is ever written.
    last_rounding: typing.Optional[float]; last_rounding_hex: typing.Optional[str]
    inexact: typing.Optional[int]  # Additions with an error.
    inexact_products: typing.Optional[int]  # Of a dot product, or a sum of squares.
    lost: typing.Optional[float]; lost_hex: typing.Optional[str]  # The magnitudes of their errors.
    cancelled: typing.Optional[float]; cancelled_hex: typing.Optional[str]  # Of what was lost, what other errors took back.
    top_additions: typing.Optional[typing.List[Addition]]
    top_elements: typing.Optional[typing.List[Element]]
    first_not_finite: typing.Optional[Addition]  # null: the data hold it, or the last rounding made it.

class Lesson:
    format: str
    version: int
    lessons: typing.List[Lessons]

class Run:
    all_measured: bool
    schema: str
    title: str
    study: Study
    provenance: typing.Dict[str, typing.Dict[str, str]]
    metrics: Metrics
    series: typing.List[Series]
    speeds: typing.List[Speeds]
    reproducibility: typing.List[Reproducibility]
    cases: Cases
    variations: typing.Optional[typing.List[Variations]]

class Check:
    schema: str
    run: str  # As the user named it.
    today: str  # The day (UTC) that allowances were held to.
    passes: bool  # Nothing fails, and no allowance has expired.
    summary: str
    counts: Counts
    limits: Limits
    baseline: typing.Optional[Baseline]
    series: typing.List[CheckSeriesEntry]  # Those of the run, in its order, then those that only the baseline has.

class Nearest(Fields):
    binary64: str
    binary32: str
    binary16: str
    bfloat16: str

class NearestNumber(Fields):
    binary64: float
    binary32: float
    binary16: float
    bfloat16: float

class Exponents(Fields):
    least: int
    largest: int

class Specials(Fields):
    nan: int
    inf: int
    # ['-inf']: int
    # ['-0']: int
    subnormal: int

class Comparison(Fields):
    given: str  # As it was written.
    format: str
    value: float; value_hex: str
    rounded: bool  # The format has no such number; the nearest was taken.
    # ['class']: str
    side: typing.Optional[str]  # Of the exact sum; null with a NaN.
    steps_from_nearest: typing.Optional[float]  # Numbers of the format, up; beyond 2^63 as a number of binary64; null with a NaN.
    abs_error: float; abs_error_hex: str
    relative_error: float; relative_error_hex: str
    ulp_error: float; ulp_error_hex: str
    backward_error: float; backward_error_hex: str
    bound_ratio: typing.Optional[float]; bound_ratio_hex: typing.Optional[str]  # null: the value comes from no method.
    storage: typing.Optional[float]  # Of what is written: the part of the error.
    addition: typing.Optional[float]  # The rest of it.

class Conversion(Fields):
    # ['from']: str
    changed: int  # Numbers that are others now.
    underflowed: int  # Of these, 0 now.
    overflowed: int  # Of these, infinite now.
    cost: float; cost_hex: str  # How far their sum moved, rounded up.
    relative_cost: float; relative_cost_hex: str  # Of the sum as it was, rounded up.

class Launch(Fields):
    blocks: int
    threads: int

class AttackExact(Fields):
    sum: str  # In full.
    nearest: str
    ulp: str
    condition: float; condition_hex: str

class Steps(Fields):
    calls: int
    value: float; value_hex: str
    by: str

class Judged(Fields):
    method: str
    sum: float; sum_hex: str
    bits: str
    bound: float; bound_hex: str
    abs_error: float; abs_error_hex: str
    relative_error: float; relative_error_hex: str
    ulp_error: float; ulp_error_hex: str
    backward_error: float; backward_error_hex: str
    bound_ratio: float; bound_ratio_hex: str

class Witness(Fields):
    n: int
    minimal: bool  # Verified: without any one of them the error is smaller.
    numbers: typing.List[str]
    exact: AttackExact
    judged: Judged  # The bound is that of as many numbers as were attacked.
    evaluations: int

class AttackAttack(Fields):
    method: str
    launch: Launch
    format: str  # Of the numbers.
    n: int
    seed: int
    budget: int  # Sums that the search might ask for.
    calls: int  # Sums that it asked for.
    climbs: str
    value: float; value_hex: str  # The share of the bound, or the error in ulp; nan of a crash.
    crashed: bool  # The method, a plug-in's, failed on the numbers.
    exact: AttackExact
    steps: typing.List[Steps]  # Each new best of the search, by its own arithmetic.
    judged: typing.Optional[Judged]
    numbers: typing.Optional[typing.List[str]]  # Of one attack alone.
    witness: typing.Optional[Witness]
    rerun: typing.Optional[str]  # With --output.

class Method(Fields):
    method: str
    sum: float; sum_hex: str
    bits: str
    ulp_error: float; ulp_error_hex: str
    bound: float; bound_hex: str
    bound_ratio: float; bound_ratio_hex: str
    last_rounding: float; last_rounding_hex: str

class Join(Fields):
    left: str  # Elements.
    right: str
    value: float; value_hex: str
    error: float; error_hex: str
    why: str
    other: str  # What the other method does instead.
    value_rest: typing.Optional[float]; value_rest_hex: typing.Optional[str]  # Of methods that add in binary64: what `value` lacks.

class Side(Fields):
    joins: int
    shared: int  # The same elements and the same value.
    same_elements: int
    parted: int  # Both operands are shared, and it is not.
    parted_by_order: int
    first: typing.List[Join]

class Parting(Fields):
    # ['class']: str
    same_tree: bool
    same_accumulator: bool
    methods: typing.List[Side]

class Numbers(Fields):
    index: int  # In the data.
    was: str  # There.
    x: float; x_hex: str
    y_was: typing.Optional[str]  # Of pairs, which methods multiply, as the next.
    y: typing.Optional[float]; y_hex: typing.Optional[str]

class ExplainNumbers(Fields):
    n: int
    minimal: bool  # Verified: without any one of them the sums are equal.
    numbers: typing.List[Numbers]

class ExplainWitness(Fields):
    n: int
    minimal: bool  # Verified: without any one of them the sums are equal.
    numbers: typing.List[Numbers]
    methods: typing.List[Method]
    exact: AttackExact
    differ: bool
    nearer: typing.Optional[int]  # Of `methods`, from 0; null: neither.
    difference_ulp: float; difference_ulp_hex: str  # The first less the second.
    parting: Parting
    file: typing.Optional[str]  # With --witness.
    command: typing.Optional[str]  # Compares the methods on it.

class Effort(Fields):
    evaluations: int  # Pairs of sums.
    additions: int
    gave_up: bool

class Operand(Fields):
    node: int
    value: float; value_hex: str
    elements: int  # Below it.
    first: int  # The one with the smallest index.
    last: int

class Addition(Fields):
    node: int
    left: Operand
    right: Operand
    value: float; value_hex: str
    error: float; error_hex: str
    share: typing.Optional[float]  # Of all that was lost; null: there is no such sum.

class Element(Fields):
    index: int
    value: float; value_hex: str
    charged: float; charged_hex: str
    itself: float; itself_hex: str  # In the addition that takes it in.
    share: float
    backward: float; backward_hex: str

class Ask(Fields):
    id: str
    kind: str
    prompt: str
    prompt_html: str
    hint: str
    hint_html: str
    because: str
    because_html: str
    answer: str
    choices: typing.Optional[typing.List[str]]  # Of a choice.
    least: typing.Optional[str]  # Of a number.
    most: typing.Optional[str]
    unit: typing.Optional[str]

class Lessons(Fields):
    id: str
    number: int
    title: str
    parts: typing.List[Part]

class MethodDetails(Fields):
    id: str
    accumulator: str
    order: str
    accumulator_claim: str
    order_claim: str
    format: str  # Of the result.
    operation: str
    deterministic: bool
    is_black_box: bool
    stored: typing.Optional[str]  # What its numbers are stored in.
    added: typing.Optional[str]  # What they are added in.

class Data(Fields):
    text: str
    specs: typing.List[str]
    trials: int
    permuted: typing.Optional[bool]
    attacked: typing.Optional[bool]

class Study(Fields):
    methods: typing.List[str]
    method_details: typing.List[MethodDetails]
    launches: typing.List[Launch]
    data: typing.List[Data]
    seed: int
    repeats: int
    text: str
    across: typing.Optional[typing.List[str]]  # Axes that it varies when its sums are done.

class MetricsEntry(Fields):
    unit: str
    meaning: str

class Metrics(Fields):
    abs_error: MetricsEntry
    relative_error: MetricsEntry
    ulp_error: MetricsEntry
    backward_error: MetricsEntry
    bound_ratio: MetricsEntry

class Classes(Fields):
    exact: int
    finite: int
    zero_sum: int
    overflow: int
    out_of_range: int
    nan: int
    inf: int
    negative: int

class Hex(Fields):
    min: str
    p50: str
    p90: str
    p99: str
    max: str
    mean: str

class Statistics(Fields):
    min: float
    p50: float
    p90: float
    p99: float
    max: float
    mean: float
    hex: Hex

class RunStatistics(Fields):
    relative_error: Statistics
    ulp_error: Statistics
    backward_error: Statistics
    bound_ratio: Statistics

class Bins(Fields):
    binade: int
    low: str
    count: int

class Histogram(Fields):
    bins: typing.List[Bins]
    exact: int
    no_digit: int
    nonfinite: int
    undefined: int
    total: int

class RunWitness(Fields):
    trial: int
    repeat: int
    bits: str
    exact: typing.Optional[str]
    ulp_error: float; ulp_error_hex: str
    command: typing.Optional[str]
    i: typing.Optional[int]  # Of a matrix product: the element, from 0.
    j: typing.Optional[int]
    vectors: typing.Optional[str]  # Writes row i of A and column j of B.

class Series(Fields):
    entry: int
    method: str
    format: str
    operation: str
    data: str
    n: int
    backend: str
    device: str
    launch: Launch
    count: int
    classes: Classes
    statistics: RunStatistics
    histogram: Histogram
    distinct_bits: int
    median_condition: float; median_condition_hex: str
    right_nonfinite: int
    height: int
    relative_bound: float; relative_bound_hex: str
    relative_probable_bound: float; relative_probable_bound_hex: str
    bits_sha256: str
    witness: RunWitness  # The sum with the largest ulp_error.
    map: typing.Optional[str]  # Of matrix products: where in C errors are, a letter for each cell (docs/matmul.md).
    first_of_no_digit: typing.Optional[int]  # Of results for each number: the least place, from 1, of a relative error of 1 or more; else left out.

class Speeds(Fields):
    method: str
    backend: str
    launch: Launch
    n: int
    rounds: int
    nanoseconds_per_element: float; nanoseconds_per_element_hex: str
    nanoseconds_per_element_median: float; nanoseconds_per_element_median_hex: str
    gigabytes_per_second: float; gigabytes_per_second_hex: str

class Spread(Fields):
    sets: int
    differing: int
    most: int

class Reproducibility(Fields):
    method: str
    backend: str
    repeats: Spread
    launches: Spread
    permutations: Spread

class Cases(Fields):
    measured: int
    asked: int

class Variations(Fields):
    axis: str
    entry: int
    method: str
    data: str
    backend: str
    launch: Launch
    variants: int
    results: int
    spread_ulp: float; spread_ulp_hex: str
    first: str
    base_bits: str
    bits: str
    why: str
    command: str

class CheckSeries(Fields):
    FAIL: int
    allowed: int
    ok: int
    skipped: int
    missing: int
    unruled: int

class Findings(Fields):
    FAIL: int
    allowed: int
    ok: int
    skipped: int

class Allowances(Fields):
    expired: int
    unused: int

class Counts(Fields):
    series: CheckSeries  # Each by the worst that a rule says of it. `missing` are of FAIL, `unruled` (no rule is about them) of skipped.
    findings: Findings  # Of one rule and one series.
    allowances: Allowances

class Rule(Fields):
    line: int
    method: str  # A glob.
    data: str  # A glob.
    backend: typing.Optional[str]
    metric: str
    statistic: str
    limit: typing.Optional[str]  # As it was written: "1.5ulp".
    why: typing.Optional[str]
    matched: int  # Series that it is about.
    compared: int  # Of them, those that it could be compared with.
    holds_nothing: bool  # Zeros pass it on all of its data.

class Allowance(Fields):
    line: int
    method: str
    data: str
    metric: typing.Optional[str]  # null: whatever fails.
    until: str  # The last day.
    why: typing.Optional[str]
    state: str
    allowed: int  # Findings.

class Limits(Fields):
    path: str
    rules: typing.List[Rule]
    allowances: typing.List[Allowance]

class Baseline(Fields):
    path: str
    seed: int
    series: int

class Varied(Fields):
    axis: str
    results: int
    spread_ulp: float; spread_ulp_hex: str
    first: str
    bits: str
    base_bits: str
    command: str

class Finding(Fields):
    rule: int
    verdict: str
    value: float; value_hex: str  # What was compared; nan: nothing.
    limit: float; limit_hex: str
    unit: str
    said: str
    cause: typing.Optional[str]  # What the sums of a failing series are.
    zeros_pass: int  # Sums in whose place a 0 passes the rule.
    zeros_tried: int  # Of so many, which are not 0; 0: none was tried.
    allowance: typing.Optional[int]  # That allows it, or did until it expired.
    varied: typing.Optional[Varied]  # Of what failed across an axis: which, and the first variant with other bits.

class CheckSeriesEntry(Fields):
    name: str  # With the method it is this series' own.
    method: str
    data: str
    n: int
    backend: str
    device: str
    launch: Launch
    count: int  # Sums in the run.
    missing: bool  # The baseline has it, the run does not.
    verdict: str
    holds_nothing: bool  # Every rule about it does, and no allow_no_claim says why: the check fails.
    rerun: typing.Optional[str]  # The command that makes its worst sum again: by the metric of the rule that fails, or by ulp_error.
    findings: typing.List[Finding]

class Part(Fields):
    kind: str
    html: str
    asks: typing.Optional[typing.List[Ask]]  # Of a prediction or an exercise.
