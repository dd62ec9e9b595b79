import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import exp as power


class Net(nn.Module):
    def __init__(self, act):
        self.fc = nn.Linear(4, 4)
        self.a = nn.Tanh()
        self.b = nn.Tanh()
        self.act = act
        self.alias = F.gelu

    def forward(self, x):
        text = """
        self.fc(x) in a string, and # no comment
        """  # nor here: self.fc(x)
        y = torch.cat(
            [x, x]
        )
        y = self.fc(y) \
            + 1
        return self.a(self.b(y)) if y.dim() else self.b(y)

    def unknown(self, x):
        x = self.act(x)
        return F.relu(x)

    def aliased(self, x):
        y = self.alias(x)
        return F.relu(y)

    @torch.no_grad()
    @torch.jit.ignore
    def decorated(self, x):
        def nested(t):
            return F.relu(t)

        later = lambda t, u=(1, 2): F.relu(t)
        y = F.relu(x); z = later(y)
        return z

    def twice(self, x):
        x = F.relu(x)
        return F.relu(x)

    def signs(self, x, n):
        y = x @ x
        y = y * n
        z = y * x
        z += x
        return -z

    def one(self, x): return F.relu(x)


def mentioned(x):
    f = F.relu
    return F.relu(x)


def formatted(x):
    print(f"{F.relu(x)} and {{F.gelu}}")
    F.gelu(x)
    return F.relu(x)


def step(model, x):
    out = model(x)
    loss = F.relu(out)
    return loss


def generate(x):
    x = power(x)
    yield x
    x = F.relu(x)


def mapped(xs):
    ys = list(map(F.relu, xs))
    return F.gelu(ys[0])


def begun(x):
    with torch.profiler.profile():
        y = F.relu(x)
        with torch.no_grad():
            return y


x = torch.exp(torch.ones(3))
