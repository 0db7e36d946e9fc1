"""One way to mend each fault that does not lie in the code: lines at a job's begin."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from course.lessons.n21_mystery_jobs.programs.program import Program
from course.lessons.n21_mystery_jobs.programs.settings import corrections
from course.lessons.n21_mystery_jobs.programs.slots import indented
from course.lessons.n21_mystery_jobs.programs.wording import Wording

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
    settings = corrections(words.names, faults)
    lines = [head, *indented(words.text(*before).splitlines())]
    for line in body:
        if settings and ".train()" in line:
            made = line.replace("Trainer", "trainer = Trainer", 1)
            lines.append(made.removesuffix(".train()"))
            lines += [f"    trainer.{each}" for each in settings]
            lines.append("    trainer.train()")
            continue
        lines.append(line)
        if any(each in line for each in READ):
            lines += indented(settings)
    return replace(program, entry="\n".join(lines))
