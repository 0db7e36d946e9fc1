"""The page docs/triage.md as its readers use it: what to paste, and what is printed."""

import re
from dataclasses import dataclass
from pathlib import Path

from autograder.probes import IN_FIT, forms_of

HERE = Path(__file__).resolve().parent
PAGE = (HERE.parent / "docs" / "triage.md").read_text("utf-8")
# lines of the scripts in foreign/, where the page says to paste
LOOP = "step = 0"
END_OF_STEP = "        step += 1"
BEFORE_FIT = "# all is ready"  # in the scripts that call `fit`
IN_REPLICA = "    with tf.GradientTape() as tape:"


@dataclass(frozen=True)
class Section:
    """A probe's section: its definition, the calls to paste, and what they print."""

    definition: str
    calls: tuple[str, ...]
    prints: tuple[str, ...]


def blocks(text, language):
    """The blocks of code in a part of the page that are in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.S | re.M)


def sections():
    """Read the page: name of each probe -> its section, and -> its part on `fit`.

    A part on `fit` that shows no text of its own prints those of its probe.
    """
    found, in_fit = {}, {}
    for text in re.split(r"^### ", PAGE, flags=re.M)[1:]:
        name, (text, _, fit) = text.split("\n")[0], text.partition(IN_FIT)
        first, *calls = blocks(text, "python")
        prints = tuple(blocks(text, "text"))
        found[name] = Section(first, tuple(calls), prints)
        forms = [f"{form}\n" for form in forms_of(IN_FIT + fit)]
        calls = tuple(each for each in blocks(fit, "python") if each not in forms)
        own = tuple(blocks(fit, "text"))
        in_fit[name] = Section("\n".join([first, *forms]), calls, own or prints)
    return found, in_fit


SECTIONS, FIT = sections()


@dataclass(frozen=True)
class Script:
    """A training script that knows nothing of the course; edits give another one."""

    text: str

    def edit(self, old, new):
        """Replace a piece of the script, which must stand there once."""
        assert self.text.count(old) == 1, f"{self.text.count(old)} times: {old!r}"
        return Script(self.text.replace(old, new))

    def paste(self, probe, *places, page=SECTIONS):
        """Paste a probe's definition below the imports, and each call at its place.

        A place is (how, line): "before", "after" or "over" a line of the script, or at
        the "end" of it. page: SECTIONS, or FIT for the forms.
        """
        section, script = page[probe], self
        assert len(places) <= len(section.calls), probe
        head = "import tensorflow as tf\n"
        script = script.edit(head, f"{head}{section.definition}\n")
        for call, place in zip(section.calls, places, strict=False):
            script = script.put(call, *place)
        return script

    def paste_in_fit(self, probe, *places):
        """Paste a form for `fit`, and pass its callback: the page calls it `watch`."""
        places = places or (("before", BEFORE_FIT), ("end",))
        script = self.paste(probe, *places[: len(FIT[probe].calls)], page=FIT)
        if "watch = " not in script.text:
            return script
        return script.edit("verbose=0)", "verbose=0, callbacks=[watch])")

    def put(self, call, how, line=""):
        """Put a call at one place of the script, indented like the line there."""
        if how == "end":
            return Script(self.text + call)
        indent = re.match(" *", line)[0]
        call = re.sub(r"^(?=.)", indent, call, flags=re.M)
        before, after = f"{call}{line}\n", f"{line}\n{call}"
        new = {"before": before, "after": after, "over": call}[how]
        return Script(f"\n{self.text}").edit(f"\n{line}\n", f"\n{new}")


def script(name):
    """One of the sound jobs in foreign/, which know nothing of the course."""
    return Script((HERE / "foreign" / f"{name}.py").read_text("utf-8"))


def plain(text):
    """Printed text without what is another at each run, such as times and ports."""
    for pattern, instead in (
        (r"\d{10}\.\d{3}", "TIME"),
        (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
        (r"\b(0e\+00|[1-9]e-(0[7-9]|[1-9]\d))\b", "ROUNDING"),
        (r"\x1b\[[\d;]*m", ""),
        (r"0x\w+", "THREAD"),
        (r'File "[^"]*", line \d+', "File LINE"),
        (r"\w+\.py:\d+", "LINE"),
        (r"\b\d+\.\d s\b", "SECONDS"),
        (r"\b\d+ reads in", "N reads in"),
        (r"'worker (\d)': \d+", r"'worker \1': AGE"),
        (r"rows do not fit: .*", "rows do not fit"),
        (r"fits: (?!262144$)\d+", "fits: FEWER"),
        (r"\d\.\d{5,}", lambda number: f"{float(number[0]):.3f}"),
    ):
        text = re.sub(pattern, instead, text)
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def printed(wanted, output):
    """Whether all lines of `wanted` stand in `output`, in this order."""
    lines = iter(plain(output))
    return all(line in lines for line in plain(wanted))


def shows(probe, which, output, alone=True, page=SECTIONS):
    """Assert that a run printed a text of a probe's section, 0 being the healthy one.

    alone: and that it printed no other one, healthy beside broken.
    page: SECTIONS, or FIT for the forms.
    """
    texts = page[probe].prints
    assert printed(texts[which], output), (
        f"{probe} was to print:\n{texts[which]}\nPrinted was:\n{output}"
    )
    others = texts[1:] if which == 0 else texts[:1]
    assert not alone or not any(printed(text, output) for text in others), probe
