"""The cells of composed jobs, as jupytext percent: report, code, answers, checks."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent, fill, indent

from course.lessons.n21_mystery_jobs.plans import JOBS, PARTS, Plan, draw_plans

POINTS = {"name": 2, "place": 3, "job": 5}  # place and repair carry 80 %
WIDTH = 88
FOLDED = '{{"source_hidden": true}}'


def job_cells(
    number: str, *, seed: int, parts: Sequence[int] = PARTS, jobs: int = JOBS
) -> str:
    """Return the cells of all jobs of `seed`; their exercises are `number`/my_...

    Raises:
        ValueError: seed, parts or jobs are not as `draw_plans` wants them.
    """
    plans = draw_plans(seed, parts, jobs)
    return "\n".join(_cells(plan, number, len(plans)) for plan in plans)


def _cells(plan: Plan, number: str, count: int) -> str:
    k, shipped, mended = plan.number, plan.program(), plan.program(mended=True)
    changed = [new for new in mended.helpers if new not in shipped.helpers]
    text = dedent(
        f"""\
        # %% [markdown] beat="symptom"
        # ## Job {k} of {count}
        #
        {{report}}
        #
        # Below are its program and its desk, then your answers. Open the folded cell to
        # repair it.

        # %% role="broken" exercise="my_job_{k}"
        {{broken}}

        # %% key="desk-{k}" beat="observe"
        desk(jobs[{k}])

        # %% role="fix" exercise="my_name_{k}" value=true
        my_name_{k} = {{name}}

        # %% role="check" points={POINTS["name"]}
        check("{number}/my_name_{k}", my_name_{k})

        # %% key="sign-{k}" solution_only=true
        from course.lessons.n21_mystery_jobs.job_signs import first_sign, step_name
        from course.lessons.n21_mystery_jobs.jobs import record_of

        sign = first_sign(record_of(jobs[{k}]))

        # %% role="fix" exercise="my_place_{k}" value=true
        my_place_{k} = sign and (step_name(sign.step), sign.column, sign.value)

        # %% role="check" points={POINTS["place"]}
        check("{number}/my_place_{k}", my_place_{k}, named=my_name_{k})

        # %% role="fix" exercise="my_job_{k}" beat="fix" jupyter={FOLDED}
        {{repaired}}

        # %% role="check" points={POINTS["job"]}
        check("{number}/my_job_{k}", my_job_{k}, named=my_name_{k})
        """
    )
    return text.format(
        report=indent(fill(plan.report, WIDTH - 4), "# > "),
        broken=_program(f"broken_job_{k}", shipped.whole(f"broken_job_{k}")),
        name="{" + ", ".join(f'"{n}"' for n in sorted(plan.names)) + "}"
        if plan.names
        else "set()",
        repaired=_program(
            f"my_job_{k}", "\n\n\n".join([*changed, mended.named(f"my_job_{k}")])
        ),
    )


def _program(name: str, code: str) -> str:
    """Return a program under the line that a folded cell shows of it."""
    return f"# {name}: a repair may change everything but the calls of probe\n{code}"
