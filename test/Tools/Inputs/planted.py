"""Check that what heddle-gen says it planted is in the recordings, by reading their JSON alone.

usage: planted.py <what> <facts csv> <file or folder>

what: ranks       waiting of each rank and step, slow ranks
      groups      waiting; arguments of ops and kernels, and the list of groups
      frames      launches in functions of the user and in modules
      compiled    regions, graphs, Inductor's kernels and the ops that launch them
      inference   an engine's steps, and what they launch
      memory      totals, addresses, and what was allocated at most
      hosts       pids, devices and names of hosts; clocks, whose corrected collectives end together
"""
import collections
import csv
import decimal
import json
import os
import statistics
import sys


class Recording:
    """One rank's file; times in ns."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.document = json.load(file, parse_float=decimal.Decimal)
        self.info = self.document.get("distributedInfo", {})
        self.rank = str(self.info.get("rank", 0))
        self.events = []
        for event in self.document["traceEvents"]:
            if event["ph"] in "Xi":
                event["begin"] = int(event["ts"] * 1000)
                event["end"] = event["begin"] + int(event.get("dur", 0) * 1000)
                event.setdefault("args", {})
                self.events.append(event)
        self.calls = {e["args"]["correlation"]: e for e in self.of("cuda_runtime", "cuda_driver")}
        self.steps = sorted((e["begin"], e["end"], e["name"].partition("#")[2])
                            for e in self.of("user_annotation") if e["name"].startswith("ProfilerStep#"))

    def of(self, *categories):
        return [e for e in self.events if e.get("cat") in categories]

    def step_of(self, kernel):
        begin = self.calls[kernel["args"]["correlation"]]["begin"]
        return next((name for first, last, name in self.steps if first <= begin < last), "")


def recordings(path):
    paths = [os.path.join(path, name) for name in sorted(os.listdir(path))] if os.path.isdir(path) else [path]
    return sorted(map(Recording, paths), key=lambda r: int(r.rank))


def expect(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: found {found}, planted {wanted}")


def facts_of(path):
    """rank -> step -> fact -> value."""
    facts = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["fact"].startswith("planted "):
                facts[row["rank"]][row["step"]][row["fact"][len("planted "):]] = int(row["value"])
    return facts


def waiting(ranks):
    """(rank, step, fact) -> value, from the begins of each group's collectives."""
    found, queues = collections.Counter(), collections.defaultdict(list)
    for rank in ranks:
        counts = collections.Counter()
        kernels = [k for k in rank.of("kernel") if "Collective name" in k["args"]]
        for kernel in sorted(kernels, key=lambda k: k["args"]["correlation"]):
            group = kernel["args"]["Process Group Name"]
            queues[group, counts[group]].append((rank, kernel))
            counts[group] += 1
    for (_, number), members in queues.items():
        args = [kernel["args"] for _, kernel in members]
        expect([a["Group size"] for a in args], [len(members)] * len(members), f"members of {number}")
        for key in ("Collective name", "In msg nelems", "Out msg nelems", "dtype", "Process Group Ranks"):
            expect(len({a[key] for a in args}), 1, f"different {key} of {number}")
        last = max(kernel["begin"] for _, kernel in members)
        ends = [kernel["end"] for _, kernel in members]
        if min(ends) <= last or max(ends) - min(ends) > 1000:
            sys.exit(f"collective {number} does not end together")
        for rank, kernel in members:
            for step in {rank.step_of(kernel), ""}:
                name = kernel["args"]["Process Group Description"]
                found[rank.rank, step, "collectives " + name] += 1
                found[rank.rank, step, "waiting-ns " + name] += last - kernel["begin"]
    return found


def check_waiting(facts, ranks):
    found = waiting(ranks)
    for rank, steps in facts.items():
        for step, values in steps.items():
            for fact, value in values.items():
                if fact.startswith(("collectives ", "waiting-ns ")):
                    expect(found[rank, step, fact], value, f"rank {rank}, step {step}: {fact}")
    if not found:
        sys.exit("no collective")


