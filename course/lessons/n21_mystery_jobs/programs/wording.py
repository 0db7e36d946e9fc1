"""What differs from job to job and means nothing: names, order, harmless lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import Template

import numpy as np

CHOICES = {
    "w": ("w", "weights", "theta"),
    "data": ("data", "feed", "source"),
    "size": ("size", "count", "per_step"),
    "table": ("table", "columns", "arrays"),
    "batch": ("batch", "batch_size", "rows"),
    "rate": ("rate", "learning_rate", "lr"),
    "readers": ("readers", "parallel_calls", "workers_of_input"),
    "unit": ("unit", "batch_of", "counted_by"),
    "rest": ("rest", "last_batch", "keep_rest"),
    "split": ("split", "share_out", "hand_out"),
    "refresh": ("refresh", "sync_every", "copy_every"),
    "trail": ("trail", "protocol", "history"),
    "log_every": ("log_every", "check_every", "watch_every"),
    "pieces": ("pieces", "chunks", "parts_of_a_batch"),
    "share": ("share", "divide", "halves"),
    "resume": ("skip_done", "go_on", "from_last"),
    "total": ("total", "gradient", "slope"),
}
TOLD = {
    "seen": ("seen", "counted", "so_far"),
    "told": ("told_after", "report_after", "first_report"),
    "everybody": ("everybody", "all_report", "each_worker"),
}
CLIPPED_SHARE = 0.4  # of the jobs that may clip their gradients
TELLING_SHARE = 0.4  # of the jobs of workers that may count what they have used
# settings that no code heeds: every real file has some
UNUSED = {
    "owner": ("team-a", "vision", "forecast"),
    "profile": ("off", "first-3", "none"),
    "retries": (0, 2, 5),
    "comment": ("as in spring", "do not touch", "copied from the old cluster"),
    "precision": ("float32",),
    "version": (3, 7, 12),
    "shuffle": (False,),
    "epochs": (1,),
}
# lines before the first step that change nothing, whatever they look like
HARMLESS = (
    ("tf.random.set_seed($seed)",),
    ("os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '2')",),
    ("begun = time.perf_counter()",),
    ("np.random.seed($seed)",),
    ("report = {'started': time.strftime('%H:%M'), 'steps': 0}",),
    ("tf.config.set_soft_device_placement(True)",),
    ("assert probe is not None, 'nobody watches'",),
)


@dataclass(frozen=True)
class Wording:
    """The names of one job, and a source of choices that are the same for a seed.

    k: the number of the job, which the names of its functions end with.
    names: what stands for each of CHOICES, and `k`, `seed`.
    mended: whether the code is without its faults; all else is as it was.
    clipped: whether a job that may clip its gradients does.
    telling: whether workers that may count what they have used do, and tell it.
    """

    k: int
    names: dict[str, str]
    harmless: tuple[str, ...]
    unused: dict[str, object]
    rng: np.random.Generator
    mended: bool = False
    clipped: bool = False
    telling: bool = False

    def text(self, *lines: str) -> str:
        """Return the lines with this job's names in them, and double quotes."""
        return Template("\n".join(lines)).substitute(self.names).replace("'", '"')

    def sometimes(self, needed: bool, share: float = 0.5) -> bool:
        """Whether a part is there that only a fault would need."""
        drawn = bool(self.rng.random() < share)
        return needed or drawn


def draw_wording(seed: int, number: int, *, mended: bool = False) -> Wording:
    """Draw names and harmless lines for job `number`; the same for a seed."""
    rng = np.random.default_rng([seed, number, 5])
    names = {key: str(rng.choice(words)) for key, words in CHOICES.items()}
    names |= {"k": str(number), "seed": str(int(rng.integers(1, 99)))}
    picked = rng.choice(len(HARMLESS), size=2, replace=False)
    lines = tuple(line for place in picked for line in HARMLESS[place])
    kinds = rng.choice(sorted(UNUSED), size=4, replace=False)
    unused = {str(k): UNUSED[k][int(rng.integers(len(UNUSED[k])))] for k in kinds}
    # drawn apart from the rest, which is the same with and without
    apart = np.random.default_rng([seed, number, 11])
    names["most"] = str(apart.choice(("most", "limit", "clip_at")))
    clipped = bool(apart.random() < CLIPPED_SHARE)
    apart = np.random.default_rng([seed, number, 14])
    for key, words in TOLD.items():
        names[key] = str(apart.choice(words))
    telling = bool(apart.random() < TELLING_SHARE)
    return Wording(number, names, lines, unused, rng, mended, clipped, telling)


def shuffled(rng: np.random.Generator, table: dict) -> dict:
    """Return the same entries in another order."""
    keys: Sequence[str] = list(table)
    return {keys[place]: table[keys[place]] for place in rng.permutation(len(keys))}
