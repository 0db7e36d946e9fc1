"""One way to mend each fault that does not lie in the code: lines at a job's begin."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from course.lessons.n19_mystery_jobs.programs.program import Program
from course.lessons.n19_mystery_jobs.programs.wording import Wording

# fault -> the setting that is wrong, and what it should be
SETTINGS = {
    "dropped_tail": ("rest", True),
    "not_split": ("split", True),
    "behind": ("refresh", 1),
    "one_reader": ("readers", 4),
    "host_read": ("log_every", 500),
    "larger_batch": ("unit", "step"),
    "kept_batches": ("trail", False),
    "whole_batch": ("share", True),
    "many_sums": ("pieces", 1),
    "from_row_0": ("resume", True),
}
# fault -> lines that come before all others
BEFORE = {
    "one_shard": ["os.environ['SHARD'] = '0/1'"],
    "pinned": ["os.environ.pop('JOB_DEVICE', None)"],
    "eager": ["os.environ.pop('DEBUG', None)"],
    "own_start": ["os.environ['SEED'] = '3'"],
    "same_file": ["os.environ['PART'] = os.environ['RANK']"],
    "repeated_rows": [
        "with np.load(f'{folder}/rows.npz') as file:",
        "    $table = dict(file)",
        "first = np.unique($table['ids'], return_index=True)[1]",
        "once = {name: values[first] for name, values in $table.items()}",
        "np.savez(f'{folder}/rows.npz', **once)",
    ],
    "alone": [
        "with open(f'{folder}/hosts.json') as file:",
        "    cluster = json.load(file)",
        "task = {'type': 'worker', 'index': int(os.environ['RANK'])}",
        "os.environ['TF_CONFIG'] = json.dumps({'cluster': cluster, 'task': task})",
    ],
    "unequal_files": [
        "rank, count = int(os.environ['RANK']), int(os.environ['WORLD'])",
        "files = [dict(np.load(f'{folder}/rows-{k}.npz')) for k in range(count)]",
        "whole = {name: np.concatenate([f[name] for f in files]) for name in files[0]}",
        "order = np.argsort(whole['ids'])[rank::count]",
        "own = {name: values[order] for name, values in whole.items()}",
        "os.environ['PART'] = f'mended-{rank}'",
        "np.savez(f'{folder}/rows-mended-{rank}.npz', **own)",
    ],
}
READ = ("settings = json.load(file)", "settings = read_settings_")


def with_repairs(program: Program, words: Wording, faults: Collection[str]) -> Program:
    """Return a program that does what it should in spite of what surrounds it."""
    head, *body = program.entry.splitlines()
    before = [line for fault in faults for line in BEFORE.get(fault, ())]
    names = words.names
    settings = [
        f"settings['{names[SETTINGS[fault][0]]}'] = {SETTINGS[fault][1]!r}"
        for fault in faults
        if fault in SETTINGS
    ]
    lines = [head, *(f"    {line}" for line in words.text(*before).splitlines())]
    for line in body:
        if settings and ".train()" in line:
            lines.append(
                line.replace("Trainer", "trainer = Trainer", 1)[: -len(".train()")]
            )
            lines += [f"    trainer.{each}".replace("'", '"') for each in settings]
            lines.append("    trainer.train()")
            continue
        lines.append(line)
        if any(each in line for each in READ):
            lines += [f"    {each}".replace("'", '"') for each in settings]
    return replace(program, entry="\n".join(lines))
