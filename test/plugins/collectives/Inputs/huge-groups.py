"""Write a trace whose collectives are of many groups that are too large to list."""
import json

LARGEST = 1 << 20


def event(i, start, stride, size):
    return {
        "ph": "X", "cat": "kernel", "name": "ncclDevKernel_A", "pid": 0, "tid": 8, "ts": 10 * i, "dur": 5,
        "args": {
            "device": 0, "stream": 8, "Collective name": "allreduce", "Group size": size,
            "Process Group Ranks": "[...]", "Global rank start": start, "Global rank stride": stride,
        },
    }


groups = [(start, 1 + start % 2, LARGEST) for start in range(3000)]
groups += [(1 << 62, 1, 8), (0, 1 << 62, 8), (0, 1, 1 << 62), (-1, 1, 8), (0, 0, 8), (0, 1, 0), (7, 3, 1), (7, 3, 2)]
print(json.dumps({"schemaVersion": 1, "traceEvents": [event(i, *g) for i, g in enumerate(groups)]}))
