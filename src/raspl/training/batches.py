"""From examples to batches: contexts packed end to end, or one example a context."""

from dataclasses import dataclass

import numpy as np

from raspl.tasks import NOTHING, Bools, Examples, Ints, Purpose, Task, TaskError, stream
from raspl.training.configuration import Configuration

SLACK = 1.1
"""How many more examples to draw than are expected to fill a packed batch."""


@dataclass(frozen=True)
class Batch:
    tokens: Ints
    """One context a row, with one token more than the model reads: the last one's target."""
    learned: Bools
    """True at the targets (tokens from the second on) that count in the loss."""
    offset: Ints | None
    """Where each context begins among the model's positions; None for 0."""
    labels: Ints | None = None
    """Of a labelled task, the targets; of others these are the next tokens."""

    @property
    def inputs(self) -> Ints:
        """What the model reads."""
        return self.tokens[:, :-1]

    @property
    def targets(self) -> Ints:
        """What it should say after each token, where it is learned."""
        return self.tokens[:, 1:] if self.labels is None else self.labels

    def pieces(self, tokens: int) -> list["Batch"]:
        """The rows in order, about so many tokens at once, each piece as wide as it must be."""
        number = -(-self.learned.size // tokens)
        rows = max(-(-len(self.tokens) // number), 1)
        return [self.rows(slice(low, low + rows)) for low in range(0, len(self.tokens), rows)]

    def rows(self, chosen: slice) -> "Batch":
        """Some of the rows, without the columns at their end in which they learn nothing."""
        learned = self.learned[chosen]
        width = int(np.flatnonzero(learned.any(axis=0)).max(initial=0)) + 1
        offset = None if self.offset is None else self.offset[chosen]
        labels = None if self.labels is None else self.labels[chosen, :width]
        return Batch(self.tokens[chosen, : width + 1], learned[:, :width], offset, labels)


def lengths(rng: np.random.Generator, task: Task, config: Configuration, number: int) -> Ints:
    """Uniform from the shortest to the longest training length."""
    shortest = max(task.shortest, config.min_length)
    return rng.integers(shortest, config.max_length + 1, size=number)


def batch(task: Task, config: Configuration, step: int) -> Batch:
    """The batch of a step: a pure function of (seed, step)."""
    rng = stream(config.seed, Purpose.TRAIN, step)
    return (packed if config.layout == "packed" else single)(rng, task, config)


def drawn(task: Task, config: Configuration, step: int) -> list[Examples]:
    """The examples that `batch` draws for a step."""
    rng = stream(config.seed, Purpose.TRAIN, step)
    if config.layout == "single":
        return [one_each(rng, task, config)]
    return enough(rng, task, config)[0]


def enough(
    rng: np.random.Generator, task: Task, config: Configuration
) -> tuple[list[Examples], int]:
    """Examples that fill the batch's contexts from a random first offset on."""
    wanted = config.batch * (config.context + 1)
    examples: list[Examples] = []
    skip, have = 0, 0
    number = max(wanted // 16, 1)
    while have < wanted + skip:
        more = task.examples(rng, lengths(rng, task, config, number), config.train_on)
        if not examples:
            # Contexts cut the stream anywhere; the first one does so too.
            skip = int(rng.integers(more.sizes[0]))
        examples.append(more)
        have += int(more.sizes.sum())
        mean = have / sum(map(len, examples))
        number = max(int((wanted + skip - have) / mean * SLACK), 1)
    return examples, skip


def packed(rng: np.random.Generator, task: Task, config: Configuration) -> Batch:
    """Examples end to end, cut into contexts wherever they end (section "Experimental Setup").

    A row's first example usually began before it: that is the random shift along the context.
    """
    examples, skip = enough(rng, task, config)
    wanted = config.batch * (config.context + 1)
    shape = (config.batch, config.context + 1)
    tokens = np.concatenate([more.tokens[more.present] for more in examples])
    tokens = tokens[skip : skip + wanted].reshape(shape)
    if task.is_labelled:
        labels = np.concatenate([labels_of(more)[more.present] for more in examples])
        labels = labels[skip : skip + wanted].reshape(shape)[:, :-1]
        return Batch(tokens, labels != NOTHING, None, np.maximum(labels, 0))
    if config.loss == "all":
        return Batch(tokens, np.ones((shape[0], shape[1] - 1), dtype=np.bool_), None)
    answers = np.concatenate([more.answers[more.present] for more in examples])
    return Batch(tokens, answers[skip : skip + wanted].reshape(shape)[:, 1:], None)


def one_each(rng: np.random.Generator, task: Task, config: Configuration) -> Examples:
    return task.examples(rng, lengths(rng, task, config, config.batch), config.train_on)


def single(rng: np.random.Generator, task: Task, config: Configuration) -> Batch:
    """One example a context, at a random offset that leaves room for it, or at the beginning.

    What would stand before the example is left out: a causal model that never saw it needs only
    the positions to be shifted. Beyond the example nothing is learned. The rows are in order of
    length, so that pieces of the batch hold little else than examples.

    Of a labelled task the labels are learned and nothing else, whatever the loss.
    """
    examples = one_each(rng, task, config).left_aligned()
    order = np.argsort(examples.sizes, kind="stable")
    examples = examples.rows(order)
    sizes = examples.sizes
    if sizes.max() > config.context:
        raise TaskError(
            f"An example of {sizes.max()} tokens does not fit a context of {config.context}."
        )
    present = examples.present
    learned = examples.answers if config.loss == "answer" else present
    tokens = np.where(present, examples.tokens, 0)
    offset = None
    if config.offset != "zero":
        room = config.context - examples.tokens.shape[1] + 1
        offset = rng.integers(0, max(room, 1), size=len(examples))
    if task.is_labelled:
        labels = labels_of(examples)
        padded = np.pad(tokens, ((0, 0), (0, 1)))
        return Batch(padded, labels != NOTHING, offset, np.maximum(labels, 0))
    return Batch(tokens, learned[:, 1:], offset)


def labels_of(examples: Examples) -> Ints:
    """The labels of a labelled task's examples."""
    if examples.labels is None:
        raise TaskError("A labelled task drew examples without labels.")
    return examples.labels
