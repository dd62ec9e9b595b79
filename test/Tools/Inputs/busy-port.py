"""Runs a command with --port=N, a port that is taken."""
import socket
import subprocess
import sys

with socket.create_server(("127.0.0.1", 0)) as taken:
    port = taken.getsockname()[1]
    subprocess.run([*sys.argv[1:], f"--port={port}"], check=False)
