"""Code in which a name alone would tell wrong."""
import functools
import operator
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import relu as act, exp


class Weird(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn
        self.fn2 = F.relu
        self.lin = nn.Linear(4, 4)
        self.lins = [nn.Linear(4, 4), nn.Tanh()]

    def forward(self, x):
        y = self.fn(x)
        z = F.relu(y)
        z = self.fn2(z)
        for lin in self.lins:
            z = lin(z)
        z = self.lin(z)
        return z


def alias(x):
    f = torch.exp
    y = f(x)
    return torch.exp(y)


def passed(x, g):
    y = g(x)
    return x.sigmoid() + y


def mapped(xs):
    ys = list(map(torch.mul, xs, xs))
    a = ys[0] * ys[1]
    return a


def partial(x):
    p = functools.partial(torch.mul, x)
    q = p(x)
    return q * x


def reduced(xs):
    y = functools.reduce(operator.add, xs)
    return y + 1


def lambdas(x):
    h = lambda t: torch.sin(t)
    y = h(x)
    return torch.sin(y)


def comprehension(xs):
    ys = [torch.cos(x) for x in xs]
    s = sum(torch.sin(y) for y in ys)
    return s, {i: y.tan() for i, y in enumerate(ys)}


def conditional(x):
    if x.sum() > 0:
        x = x.abs(); x = x.sqrt()
    elif (x.mean() < 0
          or x.max() > 1):
        x = x.neg()
    while x.sum() > 4:
        x *= 0.5
    k = 1 if bool(x[0] > 0) else 2
    x[0] = 3.0
    x += k
    return x.clamp_(0, 1)


def nested(x):
    def inner(t):
        return t.exp()

    class Local:
        @staticmethod
        def go(t):
            return t.log()

    y = inner(x)
    z = Local.go(y)
    return z.exp()


def imported(x):
    y = act(x)
    return exp(y)


def getter(x):
    m = getattr(torch, "tanh")
    y = m(x)
    return torch.tanh(y)


def chained(x):
    return (
        x.view(2, 2)
        .transpose(0, 1)
        .contiguous()
        .view(4)
        .cumsum(0)
    )


def generator(x):
    for i in range(3):
        x = x.exp()
        yield x
    yield x.log()


def pooled(x):
    def fn(t):
        return t + 1

    y = fn(x)
    return F.max_pool2d(y, 2)


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 + x.mul(0)


def context(x):
    with torch.no_grad():
        y = x.exp()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = y @ y
    return y.float()


def floats(x, lr=0.1):
    lr *= 0.5
    x = x.mul(lr)
    n = 3 + 4
    return x.add(n)


def attribute(cfg, x):
    y = cfg.fn(x)
    return y.sigmoid()


class Config:
    fn = staticmethod(torch.sigmoid)


def main():
    torch.manual_seed(0)
    x = torch.rand(4, 4)
    Weird(F.relu)(x)
    Weird(torch.relu)(x)
    alias(x)
    passed(x, torch.sigmoid)
    passed(x, torch.tanh)
    mapped([x, x])
    partial(x)
    reduced([x, x, x])
    lambdas(x)
    comprehension([x, x])
    conditional(torch.rand(8))
    conditional(-torch.rand(8))
    nested(x)
    imported(x)
    getter(x)
    chained(torch.rand(4))
    list(generator(x))
    pooled(torch.rand(1, 1, 4, 4))
    w = torch.rand(4, 4, requires_grad=True)
    Double.apply(w).sum().backward()
    context(x)
    floats(x)
    attribute(Config, x)
    attribute(Config(), x)
