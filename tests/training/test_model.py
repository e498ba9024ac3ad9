"""The Transformer: causal, cached as uncached, placed where it is told."""

import pytest
import torch

from raspl.training.configuration import Configuration, Positions
from raspl.training.model import Transformer, rotated

TOKENS = 15
EVERY: list[Positions] = ["learned", "rotary", "none"]


def model_of(config: Configuration, positions: Positions) -> Transformer:
    model = Transformer(TOKENS, config.replace(positions=positions, layers=2))
    # Initial weights are small; larger ones make every position's part in the output visible.
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(5)
    return model


@pytest.mark.parametrize("positions", EVERY)
def test_the_future_is_not_seen(small: Configuration, positions: Positions) -> None:
    model = model_of(small, positions)
    tokens = torch.randint(TOKENS, (3, 10), generator=torch.Generator().manual_seed(0))
    changed = tokens.clone()
    changed[:, 6:] = (changed[:, 6:] + 1) % TOKENS
    before, after = model(tokens), model(changed)
    torch.testing.assert_close(before[:, :6], after[:, :6])
    assert not torch.allclose(before[:, 6:], after[:, 6:])


@pytest.mark.parametrize("positions", EVERY)
def test_decoding_with_a_cache_equals_a_full_pass(
    small: Configuration, positions: Positions
) -> None:
    model = model_of(small, positions)
    tokens = torch.randint(TOKENS, (3, 10), generator=torch.Generator().manual_seed(0))
    cache = model.cache(3, model.context)
    parts = [model.hidden(tokens[:, :4], cache=cache)]
    parts += [model.hidden(tokens[:, at : at + 1], cache=cache) for at in range(4, 10)]
    torch.testing.assert_close(torch.cat(parts, dim=1), model.hidden(tokens), atol=1e-4, rtol=1e-3)


@pytest.mark.parametrize("positions", EVERY)
def test_only_what_is_asked_for_is_the_same_as_all(
    small: Configuration, positions: Positions
) -> None:
    model = model_of(small, positions)
    tokens = torch.randint(TOKENS, (3, 10), generator=torch.Generator().manual_seed(0))
    only = torch.tensor([0, 4, 9, 10, 27])
    asked = model.hidden(tokens, only=only)
    torch.testing.assert_close(asked, model.hidden(tokens).flatten(0, 1)[only])


def test_an_offset_moves_an_example_along_the_positions(small: Configuration) -> None:
    model = model_of(small, "learned")
    tokens = torch.randint(TOKENS, (2, 5), generator=torch.Generator().manual_seed(0))
    offset = torch.tensor([0, 7])
    moved = model.hidden(tokens, offset)
    torch.testing.assert_close(moved[0], model.hidden(tokens)[0])
    assert not torch.allclose(moved[1], model.hidden(tokens)[1])


def test_rotary_scores_depend_on_distance_only() -> None:
    key, query = torch.randn(2, 1, 1, 6, 8, generator=torch.Generator().manual_seed(0)).unbind(0)
    place = torch.arange(6)
    near = rotated(query, place) @ rotated(key, place).transpose(-1, -2)
    far = rotated(query, place + 40) @ rotated(key, place + 40).transpose(-1, -2)
    torch.testing.assert_close(near, far, atol=1e-4, rtol=1e-4)


def test_weights_depend_on_the_seed_alone(small: Configuration) -> None:
    first, again = (Transformer(TOKENS, small).embed.weight for _ in range(2))
    other = Transformer(TOKENS, small.replace(seed=1)).embed.weight
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
