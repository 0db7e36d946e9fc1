"""Writes the room into a JupyterHub's configuration."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jupyterhub.utils import subdomain_hook_idna
from traitlets.config import Config, LazyConfigValue

NAME = "room"
INSTRUCT = "custom:room:instruct"
ACCESS = f"access:services!service={NAME}"
COMMAND = (sys.executable, "-m", "workshop.room")
# what JupyterHub itself gives these roles; naming a role replaces it
_USUAL = {
    "user": ["self"],
    "server": ["users:activity!user", "access:servers!server"],
}


def add_room(
    c: Config,
    *,
    instructors: Iterable[str],
    command: Sequence[str] | None = COMMAND,
    url: str = "http://127.0.0.1:0",
    environment: Mapping[str, str] | None = None,
    api_token: str = "",
    report_url: str = "",
) -> None:
    """Add the service, its scope and its roles to `c`; what is there already stays.

    Args:
        c: the hub's configuration.
        instructors: names of those who see the room.
        command: starts the service; None where something else does.
        url: where the service listens for the proxy: the hub takes no socket here.
            With port 0 it chooses one.
        environment: of the service: COURSE_ROOM_SOCKET, COURSE_ROOM_STATE.
        api_token: the service's own; needed where the hub does not start it.
        report_url: what learners' servers are told as COURSE_ROOM_URL; it ends with
            a slash. "" leaves their environment alone.
    """
    service: dict[str, Any] = {
        "name": NAME,
        "url": url,
        "display": True,
        "oauth_no_confirm": True,
        "oauth_client_allowed_scopes": [INSTRUCT],
    }
    if command is not None:
        service |= {"command": list(command), "environment": dict(environment or {})}
    if api_token:
        service["api_token"] = api_token
    hub = c.JupyterHub
    hub.services = [*_present(hub, "services", []), service]
    hub.custom_scopes = {
        **_present(hub, "custom_scopes", {}),
        INSTRUCT: {"description": "See the room, and lead its votes"},
    }
    roles = list(_present(hub, "load_roles", []))
    for name, usual in _USUAL.items():
        roles = _granted(roles, name, usual)
    instructing = {
        "name": "room-instructor",
        "description": "Sees the room, and leads its votes",
        "scopes": [INSTRUCT],
        "users": sorted(instructors),
    }
    hub.load_roles = [*roles, instructing]
    if report_url:
        told = {**_present(c.Spawner, "environment", {}), "COURSE_ROOM_URL": report_url}
        c.Spawner.environment = told


def session_host(name: str, domain: str, kind: str) -> str:
    """Return the host of somebody's session; the room stays at the hub's own.

    JupyterHub calls it where `subdomain_host` is set. Learners can write pages for
    their own host only, and hub and room are not there.
    """
    return subdomain_hook_idna(name, domain, kind) if kind == "user" else domain


def service_environment(
    *, url: str, api_token: str, api_url: str, base_url: str = "/"
) -> dict[str, str]:
    """Return what the service needs to know where the hub does not start it.

    Args:
        url: as given to `add_room`, with its port.
        api_token: as given to `add_room`.
        api_url: the hub's own, such as http://127.0.0.1:8081/hub/api.
        base_url: of the hub, with a slash at its end.
    """
    return {
        "JUPYTERHUB_SERVICE_URL": url,
        "JUPYTERHUB_API_TOKEN": api_token,
        "JUPYTERHUB_API_URL": api_url,
        "JUPYTERHUB_BASE_URL": base_url,
    }


def _granted(roles: list[dict], name: str, usual: list[str]) -> list[dict]:
    """Return `roles` in which the one called `name` may reach the room."""
    named = [role for role in roles if role["name"] == name]
    role = named[-1] if named else {"name": name, "scopes": usual}
    others = [each for each in roles if each["name"] != name]
    return [*others, {**role, "scopes": [*role["scopes"], ACCESS]}]


def _present(section: Config, name: str, default: Any) -> Any:
    """Return what `section` already says about `name`."""
    value = section.get(name, default)
    return value.get_value(default) if isinstance(value, LazyConfigValue) else value
