"""The values for Kubernetes, as far as they can be tried without a cluster."""

import json
import os
import re
import subprocess
import sys
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
import yaml
from checkout import ROOT, clean_environment
from jupyter_server.services.config.manager import ConfigManager
from traitlets.config import Config

from autograder.places import COURSE_ID
from course.learner.progress import path as progress_path
from workshop import wall
from workshop.room.hub_settings import add_room, service_environment

FILE = ROOT / "binder" / "kubernetes.yaml"
TEXT = FILE.read_text()
VALUES = yaml.safe_load(TEXT)
HUB, LEARNER = VALUES["hub"], VALUES["singleuser"]
STORAGE, ENV = LEARNER["storage"], LEARNER["extraEnv"]
[ROOM] = HUB["extraContainers"]
ROOM_ENV = {each["name"]: each.get("value") for each in ROOM["env"]}
[SHOWN] = LEARNER["initContainers"]
INSTRUCTOR = "teacher"
PAGE = (ROOT / "docs" / "kubernetes.md").read_text()


def as_mapping(items):
    return {f"{i:02}": each for i, each in enumerate(items)}


def charts_config(form=list):
    """What the chart has made of the values when it comes to hub.extraConfig."""
    c = Config()
    for section, settings in HUB["config"].items():
        c[section].update(settings)
    c.Authenticator.admin_users = [INSTRUCTOR]
    home = {"mountPath": STORAGE["homeMountPath"], "name": "volume-{user_server}"}
    mounts = [{**home, "subPath": None}, *STORAGE["extraVolumeMounts"]]
    c.KubeSpawner.volume_mounts = form(mounts)
    c.KubeSpawner.init_containers = form([SHOWN])
    return c


def pod(name, exchange, form=list, starts=1):
    """What the hook makes of a spawner, with the exchange in a folder of ours."""
    code = HUB["extraConfig"]["course.py"]
    assert code.count('"/srv/exchange"') == 1
    code = code.replace('"/srv/exchange"', repr(str(exchange)))
    c = charts_config(form)
    exec(compile(code, "course.py", "exec"), {"c": c})
    spawner = SimpleNamespace(
        user=SimpleNamespace(name=name),
        image="course:1",
        environment=dict(ENV),
        cmd=LEARNER["cmd"],
        notebook_dir=c.KubeSpawner.notebook_dir,
        volume_mounts=c.KubeSpawner.volume_mounts,
        init_containers=c.KubeSpawner.init_containers,
    )
    for _ in range(starts):
        c.KubeSpawner.pre_spawn_hook(spawner)
    return spawner


def of_exchange(spawner, exchange):
    """Where which folder of the exchange is mounted, and whether it is read-only."""
    return {
        each["mountPath"].removeprefix(str(exchange)): (
            each.get("subPath"),
            each.get("readOnly", False),
        )
        for each in spawner.volume_mounts
        if each["name"] == "exchange"
    }


def test_what_must_be_filled_in_is_listed_at_the_top():
    top, _, rest = TEXT.partition("\nhub:\n")
    listed = re.findall(r"^#   (FILL_IN_\w+) ", top, re.M)
    assert set(listed) == set(re.findall(r"FILL_IN_\w+", rest))
    assert len(listed) == len(set(listed)) == 4
    assert set(re.findall(r"FILL_IN_\w+", PAGE)) == set(listed)


def test_the_live_view_is_what_add_room_writes():
    written = Config()
    written.Spawner.environment = {}
    add_room(
        written,
        instructors=HUB["config"]["Authenticator"]["admin_users"],
        command=None,
        url=HUB["services"]["room"]["url"],
        report_url=ENV["COURSE_ROOM_URL"],
    )
    ours = written.JupyterHub
    # the chart takes the key as the name, and adds the token
    services = [{"name": n, **each} for n, each in HUB["services"].items()]
    assert services == ours.services
    roles = [{"name": name, **role} for name, role in HUB["loadRoles"].items()]
    assert roles == ours.load_roles
    assert HUB["config"]["JupyterHub"]["custom_scopes"] == ours.custom_scopes
    needed = service_environment(url="", api_token="", api_url="")
    assert set(needed) <= set(ROOM_ENV)
    token = next(e for e in ROOM["env"] if e["name"] == "JUPYTERHUB_API_TOKEN")
    key = token["valueFrom"]["secretKeyRef"]["key"]
    assert key == f"hub.services.{services[0]['name']}.apiToken"


