import pytest
import sums
import ulpscope


@pytest.mark.adversarial(families=["uniform"], n=100)
def test_without_the_last(adversarial):
    ulpscope.assert_sum(sums.without_the_last(adversarial), adversarial)


@pytest.mark.adversarial(families=["uniform"], n=100)
def test_with_the_last_twice(adversarial):
    ulpscope.assert_sum(sums.with_the_last_twice(adversarial), adversarial)
