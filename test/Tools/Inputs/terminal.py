"""What the command does on a terminal: run by terminal.test."""
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time

TRACE = """trace {
  rank 0 {
    thread 1 {
      cpu_op "\\x1B[31mred\\x07" at 0 for 50000
      runtime "cudaLaunchKernel" at 900 for 5000 -> %k0
    }
    stream 7 device 0 {
      %k0 = kernel "\\x1B[31mred\\x07" at 10000 for 20000
    }
  }
}
"""


def start(args, stdin=subprocess.DEVNULL, stdout=None, stderr=None, **env):
    """Starts heddle; None is a new terminal. Returns the process and the terminal's other end."""
    master, slave = pty.openpty()
    full = {**os.environ, "TERM": "xterm", **env}
    full = {k: v for k, v in full.items() if v is not None}

    def restore():  # a background job of a shell ignores Ctrl-C
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    process = subprocess.Popen(
        ["heddle", *args], stdin=stdin, stdout=slave if stdout is None else stdout,
        stderr=slave if stderr is None else stderr, env=full, preexec_fn=restore)
    os.close(slave)
    return process, master


def drain(master):
    data = b""
    while True:
        try:
            block = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not block:
            break
        data += block
    os.close(master)
    return data


def run(args, **kwargs):
    process, master = start(args, **kwargs)
    return drain(master), process.wait()


def check(condition, what, data=b""):
    if not condition:
        sys.exit(f"{what}: {data!r}")


def main():
    folder = tempfile.mkdtemp()
    trace = os.path.join(folder, "t.ht")
    with open(trace, "w", encoding="utf-8") as file:
        file.write(TRACE)

    # Colour in messages, unless NO_COLOR says no or this is no terminal.
    out, code = run(["opt", "/nowhere"], NO_COLOR=None)
    check(code == 1 and b"\x1b[1;31merror" in out, "colour", out)
    out, _ = run(["opt", "/nowhere"], NO_COLOR="1")
    check(b"\x1b" not in out and b"error: " in out, "NO_COLOR", out)
    out, _ = run(["opt", "/nowhere"], NO_COLOR=None, TERM="dumb")
    check(b"\x1b" not in out, "dumb terminal", out)

    # Names cannot send control characters to a terminal; to a pipe they go as they are.
    table = ["opt", trace, "-p", "kernels", "--emit=csv", "--table=kernels"]
    out, code = run(table, NO_COLOR="1")
    check(code == 0 and b"\x1b" not in out and b"\\x1B[31mred\\x07" in out, "escaping", out)
    raw = subprocess.run(["heddle", *table], capture_output=True, check=True).stdout
    check(b"\x1b[31mred\x07" in raw, "no escaping in a pipe", raw)
    out, code = run(["report", trace], NO_COLOR=None)
    check(code == 0 and b"\x07" not in out and b"\x1b[31mred" not in out, "report", out)

    # Bytes that are no text do not go there.
    out, code = run(["opt", trace, "--emit=hb"])
    check(code == 2 and b"which no terminal shows" in out and b"\x89HB" not in out, "hb", out)

    # Short work shows no progress; long work does, and Ctrl-C ends it without a file.
    result = os.path.join(folder, "out.ht")
    out, code = run(["opt", trace, "-S", "-o", result])
    check(code == 0 and out == b"", "quiet", out)
    os.remove(result)
    read, write = os.pipe()
    process, master = start(["opt", "-", "-S", "-o", result], stdin=read)
    os.close(read)
    os.write(write, b'{"traceEvents":[\n')
    line = b'{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":2},\n' * 100
    end = time.monotonic() + 60
    interrupted = 0
    try:
        while time.monotonic() < end:
            os.write(write, line)
            time.sleep(0.01)
            if not interrupted and time.monotonic() > end - 58:
                process.send_signal(signal.SIGINT)
                interrupted = 1
    except BrokenPipeError:
        pass
    os.close(write)
    out = drain(master)
    code = process.wait()
    check(code == 130, f"interrupted, exit {code}", out)
    check(b"heddle: reading -" in out, "progress", out)
    check(out.rstrip().endswith(b"interrupted"), "the message is last", out)
    check(os.listdir(folder) == ["t.ht"], f"half-written files: {os.listdir(folder)}")


main()