def test_ports_agree():
    [extra] = HUB["service"]["extraPorts"]
    [opened] = ROOM["ports"]
    policies = [
        *HUB["networkPolicy"]["ingress"],
        *VALUES["proxy"]["chp"]["networkPolicy"]["egress"],
        *LEARNER["networkPolicy"]["egress"],
    ]
    ports = {
        *(extra["port"], extra["targetPort"], opened["containerPort"]),
        *(port["port"] for policy in policies for port in policy["ports"]),
        urlsplit(ROOM_ENV["JUPYTERHUB_SERVICE_URL"]).port,
        urlsplit(HUB["services"]["room"]["url"]).port,
        urlsplit(ENV["COURSE_ROOM_URL"]).port,
    }
    assert len(ports) == 1
    assert len(policies) == 3
    urls = (ENV["COURSE_ROOM_URL"], HUB["services"]["room"]["url"])
    assert {urlsplit(url).hostname for url in urls} == {"hub"}
    assert not any(LEARNER["networkPolicy"]["egressAllowRules"].values())


def test_volumes_and_mounts_agree():
    hubs = {each["name"] for each in HUB["extraVolumes"]}
    mounted = [*HUB["extraVolumeMounts"], *ROOM["volumeMounts"]]
    assert {each["name"] for each in mounted} == hubs
    theirs = {each["name"] for each in STORAGE["extraVolumes"]}
    used = {each["name"] for each in STORAGE["extraVolumeMounts"]}
    assert {*used, "exchange"} == theirs
    claims = {
        each["persistentVolumeClaim"]["claimName"]
        for each in (*HUB["extraVolumes"], *STORAGE["extraVolumes"])
        if each["name"] == "exchange"
    }
    assert claims == {"FILL_IN_EXCHANGE"}
    [kept] = ROOM["volumeMounts"]
    assert os.path.split(ROOM_ENV["COURSE_ROOM_STATE"])[0] == kept["mountPath"]
    assert HUB["extraVolumeMounts"][0]["mountPath"] == wall.EXCHANGE


def test_paths_are_those_of_repo2docker():
    from repo2docker.buildpacks.conda import CondaBuildPack

    build, known = CondaBuildPack("ubuntu"), {}
    build.platform = "linux/amd64"
    for name, value in build.get_build_env():
        known[name] = re.sub(r"\$\{(\w+)\}", lambda m: known.get(m[1], m[0]), value)
    prefix = known["NB_PYTHON_PREFIX"]
    assert ROOM["command"][0] == f"{prefix}/bin/python"
    mounts = {e["mountPath"]: e["subPath"] for e in STORAGE["extraVolumeMounts"]}
    assert mounts[f"{prefix}/etc/jupyter"] == "learner/etc"
    assert mounts[f"{prefix}/bin/course"] == "learner/course"
    assert SHOWN["workingDir"] in mounts
    assert SHOWN["workingDir"] == "/home/jovyan"  # without --target-repo-dir
    assert "--target-repo-dir" not in PAGE


def test_what_a_learner_keeps_lies_on_the_learners_volume(monkeypatch):
    home = STORAGE["homeMountPath"]
    assert ENV["HOME"] == home
    assert HUB["config"]["KubeSpawner"]["notebook_dir"] == f"{home}/notebooks"
    assert not home.startswith(SHOWN["workingDir"])
    monkeypatch.setenv("COURSE_DATA_DIR", ENV["COURSE_DATA_DIR"])
    assert progress_path().is_relative_to(home)


def test_a_learner_sees_the_course_and_nothing_else_of_the_repository(tmp_path):
    shell, option, script = SHOWN["command"]
    [mount] = SHOWN["volumeMounts"]
    script = script.replace(mount["mountPath"] + "/", f"{tmp_path}/")
    for _ in range(2):  # a pod may begin anew on its volume
        subprocess.run([shell, option, script], cwd=ROOT, check=True, timeout=60)
    seen = tmp_path / "repository"
    assert {each.name for each in seen.iterdir()} == {"course", "binder", "workshop"}
    shown = {each.name for each in (seen / "workshop").iterdir()}
    assert shown == {each.name for each in wall.SHOWN}
    assert (seen / "binder" / "start").is_file()
    for each in STORAGE["extraVolumeMounts"]:
        assert (tmp_path / each["subPath"]).exists()
        top = each["mountPath"] == wall.EXCHANGE
        assert each.get("readOnly", False) is not top
    # the settings of the workshop on one machine, file for file
    for each in wall.SETTINGS.rglob("*"):
        if each.is_file():
            copy = tmp_path / "learner" / each.relative_to(wall.SETTINGS)
            assert copy.read_bytes() == each.read_bytes()
            assert copy.stat().st_mode == each.stat().st_mode
    hidden = {"solutions", "autograder", "tests"}
    assert hidden <= {each.name for each in ROOT.iterdir()}


def test_jupyter_leaves_out_what_is_of_one_machine_only(tmp_path):
    [extra] = LEARNER["extraFiles"].values()
    folder, name = os.path.split(extra["mountPath"])
    assert folder == ENV["JUPYTER_CONFIG_PATH"]
    (tmp_path / name).write_text(json.dumps(extra["data"]))
    # binder/start puts its folder in front; sys.prefix/etc/jupyter comes last
    order = [str(ROOT / "binder"), str(tmp_path), str(wall.SETTINGS / "etc")]
    # as the server itself finds its extensions
    read = ConfigManager(read_config_path=order).get(os.path.splitext(name)[0])
    own = json.loads((wall.SETTINGS / "etc" / name).read_text())["ServerApp"]
    wanted = {**own["jpserver_extensions"], "workshop.inside.server": False}
    assert read["ServerApp"]["jpserver_extensions"] == wanted
    assert wanted["workshop.inside.live_view"] is wanted["course.kernels.warm"] is True
    assert read["ServerApp"]["terminals_enabled"] is False
    assert read["MappingKernelManager"]["cull_idle_timeout"] == 1200


