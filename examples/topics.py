"""Topics: counts of words in documents, some of which repeat a word without end, as spam does.

    python3 examples/topics.py
"""

import numpy as np

from tamis import RobustNMF

VOCABULARY = {
    "sea": "ship wave sail harbour anchor tide",
    "kitchen": "bread oven salt pan butter flour",
    "garden": "seed soil rose spade bee compost",
    "music": "violin chord song drum rhythm choir",
}


def documents(count, seed=0):
    """Counts of words, (documents, words); each document is of one or two topics."""
    random = np.random.default_rng(seed)
    words = [word for topic in VOCABULARY.values() for word in topic.split()]
    topics = np.kron(np.eye(len(VOCABULARY)), np.full(6, 1 / 6))
    weights = random.dirichlet(np.full(len(VOCABULARY), 0.15), count)
    counts = random.poisson(60 * weights @ topics).astype(np.float32)
    spam = random.random(count) < 0.15
    counts[spam, random.integers(0, len(words), spam.sum())] += random.integers(50, 300, spam.sum())
    return counts, words


def main():
    counts, words = documents(4000)
    model = RobustNMF(len(VOCABULARY), nonneg_outliers=True, max_iter=3, init="samples")
    H, R = model.fit_transform(counts, return_outliers=True)
    for k, atom in enumerate(model.components_):
        best = [words[i] for i in np.argsort(atom)[::-1][:6]]
        print(f"topic {k}: {' '.join(best)}")
    worst = int(R.max(axis=1).argmax())
    word = int(R[worst].argmax())
    print(f"document {worst} has {counts[worst, word]:.0f} times \"{words[word]}\", "
          f"of which {R[worst, word]:.0f} are explained by no topic")  # fmt: skip


if __name__ == "__main__":
    main()
