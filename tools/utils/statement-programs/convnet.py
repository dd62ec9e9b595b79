import torch, torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def conv3x3(i, o, stride=1):
    return nn.Conv2d(i, o, 3, stride=stride, padding=1, bias=False)


class BasicBlock(nn.Module):
    def __init__(self, i, o, stride=1, norm=nn.BatchNorm2d):
        super().__init__()
        self.conv1 = conv3x3(i, o, stride)
        self.bn1 = norm(o)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(o, o)
        self.bn2 = norm(o)
        self.down = None
        if stride != 1 or i != o:
            self.down = nn.Sequential(nn.Conv2d(i, o, 1, stride, bias=False), nn.BatchNorm2d(o))

    def forward(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.down is not None:
            identity = self.down(x)
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(conv3x3(3, 8), nn.BatchNorm2d(8), nn.ReLU())
        self.layer1 = BasicBlock(8, 8)
        self.layer2 = BasicBlock(8, 16, 2)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        x = self.stem(x)
        x = self.layer2(self.layer1(x))
        x = self.pool(x)
        x = torch.flatten(x, 1)
        return self.fc(x)


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 1)
        self.criterion = nn.CrossEntropyLoss()

    def step(self, x, y):
        out = self.model(x)
        loss = self.criterion(out, y) + 0.01 * out.pow(2).mean()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.sched.step()
        acc = (out.argmax(dim=1) == y).float().mean()
        return loss.detach(), acc

    def fit(self, loader):
        total = 0.0
        for x, y in loader:
            x = x.to(torch.float32)
            x = x - x.mean()
            loss, acc = self.step(x, y)
            total += float(loss)
        return total

    @torch.inference_mode()
    def evaluate(self, loader):
        self.model.eval()
        good = 0
        for x, y in loader:
            p = F.softmax(self.model(x), dim=1)
            good += int((p.argmax(1) == y).sum())
        return good


def main():
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(8, 3, 16, 16), torch.randint(0, 10, (8,)))
    loader = DataLoader(data, batch_size=4)
    trainer = Trainer(ResNet(), 1e-3)
    trainer.fit(loader)
    trainer.evaluate(loader)