def check_ranks(facts, ranks):
    """A slow rank's kernels take as much more, or its host; a late one waits for nobody."""
    check_waiting(facts, ranks)

    def median_of(rank, kind):
        if kind == "compute":
            values = [k["end"] - k["begin"] for k in rank.of("kernel") if "flash_fwd" in k["name"]]
        else:
            values = [e["end"] - e["begin"] for e in rank.of("cpu_op") if e["name"].startswith("autograd")]
        return statistics.median(values)

    slow = {(rank, fact): value for rank, steps in facts.items() for fact, value in steps[""].items()
            if fact.startswith("straggler-")}
    for (number, fact), value in slow.items():
        kind = fact.partition("-")[2]
        rank = next(r for r in ranks if r.rank == number)
        others = [r for r in ranks if not any(n == r.rank for n, _ in slow)]
        if kind in ("compute", "host"):
            ratio = median_of(rank, kind) * 100 / statistics.median(median_of(r, kind) for r in others)
            # A host that takes longer has calls of the usual length in between.
            low = value * 0.93 if kind == "compute" else 100 + (value - 100) * 0.4
            if not low < ratio < value * 1.07:
                sys.exit(f"rank {number} is {ratio:.0f} per cent in {kind}, planted {value}")
        else:
            gaps = [b[0] - a[1] for a, b in zip(rank.steps, rank.steps[1:])]
            if min(gaps) < value:
                sys.exit(f"rank {number} enters a step {min(gaps)} ns after the last, planted {value}")


def check_groups(facts, ranks):
    """An op says of a collective what its kernel and the list of groups say."""
    check_waiting(facts, ranks)
    for rank in ranks:
        ops = {e["args"]["External id"]: e for e in rank.of("cpu_op")}
        groups = {g["pg_name"]: g for g in rank.info["pg_config"]}
        expect(rank.info["pg_count"], len(groups), "pg_count")
        counts = collections.Counter()
        for kernel in sorted(rank.of("kernel"), key=lambda k: k["args"]["correlation"]):
            args = kernel["args"]
            if "Collective name" not in args:
                continue
            op = ops[args["External id"]]
            expect(op["name"], "record_param_comms", "op of a collective")
            for key in ("Collective name", "In msg nelems", "Process Group Name", "Process Group Ranks"):
                expect(args[key], op["args"][key], key)
            group = groups[args["Process Group Name"]]
            members = json.loads(args["Process Group Ranks"].replace(", ...", ""))
            expect(members, group["ranks"][:30], "ranks of a group")
            expect(args["Group size"], len(group["ranks"]), "size of a group")
            first, stride = op["args"]["Global rank start"], op["args"]["Global rank stride"]
            expect([first + stride * i for i in range(args["Group size"])], group["ranks"], "stride")
            expect(group["ranks"][op["args"]["Rank"]], int(rank.rank), "Rank")
            if "Seq" in args:
                expect((args["Seq"], op["args"]["Seq"]), (counts[group["pg_name"]],) * 2, "Seq")
            counts[group["pg_name"]] += 1
        if set(counts) != set(groups):
            sys.exit(f"rank {rank.rank} uses {set(counts)} of {set(groups)}")


def check_frames(facts, ranks):
    """Following the parents from the innermost frame leads to the user's function, and to the module."""
    for rank in ranks:
        frames = [e for e in rank.of("python_function")]
        by_id = {e["args"]["Python id"]: e for e in frames}
        expect(len(by_id), len(frames), "ids of frames")
        modules = collections.defaultdict(set)
        for frame in frames:
            parent = by_id.get(frame["args"]["Python parent id"])
            if parent and not parent["begin"] <= frame["begin"] <= frame["end"] <= parent["end"]:
                sys.exit(f"{frame['name']} is not inside of its parent")
            if frame["name"].startswith("nn.Module: "):
                modules[frame["name"]].add(frame["args"]["Python module id"])
        if any(len(ids) > 1 for ids in modules.values()):
            sys.exit("a module has two ids")
        found = collections.Counter()
        owners = {e["args"]["correlation"] for e in rank.of("kernel", "gpu_memcpy", "gpu_memset")}
        # Graphs' kernels share one call.
        for correlation in owners:
            call = rank.calls[correlation]
            around = [f for f in frames if f["tid"] == call["tid"] and f["begin"] <= call["begin"] < f["end"]]
            if not around:
                continue
            frame, user, module = max(around, key=lambda f: f["args"]["Python id"]), None, None
            while frame:
                if frame["name"].startswith(("mymodel/", "train.py")):
                    user = user or frame["name"]
                if frame["name"].startswith("nn.Module: "):
                    module = module or frame["name"]
                frame = by_id.get(frame["args"]["Python parent id"])
            step = next((n for first, last, n in rank.steps if first <= call["begin"] < last), "")
            for of in {step, ""}:
                found[of, f"launches-in {user}"] += 1
                if module:
                    found[of, f"launches-of {module}"] += 1
        wanted = {(step, fact): value for step, values in facts[rank.rank].items()
                  for fact, value in values.items() if fact.startswith("launches-")}
        expect(dict(found), wanted, "launches")


