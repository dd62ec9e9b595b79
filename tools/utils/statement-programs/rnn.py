import torch
import torch.nn as nn


class Cell(nn.Module):
    def __init__(self, i, h):
        super().__init__()
        self.wx = nn.Parameter(torch.randn(4 * h, i) * 0.1)
        self.wh = nn.Parameter(torch.randn(4 * h, h) * 0.1)
        self.b = nn.Parameter(torch.zeros(4 * h))

    def forward(self, x, state):
        h, c = state
        gates = torch.addmm(self.b, x, self.wx.t()) + h.mm(self.wh.t())
        i, f, g, o = gates.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = o.sigmoid() * c.tanh()
        return h, (h, c)


class Model(nn.Module):
    def __init__(self, vocab=20, dim=8, h=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.cell = Cell(dim, h)
        self.lstm = nn.LSTM(h, h, batch_first=True)
        self.out: nn.Module = nn.Linear(h, vocab)

    def forward(self, tokens):
        x = self.emb(tokens)
        state = (x.new_zeros(x.size(0), 8), x.new_zeros(x.size(0), 8))
        outs = []
        for t in range(x.size(1)):
            h, state = self.cell(x[:, t], state)
            outs.append(h)
        y = torch.stack(outs, dim=1)
        y, _ = self.lstm(y)
        return self.out(y)


def loss_of(model, tokens):
    logits = model(tokens[:, :-1])
    target = tokens[:, 1:]
    return nn.functional.cross_entropy(logits.reshape(-1, logits.size(-1)), target.reshape(-1))


def sgd(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            p -= lr * p.grad
            p.grad = None


def main():
    torch.manual_seed(1)
    model = Model()
    for _ in range(2):
        tokens = torch.randint(0, 20, (3, 6))
        loss = loss_of(model, tokens)
        loss.backward()
        sgd(model.parameters(), 0.1)
