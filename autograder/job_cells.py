"""The cells of composed jobs, as jupytext percent: report, code, answers, checks."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent, fill, indent

from course.lessons.n21_mystery_jobs.plans import JOBS, PARTS, Plan, draw_plans

POINTS = {"name": 2, "place": 3, "job": 5}  # place and repair carry 80 %
WIDTH = 88


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
    helpers = "\n\n".join(
        f'# %% role="setup" key="program-{k}-{place}"\n{code}\n'
        for place, code in enumerate(shipped.helpers)
    )
    changed = [new for new in mended.helpers if new not in shipped.helpers]
    text = dedent(
        f"""\
        # %% [markdown] beat="symptom"
        # ## Job {k} of {count}
        #
        {{report}}

        {{helpers}}
        # %% role="broken" exercise="my_job_{k}"
        {{broken}}

        # %% [markdown] beat="observe"
        # ### Job {k}: look

        # %% key="desk-{k}"
        desk(jobs[{k}])

        # %% [markdown] beat="locate"
        # ### Job {k}: its name, and where it shows first

        # %% role="fix" exercise="my_name_{k}" value=true
        my_name_{k} = {{name}}

        # %% role="check" points={POINTS["name"]}
        check("{number}/my_name_{k}", my_name_{k})

        # %% key="sign-{k}" solution_only=true
        from course.lessons.n21_mystery_jobs.job_signs import first_sign, step_name

        sign = first_sign(jobs[{k}].record)

        # %% role="fix" exercise="my_place_{k}" value=true
        my_place_{k} = sign and (step_name(sign.step), sign.column, sign.value)

        # %% role="check" points={POINTS["place"]}
        check("{number}/my_place_{k}", my_place_{k}, named=my_name_{k})

        # %% [markdown] beat="fix"
        # ### Job {k}: repair it
        #
        # What you change of the cells above, put into this cell too.

        # %% role="fix" exercise="my_job_{k}"
        {{repaired}}

        # %% role="check" points={POINTS["job"]}
        check("{number}/my_job_{k}", my_job_{k}, named=my_name_{k})
        """
    )
    return text.format(
        report=indent(fill(plan.report, WIDTH - 4), "# > "),
        helpers=helpers,
        broken=shipped.named(f"broken_job_{k}"),
        name="{" + ", ".join(f'"{n}"' for n in sorted(plan.names)) + "}"
        if plan.names
        else "set()",
        repaired="\n\n\n".join([*changed, mended.named(f"my_job_{k}")]),
    )
