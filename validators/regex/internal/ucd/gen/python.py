"""Writes the character classes of CPython's re for ../ucd.go:

    python3 gen/python.py | gzip -9n > python.txt.gz

Kind "class": the str predicates. Kinds "lower" and "upper": the characters
whose simple case mapping lies the named distance away, as sre sees it.
Kind "extra": characters that re._casefix treats as equal to the named one.
"""
import re._casefix
import sys

import _sre


def digits36(n):
    out = ""
    while True:
        out = "0123456789abcdefghijklmnopqrstuvwxyz"[n % 36] + out
        n //= 36
        if n == 0:
            return out


def encode(codes):
    out, prev, run = [], -1, []
    for c in sorted(codes):
        if run and run[1] == c - 1:
            run[1] = c
            continue
        run = [c, c]
        out.append(run)
    text = []
    for lo, hi in out:
        text.append(digits36(lo - prev - 1) + ("." + digits36(hi - lo) if hi > lo else ""))
        prev = hi
    return " ".join(text)


def show(kind, name, codes):
    print(f"{kind}\t{name}\t{encode(codes)}")


every = range(sys.maxunicode + 1)
show("class", "word", [c for c in every if chr(c).isalnum() or c == ord("_")])
show("class", "space", [c for c in every if chr(c).isspace()])
show("class", "digit", [c for c in every if chr(c).isdecimal()])
show("class", "alpha", [c for c in every if chr(c).isalpha()])
show("class", "printable", [c for c in every if chr(c).isprintable()])
show("class", "idstart", [c for c in every if chr(c).isidentifier()])
show("class", "idcontinue", [c for c in every if ("a" + chr(c)).isidentifier()])
show("class", "cased", [c for c in every if _sre.unicode_iscased(c)])
for kind, mapping in (
    ("lower", _sre.unicode_tolower),
    ("upper", lambda c: ord(chr(c).upper()) if c > 0xFFFF else c),
):
    by_distance = {}
    for c in every:
        if mapping(c) != c:
            by_distance.setdefault(mapping(c) - c, []).append(c)
    for distance, codes in sorted(by_distance.items()):
        show(kind, distance, codes)
for code, others in sorted(re._casefix._EXTRA_CASES.items()):
    show("extra", code, others)
