"""Asks the warm process to be the program that this file is called as; it starts in no time."""

import json
import os
import signal
import socket
import sys

with socket.socket(socket.AF_UNIX) as door:
    door.connect(os.environ["DOCS_DOOR"])
    asked = json.dumps(
        {
            "program": os.path.basename(sys.argv[0]),  # noqa: PTH119 - pathlib takes longer
            "words": sys.argv[1:],
            "folder": os.getcwd(),  # noqa: PTH109 - the same
            "environment": dict(os.environ),
        }
    ).encode()
    socket.send_fds(door, [len(asked).to_bytes(4)], [0, 1, 2])
    door.sendall(asked)
    program = int.from_bytes(door.recv(4))
    signal.signal(signal.SIGTERM, lambda *_: os.kill(program, signal.SIGTERM))
    sys.exit(int.from_bytes(door.recv(1) or b"\x01"))
