"""Ctrl-C while a client sends a byte now and then: python slow-client.py HEDDLE TRACE"""
import re
import signal
import socket
import subprocess
import sys
import time

process = subprocess.Popen(
    [sys.argv[1], "open", sys.argv[2], "--no-browser"], stdout=subprocess.PIPE, text=True
)
port = int(re.search(r":(\d+)/", process.stdout.readline()).group(1))
with socket.create_connection(("127.0.0.1", port)) as client:
    client.sendall(b"G")
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    for _ in range(300):
        if process.poll() is not None:
            break
        try:
            client.sendall(b"E")
        except OSError:
            pass
        time.sleep(0.05)
print("ended" if process.poll() is not None else "waits")
process.kill()