def check_compiled(facts, ranks):
    """Inductor's kernels are launched through the driver by ops that name them, inside of a graph's call."""
    for rank in ranks:
        found = collections.Counter()

        def count(event, fact):
            step = next((n for first, last, n in rank.steps if first <= event["begin"] < last), "")
            for of in {step, ""}:
                found[of, fact] += 1

        graphs = [e for e in rank.of("user_annotation") if e["name"].startswith("## Call CompiledFxGraph f")]
        ops = {e["args"]["External id"]: e for e in rank.of("cpu_op")}
        for event in rank.of("cpu_op"):
            if event["name"].startswith("Torch-Compiled Region: 0/"):
                count(event, "compiled-regions")
        for graph in graphs:
            expect(len(graph["name"].split()[3]), 52, "length of a hash")
            count(graph, "compiled-graphs")
        for kernel in rank.of("kernel"):
            if not kernel["name"].startswith("triton_"):
                continue
            call = rank.calls[kernel["args"]["correlation"]]
            if call["name"] not in ("cuLaunchKernel", "hipModuleLaunchKernel"):
                sys.exit(f"{kernel['name']} is launched by {call['name']}")
            op = ops[kernel["args"]["External id"]]
            expect((op["name"], op["args"]["kernel_name"]), (kernel["name"],) * 2, "op of a kernel")
            expect(op["args"]["kernel_file"].endswith(op["args"]["kernel_hash"] + ".py"), True, "file")
            if not any(g["tid"] == op["tid"] and g["begin"] <= op["begin"] < g["end"] for g in graphs):
                sys.exit(f"{kernel['name']} is in no graph")
            count(op, "triton-kernels")
        wanted = {(step, fact): value for step, values in facts[rank.rank].items()
                  for fact, value in values.items() if fact.startswith(("compiled-", "triton-"))}
        expect(dict(found), wanted, "compiled")


def check_inference(facts, ranks):
    """Marks tell the kind of a step; decode launches its layers as one graph, prefill none, both copy
    tokens back and wait."""
    for rank in ranks:
        found = collections.Counter()
        marks = [e for e in rank.of("user_annotation") if e["name"].startswith("execute_context_")]
        for number, mark in enumerate(sorted(marks, key=lambda m: m["begin"]), 1):
            context, generation = (int(n.rstrip(")").partition("(")[2])
                                   for n in mark["name"].removeprefix("execute_").split("_generation_"))
            inside = [c for c in rank.calls.values() if mark["begin"] <= c["begin"] < mark["end"]]
            names = collections.Counter(c["name"] for c in inside)
            graphs = names["cudaGraphLaunch"] + names["hipGraphLaunch"]
            expect(graphs, 0 if context else 1, f"graph launches of step {number}")
            if not names["cudaEventSynchronize"] + names["hipEventSynchronize"]:
                sys.exit(f"step {number} waits for no token")
            back = [k for k in rank.of("gpu_memcpy") if "DtoH" in k["name"]
                    and rank.calls[k["args"]["correlation"]] in inside]
            expect(len(back), 1, f"copies back of step {number}")
            for of in {str(number), ""}:
                found[of, "prefill-steps" if context else "decode-steps"] += 1
                found[of, "tokens"] += context or generation
        if any("Sequence number" in e["args"] for e in rank.of("cpu_op")):
            sys.exit("autograd is at work")
        wanted = {(step, fact): value for step, values in facts[rank.rank].items()
                  for fact, value in values.items() if fact.endswith("-steps") or fact == "tokens"}
        expect(dict(found), wanted, "steps")


