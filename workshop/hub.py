"""The hub: JupyterHub, and a socket for learners' sessions, which have no network."""

from jupyterhub.app import JupyterHub
from tornado.netutil import bind_unix_socket
from traitlets import Unicode

from autograder.open_files import allow_many_files

LARGEST_BODY = 2**20  # bytes
BODY_SECONDS = 10


class RoomHub(JupyterHub):
    """JupyterHub that listens in a second place.

    The proxy comes by TCP: configurable-http-proxy 5.3 ends a request over a Unix
    socket with an empty write, and where the hub has answered and closed by then, its
    user gets error 503 (seen in one of 500 sign-ins).
    """

    session_socket = Unicode(help="Path of the Unix socket for sessions.").tag(
        config=True
    )

    async def start(self) -> None:
        """Start as JupyterHub does, then listen for sessions too."""
        allow_many_files()
        await super().start()
        if self.http_server:
            # what a session sends is read before anybody asks who it is
            self.http_server.conn_params.max_body_size = LARGEST_BODY
            self.http_server.conn_params.body_timeout = BODY_SECONDS
            socket = bind_unix_socket(self.session_socket, 0o600)
            self.http_server.add_socket(socket)


if __name__ == "__main__":
    RoomHub.launch_instance()