def test_the_server_starts_in_a_folder_that_is_there(tmp_path):
    program = tmp_path / "bin" / "jupyterhub-singleuser"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "started $*"\nls -d "$HOME/notebooks"\n')
    program.chmod(0o755)
    home = tmp_path / "home"
    path = f"{program.parent}:{os.environ['PATH']}"
    env = clean_environment(HOME=str(home), PATH=path)
    command = [sys.executable, *LEARNER["cmd"][1:], "--one=1"]
    said = subprocess.run(
        command, env=env, capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert said == f"started --one=1\n{home}/notebooks\n"


@pytest.mark.parametrize("form", [list, as_mapping])
def test_each_learner_has_a_part_of_the_exchange(tmp_path, form):
    name = "ada@example.org"
    spawner = pod(name, tmp_path, form, starts=2)
    assert of_exchange(spawner, tmp_path) == {
        f"/{COURSE_ID}/inbound": (f"{COURSE_ID}/inbound/{name}", False),
        f"/{COURSE_ID}/outbound": (f"{COURSE_ID}/outbound", True),
        f"/{COURSE_ID}/feedback": (f"{COURSE_ID}/feedback/{name}", True),
    }
    for mount in spawner.volume_mounts:
        if mount["name"] == "exchange":  # the hub made it, as its owner
            assert (tmp_path / mount["subPath"]).is_dir()
    charts = charts_config().KubeSpawner.volume_mounts
    assert spawner.volume_mounts[: len(charts)] == charts
    assert len(spawner.volume_mounts) == len(charts) + 3
    assert spawner.cmd == LEARNER["cmd"]
    assert spawner.environment == ENV


@pytest.mark.parametrize("form", [list, as_mapping])
def test_the_instructor_has_all_of_it_and_the_course(tmp_path, form):
    spawner = pod(INSTRUCTOR, tmp_path, form, starts=2)
    assert of_exchange(spawner, tmp_path) == {"": (None, False)}
    made = {each.name for each in (tmp_path / COURSE_ID).iterdir()}
    assert made == {"inbound", "outbound", "feedback"}
    mounts = {each["mountPath"]: each for each in spawner.volume_mounts}
    assert set(mounts) == {"/home/learner", "/home/jovyan", str(tmp_path)}
    assert mounts["/home/jovyan"]["name"] == mounts["/home/learner"]["name"]
    assert mounts["/home/jovyan"]["subPath"] == "course"
    assert spawner.notebook_dir == "/home/jovyan"
    assert spawner.environment["COURSE_EXCHANGE"] == str(tmp_path)
    [copies] = spawner.init_containers
    assert copies["image"] == spawner.image
    # KubeSpawner reads braces as its own
    assert not re.search("[{}]", json.dumps(copies["command"]))


def test_the_instructors_course_is_the_images_and_the_class_s_work_stays(tmp_path):
    image, own = tmp_path / "image", tmp_path / "own"
    (image / "autograder").mkdir(parents=True)
    (image / "autograder" / "cli.py").write_text("old")
    (image / "autograder" / "cli.py").chmod(0o444)  # as git's objects are
    own.mkdir()
    [copies] = pod(INSTRUCTOR, tmp_path / "exchange").init_containers
    shell, option, script = copies["command"]
    script = script.replace("/own/", f"{own}/")
    subprocess.run([shell, option, script], cwd=image, check=True, timeout=20)
    work = own / "course" / "autograder" / "submitted"
    work.mkdir()
    (image / "autograder" / "cli.py").chmod(0o644)
    (image / "autograder" / "cli.py").write_text("new")
    subprocess.run([shell, option, script], cwd=image, check=True, timeout=20)
    assert (own / "course" / "autograder" / "cli.py").read_text() == "new"
    assert work.is_dir()


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../ada",
        "a/b",
        "/ada",
        "Ada",
        "{x}",
        "a+b",
        "a*",
        "b\n",
        "a" * 65,
    ],
)
def test_a_name_that_is_no_folder_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match="name of a folder"):
        pod(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_page_shows_commands_that_are_there():
    assert len(PAGE.splitlines()) <= 120
    for name in re.findall(r"\b[\w/-]+\.(?:yaml|txt|toml|py)\b", PAGE):
        assert (ROOT / name).exists(), name
    for module, name in re.findall(r"(workshop[\w.]*) import (\w+)", PAGE):
        assert (ROOT / module.replace(".", "/") / f"{name}.py").exists()
