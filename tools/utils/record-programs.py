#!/usr/bin/env python3
"""Record small programs with torch.profiler, and torch's own figures beside them.

usage: record-programs.py [--only=NAME,...] <folder>

Writes, for each program, rank and cycle, NAME.pt.trace.json.gz as the profiler exports it and
NAME.key_averages.json: what key_averages() says of the same recording, in integer nanoseconds, and
how it was made. Programs whose name begins with cuda- need a device and are left out without one.
Needs torch; nothing else of Heddle's tests does. See test/Inputs/recorded/README.md.
"""
import gzip
import json
import os
import platform
import sys
import tempfile
import threading

import torch
import torch.distributed
import torch.multiprocessing
from torch._C._profiler import _ExperimentalConfig
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from torch.utils.data import DataLoader, TensorDataset

PROGRAMS = {}


def program(name, **options):
    """Registers a function that is run under the profiler, which it gets as its argument."""

    def register(function):
        PROGRAMS[name] = (function, options)
        return function

    return register


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, 2 * width)
        self.down = torch.nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


def make_model(device="cpu"):
    torch.manual_seed(0)
    model = torch.nn.Sequential(Block(16), Block(16), torch.nn.Linear(16, 4)).to(device)
    return model, torch.optim.SGD(model.parameters(), lr=0.01)


def make_loader(batches, pinned=False, workers=0):
    data = TensorDataset(torch.randn(batches * 8, 16), torch.randint(0, 4, (batches * 8,)))
    return DataLoader(data, batch_size=8, num_workers=workers, pin_memory=pinned)


def train(profiler, steps, device="cpu", read_loss=False, workers=0, wrap=lambda model: model):
    model, optimizer = make_model(device)
    model = wrap(model)
    for x, y in make_loader(steps, device != "cpu", workers):
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        with record_function("forward"):
            loss = torch.nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if read_loss:
            loss.item()
        profiler.step()


@program("train-stacks", with_stack=True, record_shapes=True, profile_memory=True)
def train_stacks(profiler):
    train(profiler, 2)


@program("train-loader", record_shapes=True)
def train_loader(profiler):
    train(profiler, 4, read_loss=True)


@program("train-workers", record_shapes=True)
def train_workers(profiler):
    train(profiler, 4, workers=2)


@program("train-cycles", schedule=schedule(wait=1, warmup=1, active=2, repeat=2))
def train_cycles(profiler):
    train(profiler, 8)


@program("threads", all_threads=True)
def threads(profiler):
    def work(number):
        x = torch.ones(8, 8)
        with record_function(f"worker {number}"):
            for _ in range(5):
                x = torch.relu(x @ x) / 8

    workers = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    work("main")


@program("empty")
def empty(profiler):
    pass


@program("names")
def names(profiler):
    for name in ('quoted "batch one" ##', "a tab\there", "a line\nbreak", "back\\slash C:\\temp",
                 "Umlaut äöü 漢字 😀", "control \x01 and \x1b[31mred", "", " spaces ", "x" * 3000,
                 "{}[],:", "</script><b>", "ProfilerStep#7", "ProfilerStep#seven"):
        with record_function(name):
            torch.ones(2).add_(1)


@program("nested")
def nested(profiler):
    with record_function("outer"):
        with record_function("outer"):
            torch.ones(4).sum()
        for _ in range(3):
            with record_function("inner"):
                torch.ones(4, 4).softmax(0).sum()
    with record_function("single"):
        with record_function("single"):  # the only child, and of the same name: torch folds it
            torch.ones(4).sum()


@program("collectives")
def collectives(profiler):
    import torch.distributed as dist

    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    x = torch.ones(64)
    for _ in range(3):
        dist.all_reduce(x)
    dist.barrier()
    dist.destroy_process_group()


@program("train-ddp", ranks=2, record_shapes=True)
def train_ddp(profiler):
    train(profiler, 3, wrap=torch.nn.parallel.DistributedDataParallel)


@program("compiled")
def compiled(profiler):
    @torch.compile
    def function(x, w):
        return torch.nn.functional.gelu(x @ w).sum(1).relu()

    w = torch.ones(16, 16, requires_grad=True)
    for _ in range(3):  # the first step compiles
        function(torch.ones(8, 16), w).sum().backward()
        profiler.step()


@program("cuda-train", with_stack=True, record_shapes=True, profile_memory=True)
def cuda_train(profiler):
    train(profiler, 4, "cuda", read_loss=True)


@program("cuda-streams")
def cuda_streams(profiler):
    side = torch.cuda.Stream()
    a = torch.randn(512, 512, device="cuda")
    for _ in range(3):
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            b = a @ a
        c = a + 1
        torch.cuda.current_stream().wait_stream(side)
        (b + c).sum().item()
        profiler.step()
    torch.cuda.synchronize()


