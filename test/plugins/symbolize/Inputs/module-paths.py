"""Write a trace with deep and long paths of modules."""
CASES = [
    ("short", ["M"] * 2),
    ("deep", ["M"] * 40),
    ("long", ["B" * 400] * 3),
    ("longest", ["C" * 2000]),
]
ops, frames = "", ""
for case, (name, modules) in enumerate(CASES):
    at = 1000 * case
    ops += f'cpu_op "aten::{name}" at {at + 100} for 10\n'
    for i, module in enumerate(modules):
        frames += f'python "nn.Module: {module}_{i}" at {at + i} for {900 - 2 * i}\n'
print(f'trace {{\nrank 0 {{\nthread 1 "main" {{\n{ops}}}\nthread 1 "main" python {{\n{frames}}}\n}}\n}}')
