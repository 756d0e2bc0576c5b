# SPDX-License-Identifier: Apache-2.0
"""The tokenizer of the bundled model: byte-pair merges stored as SentencePiece pieces with scores.

A piece's score is minus its rank, so the rule every llama tokenizer follows (join the two
neighbours whose union is the piece of the highest score, leftmost first, until nothing joins)
replays the merges. Pieces never mix letters with other characters and hold a space mark only in
front: a text therefore falls into runs that can be encoded one by one, and remembered.
What has no piece is spelled in bytes: <0x00> to <0xFF>.
"""

import collections
import re

UNKNOWN, BOS, EOS, FIRST_BYTE, FIRST_PIECE = 0, 1, 2, 3, 259
SPACE = "\u2581"
_RUN = re.compile(f"{SPACE}?[A-Za-z]+|{SPACE}?[^A-Za-z{SPACE}\n]+|{SPACE}|\n")


def runs(text):
    return _RUN.findall(SPACE + text.replace(" ", SPACE))


def learn(run_counts, size):
    """The pieces of a vocabulary of `size` ids, best first: merges by falling count, then characters."""
    characters = sorted({c for run in run_counts for c in run if c != "\n"})
    words = [list(run) for run in run_counts]
    counts = list(run_counts.values())
    pairs, places = collections.Counter(), collections.defaultdict(set)
    for i, word in enumerate(words):
        for pair in zip(word, word[1:]):
            pairs[pair] += counts[i]
            places[pair].add(i)
    merged = []
    while FIRST_PIECE + len(merged) + len(characters) < size:
        if not pairs:
            raise ValueError(f"{len(merged)} merges use up the text: ask for fewer than {size} pieces")
        best = max(pairs, key=lambda p: (pairs[p], p))
        union = best[0] + best[1]
        if union not in merged:  # another pair may have made it already
            merged.append(union)
        for i in places.pop(best):
            old = words[i]
            new, at = [], 0
            while at < len(old):
                if tuple(old[at:at + 2]) == best:
                    new.append(union)
                    at += 2
                else:
                    new.append(old[at])
                    at += 1
            for pair in zip(old, old[1:]):
                pairs[pair] -= counts[i]
                if pairs[pair] <= 0:
                    del pairs[pair]
            for pair in zip(new, new[1:]):
                pairs[pair] += counts[i]
                places[pair].add(i)
            words[i] = new
    return merged + characters


class Tokenizer:
    def __init__(self, pieces):
        self.pieces = pieces
        self.ids = {piece: FIRST_PIECE + i for i, piece in enumerate(pieces)}
        self.size = FIRST_PIECE + len(pieces)
        self._known = {}

    def table(self):
        """(text, score, type) of every id, as a GGUF file stores them (types of llama.cpp)."""
        normal, unknown, control, byte = 1, 2, 3, 6
        rows = [("<unk>", 0.0, unknown), ("<s>", 0.0, control), ("</s>", 0.0, control)]
        rows += [(f"<0x{b:02X}>", 0.0, byte) for b in range(256)]
        return rows + [(piece, -float(i), normal) for i, piece in enumerate(self.pieces)]

    def _encode_run(self, run):
        parts = list(run)
        while True:
            best = min(((self.ids[a + b], i) for i, (a, b) in enumerate(zip(parts, parts[1:])) if a + b in self.ids),
                       default=None)
            if best is None:
                break
            i = best[1]
            parts[i:i + 2] = [parts[i] + parts[i + 1]]
        ids = []
        for part in parts:
            ids += [self.ids[part]] if part in self.ids else [FIRST_BYTE + b for b in part.encode()]
        return ids

    def encode(self, text):
        """The ids of a text, without BOS."""
        ids = []
        for run in runs(text):
            if run not in self._known:
                self._known[run] = self._encode_run(run)
            ids += self._known[run]
        return ids

    def decode(self, ids):
        out = b""
        for i in ids:
            if i >= FIRST_PIECE:
                out += self.pieces[i - FIRST_PIECE].replace(SPACE, " ").encode()
            elif i >= FIRST_BYTE:
                out += bytes([i - FIRST_BYTE])
        return out.decode(errors="replace").removeprefix(" ")