@program("cuda-copies")
def cuda_copies(profiler):
    pageable, pinned = torch.randn(1 << 18), torch.randn(1 << 18).pin_memory()
    for _ in range(3):
        pageable.to("cuda")
        on_device = pinned.to("cuda", non_blocking=True)
        on_device.cpu()
        pinned.copy_(on_device, non_blocking=True)
        on_device.clone().zero_()
        event = torch.cuda.Event()
        event.record()
        event.synchronize()
        profiler.step()


@program("cuda-graph")
def cuda_graph(profiler):
    x = torch.randn(64, 64, device="cuda")
    warm = torch.cuda.Stream()
    with torch.cuda.stream(warm):
        (x @ x).relu()
    torch.cuda.current_stream().wait_stream(warm)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x
        for _ in range(5):
            y = (y @ x).relu()
    for _ in range(4):
        graph.replay()
        profiler.step()
    torch.cuda.synchronize()


def nanoseconds(microseconds):
    return round(microseconds * 1000)


def averages(profiler):
    rows = []
    for row in profiler.key_averages():
        entry = {"name": row.key, "calls": row.count,
                 "total_ns": nanoseconds(row.cpu_time_total),
                 "self_ns": nanoseconds(row.self_cpu_time_total)}
        if getattr(row, "is_user_annotation", False):
            entry["is_user_annotation"] = True
        if getattr(row, "device_time_total", 0):
            entry["device_total_ns"] = nanoseconds(row.device_time_total)
            entry["device_self_ns"] = nanoseconds(row.self_device_time_total)
        rows.append(entry)
    return sorted(rows, key=lambda entry: entry["name"])


def record_rank(rank, folder, name, store):
    """One process of a program that has several."""
    torch.set_num_threads(1)
    ranks = PROGRAMS[name][1]["ranks"]
    store = torch.distributed.FileStore(store, ranks)
    torch.distributed.init_process_group("gloo", store=store, rank=rank, world_size=ranks)
    record(folder, name, f"-rank{rank}")
    torch.distributed.destroy_process_group()


def record_ranks(folder, name):
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with tempfile.TemporaryDirectory() as scratch:
        torch.multiprocessing.spawn(
            record_rank, (folder, name, os.path.join(scratch, "store")), PROGRAMS[name][1]["ranks"]
        )


def record(folder, name, suffix=""):
    function, options = PROGRAMS[name]
    arguments = {
        key: value for key, value in options.items() if key not in ("all_threads", "ranks")
    }
    if "all_threads" in options:
        # Threads that the program starts are recorded only on demand.
        try:
            arguments["experimental_config"] = _ExperimentalConfig(profile_all_threads=True)
        except TypeError:
            print(f"{name}: left out, this torch records the calling thread only")
            return
    activities = [ProfilerActivity.CPU]
    if name.startswith("cuda-"):
        activities.append(ProfilerActivity.CUDA)
    made = []

    def ready(profiler):
        stem = name + suffix + (f"-{len(made)}" if "schedule" in options else "")
        made.append(stem)
        path = os.path.join(folder, stem)
        # The file names itself, so its name is one without a folder.
        with tempfile.TemporaryDirectory() as scratch:
            back = os.getcwd()
            os.chdir(scratch)
            profiler.export_chrome_trace(f"{stem}.pt.trace.json")
            with open(f"{stem}.pt.trace.json", "rb") as file:
                text = file.read()
            os.chdir(back)
        with open(path + ".pt.trace.json.gz", "wb") as file:
            file.write(gzip.compress(text, 9, mtime=0))
        said = {key: str(value) if key != "schedule" else "wait=1, warmup=1, active=2, repeat=2"
                for key, value in options.items()}
        figures = {"torch": torch.__version__, "python": platform.python_version(),
                   "program": function.__name__, "options": said, "key_averages": averages(profiler)}
        if torch.cuda.is_available():
            figures["device"] = torch.cuda.get_device_name()
        with open(path + ".key_averages.json", "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)
            file.write("\n")

    with profile(activities=activities, on_trace_ready=ready, **arguments) as profiler:
        function(profiler)
    for stem in made:
        size = os.path.getsize(os.path.join(folder, stem + ".pt.trace.json.gz"))
        print(f"{stem}: {size} bytes")


def main():
    only, folders = None, []
    for argument in sys.argv[1:]:
        if argument.startswith("--only="):
            only = argument[7:].split(",")
            unknown = [name for name in only if name not in PROGRAMS]
            if unknown:
                sys.exit(f"record-programs: no program {', '.join(unknown)}; known are: "
                         + ", ".join(PROGRAMS))
        elif argument.startswith("-"):
            sys.exit(__doc__)
        else:
            folders.append(argument)
    if len(folders) != 1:
        sys.exit(__doc__)
    os.makedirs(folders[0], exist_ok=True)
    torch.set_num_threads(1)
    for name in only or PROGRAMS:
        if name.startswith("cuda-") and not torch.cuda.is_available():
            print(f"{name}: left out, no device")
            continue
        run = record_ranks if "ranks" in PROGRAMS[name][1] else record
        run(os.path.abspath(folders[0]), name)


if __name__ == "__main__":
    main()
