"""The hub's configuration: JupyterHub reads this file.

COURSE_WORKSHOP names the workshop's folder; all else stands in its options.
"""

import os
from pathlib import Path
from urllib.parse import quote

import workshop
from workshop import accounts, options
from workshop.folders import Folders
from workshop.room.hub_settings import add_room, session_host
from workshop.spawner import RoomSpawner

POLL_SECONDS = 5  # between looks at sessions and proxy

c = get_config()  # noqa: F821 - JupyterHub defines it
folders = Folders(Path(os.environ["COURSE_WORKSHOP"]))
chosen = options.load(folders)

c.JupyterHub.bind_url = chosen.url
if chosen.subdomains:
    c.JupyterHub.subdomain_host = chosen.public.rstrip("/")
    c.JupyterHub.subdomain_hook = session_host
c.JupyterHub.hub_bind_url = chosen.hub_url
c.RoomHub.session_socket = str(folders.hub_socket)
c.JupyterHub.db_url = f"sqlite:///{folders.database}"
c.JupyterHub.cookie_secret_file = str(folders.private / "cookie_secret")
c.ConfigurableHTTPProxy.should_start = False  # it lives longer than the hub
c.ConfigurableHTTPProxy.api_url = (
    f"http+unix://{quote(str(folders.proxy_socket), safe='')}"
)
c.ConfigurableHTTPProxy.auth_token = chosen.proxy_secret
c.JupyterHub.last_activity_interval = POLL_SECONDS  # a new proxy gets its routes
# learners work on while the hub is away
c.JupyterHub.cleanup_servers = False
c.JupyterHub.cleanup_proxy = False

c.JupyterHub.authenticator_class = accounts.Accounts
c.Accounts.listed = {n: a.password for n, a in accounts.known(folders).items()}
c.Accounts.enable_signup = bool(chosen.register)
c.Accounts.open_signup = chosen.register == "open"
c.Accounts.allow_all = True  # everybody with an account that is approved
c.Accounts.admin_users = {chosen.instructor}

c.JupyterHub.spawner_class = RoomSpawner
c.RoomSpawner.folders, c.RoomSpawner.options = folders, chosen
c.RoomSpawner.poll_interval = POLL_SECONDS
c.RoomSpawner.env_keep = ["LANG", "LC_ALL", "PATH"]
c.RoomSpawner.interrupt_timeout = 1
c.RoomSpawner.term_timeout = 10
c.RoomSpawner.start_timeout = 120
c.RoomSpawner.http_timeout = 120
c.JupyterHub.concurrent_spawn_limit = 0  # all come at once, and a start is a fork
add_room(
    c,
    instructors=[chosen.instructor],
    command=None,  # it lives longer than the hub
    url=f"http://127.0.0.1:{chosen.room_port}",
    api_token=chosen.secret,
)
c.JupyterHub.template_paths = [str(Path(workshop.__file__).parent / "hub_pages")]
if chosen.register:
    c.JupyterHub.template_vars = {
        "announcement_login": 'New here? <a href="/hub/signup">Register.</a>'
    }
c.JupyterHub.shutdown_on_logout = False
