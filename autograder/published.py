"""Where the repository is published: addresses that open it on Colab and Binder.

`course publish` writes autograder/published.toml; the build makes the Colab notebooks
and the badges of it. Without that file nothing is published, and nothing links there.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from autograder.places import CourseError, Places
from autograder.toml_files import read_toml
from course.whole_files import write_whole

START = "00_start_here"
GITHUB = "github"
BINDER_BADGE = "https://mybinder.org/badge_logo.svg"
COLAB_BADGE = "https://colab.research.google.com/assets/colab-badge.svg"
OTHERWISE = "upload a notebook from colab/ on https://colab.research.google.com"


@dataclass(frozen=True)
class Published:
    """A repository that others can fetch.

    host: "github" or "gitlab".
    repository: such as OWNER/NAME.
    branch: what is fetched, such as "main".
    """

    host: str
    repository: str
    branch: str

    @property
    def has_colab(self) -> bool:
        """Whether Colab can open its notebooks."""
        return self.host == GITHUB

    @property
    def address(self) -> str:
        """Where it is cloned from."""
        return f"https://{self.host}.com/{self.repository}"

    @property
    def archive(self) -> str:
        """The address of the branch's files as a zip, which pip can install."""
        if self.host == GITHUB:
            return f"{self.address}/archive/refs/heads/{self.branch}.zip"
        name = self.repository.rpartition("/")[2]
        return f"{self.address}/-/archive/{self.branch}/{name}.zip"

    def file(self, path: str) -> str:
        """The address of a file's page."""
        between = "" if self.host == GITHUB else "/-"
        return f"{self.address}{between}/blob/{self.branch}/{path}"

    def on_binder(self, name: str = START) -> str:
        """The address that launches the course on Binder, and opens a notebook."""
        first = f"lab/tree/notebooks/{name}/{name}.ipynb"
        github = self.host == GITHUB
        where = self.repository if github else quote(self.repository, safe="")
        start = f"https://mybinder.org/v2/{'gh' if github else 'gl'}/{where}/HEAD"
        return f"{start}?urlpath={quote(first, safe='')}"

    def on_colab(self, name: str = START) -> str:
        """The address that opens a notebook in Colab.

        Raises CourseError where the repository is not on GitHub: Colab opens no other.
        """
        if not self.has_colab:
            raise CourseError(
                f"Colab opens notebooks from GitHub, and {self.repository} is on "
                f"GitLab. Learners there {OTHERWISE}."
            )
        top = f"https://colab.research.google.com/github/{self.repository}"
        return f"{top}/blob/{self.branch}/colab/{name}.ipynb"


def badge(name: str, picture: str, address: str) -> str:
    """A picture that links, in Markdown."""
    return f"[![{name}]({picture})]({address})"


def binder_badge(published: Published) -> str:
    """Binder's own picture, which launches the course."""
    return badge("Binder", BINDER_BADGE, published.on_binder())


def colab_badge(published: Published, name: str = START) -> str:
    """Colab's own picture, which opens a notebook."""
    return badge("Open in Colab", COLAB_BADGE, published.on_colab(name))


def read_published(places: Places) -> Published | None:
    """Return what `course publish` wrote, or None where it did not.

    Raises CourseError where the file is not as it was written.
    """
    said = read_toml(places.published)
    try:
        return Published(**said) if said else None
    except TypeError:
        raise CourseError(
            f"{places.published} must have host, repository and branch: "
            "write it with `course publish`."
        ) from None


def write_published(places: Places, published: Published) -> None:
    """Keep it for the next builds."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in vars(published).items()]
    head = "# Written by `course publish`: where Colab and Binder fetch the course.\n"
    text = head + "\n".join(lines) + "\n"
    write_whole(places.published, text.encode())


def of_origin(places: Places, branch: str | None = None) -> Published:
    """What the git remote `origin` says; the branch is its main one, or the current.

    Raises CourseError where there is no such remote, or on another host.
    """
    remote = _git(places.root, "remote", "get-url", "origin")
    if not remote:
        raise CourseError(
            f"{places.root} has no git remote called origin, so nobody can fetch it. "
            "Publish the repository on GitHub or GitLab, then: git remote add origin "
            "ADDRESS"
        )
    head = _git(places.root, "symbolic-ref", "--short", "refs/remotes/origin/HEAD")
    current = _git(places.root, "symbolic-ref", "--short", "HEAD")
    main = head.removeprefix("origin/")
    return at_address(remote, branch or main or current or "main")


def at_address(remote: str, branch: str) -> Published:
    """What a GitHub or GitLab remote address says."""
    parts = re.fullmatch(
        r"(?:https?://|ssh://)?(?:[^@/]+@)?(github|gitlab)\.com[:/](.+?)(?:\.git)?/?",
        remote,
    )
    if parts is None:
        raise CourseError(
            f"The remote {without_secrets(remote)} is neither on GitHub nor on GitLab. "
            f"For other hosts, fill in the form on https://mybinder.org; {OTHERWISE}."
        )
    return Published(*parts.groups(), branch)


def without_secrets(remote: str) -> str:
    """A remote address without the user name and token it may hold."""
    return re.sub(r"//[^@/]+@", "//", remote)


def _git(root: Path, *words: str) -> str:
    """What a git command says; "" where it fails."""
    command = ["git", "-C", str(root), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""
