"""pytest: a test of a sum runs once for each of many data sets that break sums.

    @pytest.mark.adversarial(families=["gensum:cond=1e6", "kahan_killer"], n=1000, seeds=2)
    def test_my_sum(adversarial):
        ulpscope.assert_sum(my_sum(adversarial), adversarial)

`adversarial` is an array of NumPy; of a family "x::y" a tuple of two, and with matrix=True of two matrices, A and B.  Without the mark its defaults are meant.

`look_into` is ulpscope.torch.scope with a limit for each kind of operation of a model of PyTorch:

    def test_my_model(look_into):
        with look_into({"matmul": "auto", "layer_norm": "auto", "softmax": "1e-6abs"}):
            model(x)
"""

import contextlib
import importlib
import pathlib
import typing

import pytest

from ulpscope import families

# One of each way in which sums go wrong: cancellation, absorption, stagnation, compensation that fails, scales, drift.
FAMILIES = ("gensum:cond=1e4", "gensum:cond=1e8", "swamp", "harmonic", "kahan_killer", "lognormal", "mountain", "uniform")
MARK = ("adversarial(families=(%s), n=1000, seeds=1, format=None, matrix=False): run the test once for each family of `ulpscope list generators` "
        "and seed; the fixture `adversarial` has the data." % ", ".join(FAMILIES))


class Data(typing.NamedTuple):
    """What `ulpscope gen` makes the data with."""

    spec: str
    seed: int
    format: typing.Optional[str]
    matrix: bool


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARK)


def with_length(family: str, n: typing.Optional[int]) -> str:
    """gensum:cond=1e8 as gensum:n=1000,cond=1e8; of x::y the first, which the second follows."""
    first, separator, second = family.partition("::")
    name, colon, parameters = first.partition(":")
    if n is None or any(parameter.startswith("n=") for parameter in parameters.split(",")):
        return family
    return f"{name}:n={n}" + ("," if colon else "") + parameters + separator + second


def chosen(families: typing.Sequence[str] = FAMILIES, n: typing.Optional[int] = 1000,
           seeds: typing.Union[int, typing.Iterable[int]] = 1, format: typing.Optional[str] = None,
           matrix: bool = False) -> typing.List[Data]:
    """The arguments of the mark.  n: of families that have none; seeds: how many, from 1 on, or which."""
    numbers = range(1, seeds + 1) if isinstance(seeds, int) else seeds
    names = [families] if isinstance(families, str) else families
    return [Data(with_length(family, n), seed, format, matrix) for family in names for seed in numbers]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "adversarial" not in metafunc.fixturenames:
        return
    mark = metafunc.definition.get_closest_marker("adversarial")
    try:
        all_data = chosen(*mark.args, **mark.kwargs) if mark else chosen()
    except TypeError as error:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: expected {MARK.partition(': run')[0]}, found {error}") from None
    metafunc.parametrize("adversarial", all_data, indirect=True, ids=[f"{one.spec}-seed{one.seed}" for one in all_data])


@pytest.fixture
def adversarial(request: pytest.FixtureRequest) -> typing.Any:
    """Data that break sums, of the mark `adversarial`."""
    try:
        return families.data(**request.param._asdict())
    except families.ProgramMissing as error:
        pytest.skip(str(error))


@pytest.fixture
def look_into(tmp_path: pathlib.Path) -> typing.Any:
    """A scope over what a model of PyTorch computes, every row of it unless `sample` says less, which fails where an operation is beyond the limit of its kind,
    and says the command that opens the operands."""
    try:
        torch = importlib.import_module("ulpscope.torch")
    except ImportError as error:
        pytest.skip(str(error))

    @contextlib.contextmanager
    def of(limits: typing.Mapping[str, str], sample: float = 1.0, **settings: typing.Any) -> typing.Iterator[typing.Any]:
        if not limits:
            raise ValueError("limits: expected one at least, found none")
        scope = torch.scope(sample=sample, limits=limits, **settings)
        try:
            with scope:
                yield scope
        except AssertionError as error:
            for entry in scope.broken:
                with contextlib.suppress(ValueError):  # of what no command takes
                    raise AssertionError(f"{error}\n\n{entry.key}:\n{entry.save(tmp_path / 'look_into')}") from None
            raise

    return of
