"""A browser's part in `heddle open`: python open-client.py HEDDLE TRACE OUT [OPTION...]

Starts the command, asks for what it must and must not give, writes the trace that it serves to OUT,
says that it arrived, and waits for the end.
"""
import re
import socket
import subprocess
import sys

heddle, trace, out, *options = sys.argv[1:]
process = subprocess.Popen(
    [heddle, "open", trace, "--no-browser", "--once", *options],
    stdout=subprocess.PIPE,
    stderr=subprocess.PIPE,
    text=True,
)
address = process.stdout.readline().strip()
port, path = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32}/)", address).groups()


def ask(request, host="localhost:9"):
    with socket.create_connection(("127.0.0.1", int(port)), timeout=20) as s:
        s.sendall(f"{request} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        answer = b""
        while block := s.recv(1 << 16):
            answer += block
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.decode().split("\r\n")[0].split()[1], head.decode().lower(), body


def show(what, answer):
    print(what, answer[0], len(answer[2]) and "body" or "empty")


idle = socket.create_connection(("127.0.0.1", int(port)))  # browsers open some ahead
page = ask(f"GET {path}")
show("page:", page)
print("interpreter of the page:", re.search(r"content-type: (\S+);", page[1]).group(1))
text = page[2].decode()
print(re.search(r"const ui = .*", text).group(0))
show("without the secret:", ask("GET /"))
show("wrong secret:", ask("GET /" + "0" * 32 + "/trace.json"))
show("as another site:", ask(f"GET {path}trace.json", host="evil.example"))
show("as IPv6:", ask(f"HEAD {path}trace.json", host="[::1]:7"))
show("another file:", ask(f"GET {path}../../etc/passwd"))
show("another method:", ask(f"PUT {path}trace.json"))
show("a long request:", ask(f"GET {path}{'x' * 20000}"))
file = ask(f"GET {path}trace.json?again")
show("trace:", file)
with open(out, "wb") as f:
    f.write(file[2])
show("done:", ask(f"POST {path}done"))
idle.close()
print("exit", process.wait(timeout=60))
print(process.stderr.read(), end="")
