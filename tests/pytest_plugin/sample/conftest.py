"""pytest puts the folder of this file on the path, so that `agents` is found."""
