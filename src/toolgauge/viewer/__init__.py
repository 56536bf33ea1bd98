"""Looking at runs in a browser: a server for this machine over the store and run files. It needs the extra `viewer`."""

from toolgauge.web import Place, listen, serve

from .library import Library
from .server import make_server

__all__ = ["Library", "Place", "listen", "make_server", "serve"]
