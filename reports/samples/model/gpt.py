"""A small GPT, its weights made by a seed, that learns to count: what ulpscope.torch sees of it.  gpt.py [PAGE] [STEPS]"""

import sys

import torch
import ulpscope.torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SIZE, HEADS, LAYERS, LENGTH, WORDS = 256, 4, 6, 128, 97
functional = torch.nn.functional


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.LayerNorm(SIZE), torch.nn.LayerNorm(SIZE)
        self.into, self.out = torch.nn.Linear(SIZE, 3 * SIZE), torch.nn.Linear(SIZE, SIZE)
        self.widen, self.narrow = torch.nn.Linear(SIZE, 4 * SIZE), torch.nn.Linear(4 * SIZE, SIZE)

    def forward(self, x):
        q, k, v = (part.reshape(*x.shape[:2], HEADS, -1).transpose(1, 2) for part in self.into(self.first(x)).chunk(3, -1))
        mask = torch.full((LENGTH, LENGTH), -float("inf"), device=x.device).triu(1)
        scores = (q @ k.transpose(-1, -2) / (SIZE // HEADS) ** 0.5 + mask).softmax(-1)
        x = x + self.out((scores.to(v.dtype) @ v).transpose(1, 2).reshape(x.shape))
        return x + self.narrow(functional.gelu(self.widen(self.second(x))))


class GPT(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = torch.nn.Embedding(WORDS, SIZE), torch.nn.Embedding(LENGTH, SIZE)
        self.blocks = torch.nn.ModuleList(Block() for _ in range(LAYERS))
        self.last, self.head = torch.nn.LayerNorm(SIZE), torch.nn.Linear(SIZE, WORDS)

    def forward(self, text):
        x = self.words(text) + self.places(torch.arange(LENGTH, device=text.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.last(x))


if __name__ == "__main__":
    torch.manual_seed(1)
    model = GPT().to(DEVICE)
    learns = torch.optim.SGD(model.parameters(), 0.1)
    with ulpscope.torch.scope(sample=1 / 20, seed=1) as s:
        for step in range(int(sys.argv[2]) if len(sys.argv) > 2 else 30):
            text = (torch.randint(WORDS, (8, 1), device=DEVICE) + torch.arange(LENGTH + 1, device=DEVICE)) % WORDS
            with torch.autocast(DEVICE, torch.bfloat16):
                loss = functional.cross_entropy(model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())
            learns.zero_grad()
            loss.backward()
            learns.step()
    print(f"loss {loss.item():.3f}")
    print(s)
    if len(sys.argv) > 1:
        s.report(sys.argv[1])