def check_memory(facts, ranks):
    """Totals change by what is allocated and freed, blocks in use do not overlap, frees find theirs."""
    for rank in ranks:
        found, total, used = collections.Counter(), {}, {}
        peaks = {}
        instants = [e for e in rank.of("cpu_instant_event") if e["name"] == "[memory]"]
        for event in sorted(instants, key=lambda e: e["args"]["Ev Idx"]):
            args = event["args"]
            on_host = args["Device Type"] == 0
            expect((args["Device Id"] == -1, args["Total Reserved"] == 0), (on_host, on_host), "device")
            size, after = args["Bytes"], args["Total Allocated"]
            if not on_host and args["Total Reserved"] < after:
                sys.exit("more is allocated than reserved")
            expect(after - total.get(on_host, after - size), size, "total")
            total[on_host] = after
            step = next((name for first, last, name in rank.steps if first <= event["begin"] < last), "")
            name = "host-" if on_host else ""
            if size > 0:
                for begin, length in used.items():
                    if not on_host and begin < args["Addr"] + size and args["Addr"] < begin + length:
                        sys.exit(f"a block at {args['Addr']} lies in another")
                if not on_host:
                    used[args["Addr"]] = size
                    for of in {step, ""}:
                        peaks[of] = max(peaks.get(of, 0), after)
                fact = name + "allocations"
            else:
                fact = name + "frees"
                old = used.pop(args["Addr"], None)
                if not on_host and old is None:
                    for of in {step, ""}:
                        found[of, "frees-of-older"] += 1
                elif not on_host:
                    expect(-size, old, "size of a free")
            for of in {step, ""}:
                found[of, fact] += 1
        for step, values in facts[rank.rank].items():
            for fact, value in values.items():
                if "frees" in fact or "allocations" in fact:
                    expect(found[step, fact], value, f"step {step}: {fact}")
                if fact == "peak-bytes":
                    expect(peaks.get(step), value, f"step {step}: {fact}")
        if not found["", "frees-of-older"]:
            sys.exit("no block is older than the recording")


def check_hosts(facts, ranks):
    """Of two hosts the nth ranks have the same pid and device; on true clocks collectives end together."""
    hosts = collections.defaultdict(list)
    for rank in ranks:
        own = facts[rank.rank][""]
        offset, drift = own.get("clock-offset-ns", 0), own.get("clock-drift-ns-a-second", 0)
        hosts[own["host"]].append(rank)
        name = rank.document.get("host_name")
        if name is not None:
            expect(name, f"node{own['host']}", "host_name")
        base = min(e["begin"] for e in rank.events if e["ph"] == "X") - offset
        for event in rank.events:
            for key in ("begin", "end"):
                true = event[key] - offset
                # The job begins less than 1 ms before the recording.
                event[key] = true - (true - base) * drift // 10**9
        rank.steps = [(begin - offset - (begin - offset - base) * drift // 10**9,
                       end - offset - (end - offset - base) * drift // 10**9, name)
                      for begin, end, name in rank.steps]
    places = [[({e["pid"] for e in r.of("cpu_op")}, {k["args"]["device"] for k in r.of("kernel")})
               for r in own] for own in hosts.values()]
    expect(places, [places[0]] * len(hosts), "pids and devices")
    if len(hosts) > 1 and len(ranks) != len(hosts) * len(places[0]):
        sys.exit("hosts of different sizes")
    found = waiting(ranks)
    for rank, steps in facts.items():
        for fact, value in steps[""].items():
            if fact.startswith("waiting-ns ") and abs(found[rank, "", fact] - value) > 2000:
                sys.exit(f"rank {rank}: {fact}: found {found[rank, '', fact]}, planted {value}")


def main():
    what, facts, path = sys.argv[1:]
    facts, ranks = facts_of(facts), recordings(path)
    {"ranks": check_ranks, "groups": check_groups, "inference": check_inference, "compiled": check_compiled, "frames": check_frames, "memory": check_memory, "hosts": check_hosts}[what](facts, ranks)
    planted = sum(len(values) for steps in facts.values() for values in steps.values())
    print(f"{len(ranks)} ranks, {planted} facts: all found")


main()
