"""Plants 200 secrets in a trace: plant.py FOLDER writes FOLDER/<a secret>.json, and FOLDER/secrets.txt.

Names, arguments (keys and values, nested ones, JSON in strings, escapes), paths, metadata rows,
categories, names of threads and processes, rows that are no spans, the document's own members, an
event that is no JSON, and the file's name. Secrets are words of several scripts, paths, hosts, users,
and texts with quotes.
"""
import itertools
import json
import os
import sys

SYLLABLES = ["zor", "blat", "quib", "nax", "vell", "drum", "phos", "kryn", "wug", "tolm"]
SCRIPTS = ["Żółwianka", "Ångströmer", "Größenwahn", "piñatería", "Тайниково", "Секретарь", "Ξενοδοχείο",
           "απόρρητο", "机密项目", "秘密計画", "ひみつきち", "비밀작전", "مشروعسري", "פרויקטסודי", "गुप्तयोजना", "ลับสุดยอด",
           "🦊🔒proj", "Nguyễnphúc", "İstanbulköprü", "ђуматерапија"]
PATHS = ["/home/jdoe_quvixa/work", "/mnt/fsx_zentoria/ckpt/v7", "C:\\Users\\mkrelboyne\\src", "s3://plomvexbucket/runs",
         "../grobnikdir/run.py", "~/tharnaxis/train.py", "file:///data/velquorn", "/scratch/ubrinzo/x.pt"]
HOSTS = ["gpu17.dc3.wexlumcorp.net", "ip-10-31-7-204.quorlab.internal", "node-hrozentia-0042", "10.31.7.204",
         "fe80::dead:beefq:1", "tornukhost", "login.xevvora.example"]
USERS = ["alice.quenthorpe", "bob_zyxwvut", "svc-krondale", "carol@mivexlumen.com", "O'Branniganx", "d.vantroskij"]
QUOTED = ['say "flimborax" twice', "back\\slashquoz", "tab\tstruvenko", "new\nlinefrobozz", "nul\x01ctrlmorv",
          "semi;colonquist", "<htmlgrendax>", "{bracevortal}", "comma,splintaq", "percent%6dyzzq"]


def secrets():
    found = SCRIPTS + PATHS + HOSTS + USERS + QUOTED
    i = 0
    while len(found) < 200:
        a, b, c = (SYLLABLES[(i // 10 ** k + 3 * k) % 10] for k in range(3))
        word = (a + b + c, a.capitalize() + b.capitalize() + c, f"{a}_{b}_{c}x", f"{a}{b}-{c}{i}")[i % 4]
        found.append(word)
        i += 1
    assert len(set(found)) == 200
    return found


def escaped(text):
    """JSON in which every character of the text is an escape."""
    units = text.encode("utf-16-be")
    return '"' + "".join(f"\\u{units[i] << 8 | units[i + 1]:04x}" for i in range(0, len(units), 2)) + '"'


def main():
    folder = sys.argv[1]
    words = secrets()
    pool = itertools.cycle(list(words))
    take = lambda: next(pool)
    events = []
    spans = [("cpu_op", "{}"), ("user_annotation", "{} forward"), ("kernel", "void {}::gemm_kernel<float, {}>(int)"),
             ("cuda_runtime", "{}"), ("python_function", "/home/{}/proj/{}.py(12): {}"), ("gpu_memcpy", "Memcpy {}"),
             ("python_function", "nn.Module: {}_0"), ("python_function", "<built-in method {} of {} object at 0x7f01>"),
             ("kernel", "triton_poi_fused_{}_0"), ("kernel", "at::native::elementwise_kernel<{}>"),
             ("cpu_op", "{}::mm"), ("cpu_op", "autograd::engine::evaluate_function: {}Backward"),
             ("user_annotation", "nccl:{}"), ("user_annotation", "execute_context_{}"), ("cpu_op", "cuda{}"),
             ("cuda_runtime", "cudaLaunch{}"), ("user_annotation", "Optimizer.step#{}.step")]
    device = {"kernel", "gpu_memcpy"}
    for i in range(len(words) * 2):
        cat, shape = spans[i % len(spans)]
        name = shape
        while "{}" in name:
            name = name.replace("{}", take(), 1)
        args = {"External id": i, "correlation": i, take(): take(), "Call stack": f"{take()}.py(3): {take()};{take()}",
                "Process Group Description": take(), "nested": {take(): [take(), {"k": take()}]},
                "text": json.dumps({take(): [take()], "deep": json.dumps({"w": take()})}), "n": 5,
                "Input type": ["float", take()], "kernel_file": f"/tmp/{take()}/x.py"}
        if cat in device:
            args.update({"device": 0, "stream": 7})
        events.append(json.dumps({"ph": "X", "cat": cat, "name": name, "pid": 0 if cat in device else 11,
                                  "tid": 7 if cat in device else 12, "ts": 1000 + 100 * i, "dur": 50, "args": args},
                                 ensure_ascii=i % 2 == 0))
    span = '{"ph": "X", "cat": %s, "name": %s, "pid": %s, "tid": %s, "ts": 90%d, "dur": 1, "args": {%s: %s}}'
    for i in range(20):
        events.append(span % (escaped(take()), escaped(take()), escaped(take()), json.dumps(take()), i,
                              escaped(take()), escaped(take())))
    for ph in "BEbnesSTpFNODPRc(i":
        events.append(json.dumps({"ph": ph, "cat": take(), "name": take(), "pid": 11, "tid": 12, "ts": 5, "id": take(),
                                  "scope": take(), "args": {take(): {"snapshot": take()}}}))
    events.append(json.dumps({"ph": "C", "name": take(), "pid": 11, "ts": 6, "args": {take(): 1, take(): 2}}))
    for name in ("process_name", "process_labels", "thread_name", take()):
        events.append(json.dumps({"ph": "M", "name": name, "pid": 11, "tid": 12, "ts": 0,
                                  "args": {"name": take(), "labels": take(), take(): take()}}))
    events.append('{"ph": "X", "name": "broken", "cat": "cpu_op", "pid": 11, "tid": 12, "ts": 7, "dur": 1, '
                  '"args": {"bad": %s, "worse": N/A}}' % "zorblatnan")
    words.append("zorblatnan")
    members = {"schemaVersion": 1, "traceName": take() + ".json", "host_name": take(), "username": take(),
               "deviceProperties": [{"id": 0, "name": take(), "numSms": 132}],
               "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 2, "pg_config": [{"pg_desc": take()}],
                                   take(): take()},
               "otherData": json.dumps({"cmd": take(), "env": json.dumps([take()])}), take(): take(),
               "metadata": {take(): {"user": take()}}, "stackFrames": {"1": {"name": take(), "category": take()}}}
    head = json.dumps(members)[:-1]
    file = os.path.join(folder, "hlavnitajemstvi_rank0.json")
    words.append("hlavnitajemstvi")
    with open(file, "w", encoding="utf-8") as out:
        out.write(head + ', "traceEvents": [\n' + ",\n".join(events) + "\n]}\n")
    with open(os.path.join(folder, "secrets.txt"), "w", encoding="utf-8") as out:
        out.write("\n".join(json.dumps(w) for w in words) + "\n")


main()
