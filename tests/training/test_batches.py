"""Batches: full, pure functions of (seed, step), and marked where they are learned."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raspl.tasks import END, SEPARATOR, START, Purpose, TaskError, stream
from raspl.training.batches import batch, drawn, lengths
from raspl.training.configuration import Configuration
from raspl.training.presets import configure


def test_a_batch_depends_on_seed_and_step_only(small: Configuration) -> None:
    task = small.build_task()
    first, again = batch(task, small, 5), batch(task, small, 5)
    assert np.array_equal(first.tokens, again.tokens)
    for other in (batch(task, small, 6), batch(task, small.replace(seed=1), 5)):
        assert not np.array_equal(first.tokens, other.tokens)


@settings(deadline=None, max_examples=30)
@given(step=st.integers(0, 10**6), context=st.integers(1, 80), rows=st.integers(1, 9))
def test_packed_contexts_hold_examples_end_to_end(step: int, context: int, rows: int) -> None:
    config = configure("count", "smoke", {"numbers": 12, "context": context, "batch": rows})
    tokens = batch(config.build_task(), config, step).tokens
    assert tokens.shape == (rows, context + 1)
    stream_of = tokens.reshape(-1)
    # Whatever ends an example, the next one starts.
    assert (stream_of[1:][stream_of[:-1] == END] == START).all()
    examples = np.split(stream_of, np.flatnonzero(stream_of == START))[1:-1]
    for example in examples:
        assert example[3] == SEPARATOR
        assert example[-1] == END
        assert (np.diff(example[4:-1]) == 1).all()


def test_packed_contexts_begin_anywhere_in_an_example(small: Configuration) -> None:
    config = small.replace(batch=64)
    first = batch(config.build_task(), config, 0).tokens[:, 0]
    assert 0 < (first == START).mean() < 1


def test_training_lengths_are_uniform(small: Configuration) -> None:
    drawn_lengths = lengths(stream(0, Purpose.SHOW), small.build_task(), small, 20_000)
    share = np.bincount(drawn_lengths)[1:] / 20_000
    assert np.allclose(share, 1 / small.max_length, atol=0.02)


@pytest.mark.parametrize("layout", ["packed", "single"])
def test_answer_loss_counts_answers_and_ends_only(small: Configuration, layout: str) -> None:
    config = small.replace(loss="answer", layout=layout)
    data = batch(config.build_task(), config, 0)
    targets = data.tokens[:, 1:]
    assert data.learned[targets == END].any()
    assert not data.learned[(targets == START) | (targets == SEPARATOR)].any()
    everything = batch(config.build_task(), config.replace(loss="all"), 0)
    assert everything.learned.sum() > data.learned.sum()


def test_single_examples_lie_anywhere_that_has_room(small: Configuration) -> None:
    config = small.replace(layout="single", batch=2000)
    data = batch(config.build_task(), config, 0)
    assert data.offset is not None
    last = config.context - data.tokens.shape[1]
    assert data.offset.min() == 0
    assert data.offset.max() == last


def test_pieces_hold_every_row_and_little_else(small: Configuration) -> None:
    config = small.replace(layout="single", loss="answer", batch=40)
    data = batch(config.build_task(), config, 0)
    pieces = data.pieces(60)
    assert len(pieces) > 4
    assert sum(len(piece.tokens) for piece in pieces) == 40
    assert sum(piece.learned.sum() for piece in pieces) == data.learned.sum()
    assert sum(piece.learned.size for piece in pieces) < data.learned.size
    assert all(piece.learned[:, -1].any() for piece in pieces)


def test_an_example_too_long_for_its_context_is_refused(small: Configuration) -> None:
    config = small.replace(layout="single", context=5, batch=50)
    with pytest.raises(TaskError, match="does not fit a context of 5"):
        batch(config.build_task(), config, 0)


@pytest.mark.parametrize("layout", ["packed", "single"])
def test_drawn_examples_are_those_of_the_batch(small: Configuration, layout: str) -> None:
    config = small.replace(layout=layout)
    task = config.build_task()
    tokens = np.concatenate([one.tokens[one.present] for one in drawn(task, config, 3)])
    data = batch(task, config, 3).tokens
    if layout == "packed":
        text, piece = tokens.tobytes(), data.reshape(-1).tobytes()
        assert piece in text
    else:
        assert tokens.sum() == data.sum()
