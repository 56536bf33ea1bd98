"""Looking at runs in a browser: a server for this machine over the store and run files. It needs the extra `viewer`."""

from .library import Library
from .server import Place, listen, make_server, serve

__all__ = ["Library", "Place", "listen", "make_server", "serve"]
