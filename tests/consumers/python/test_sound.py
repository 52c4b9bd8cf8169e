import pytest
import sums
import ulpscope


def test_pairwise(adversarial):
    ulpscope.assert_sum(sums.pairwise(adversarial), adversarial)


@pytest.mark.adversarial(families=["lognormal", "uniform"], n=500, seeds=3, format="binary64")
def test_pairwise_of_binary64(adversarial):
    ulpscope.assert_sum(sums.pairwise(adversarial), adversarial, "1e-15abs")
