"""Does a real shell execute exactly the commands that we split a script into?

compare.py SPLIT RUNNER COUNT SEED SCRATCH: COUNT scripts, generated, mutated
and random, go through the splitter; bash evaluates those that were split, with
every command a function that records its words.  Then a sample goes through
`bash -c` and `sh -c` with real programs.  Prints figures; status 1 on the
first disagreement.
"""
import os
import random
import subprocess
import sys

split, runner, count, seed, scratch = sys.argv[1:]
count = int(count)
rng = random.Random(int(seed))

# All of these are functions or not to be found: nothing real can run.
NAMES = ["ls", "rm", "cat", "git", "a", "b", "ab", "make", "x.y", "x-y", "x_y", "0", "9", "g++",
         "a:b", "a,b", "@", "+", ".", ":", "..", "a%", "-x", "--", "A", "_"]
BUILTINS = ["echo", "cd", "eval", "exit", "exec", "trap", "set", "true", "false", "test", "pwd",
            "source", "command", "unset", "shift", "return", "break", "read", "kill", "wait"]
WORDS = ["a", "b", "-l", "--all", "x=1", "1", "2", "a.b", "/", "/x/y", "..", "a,b", "a:b", "@a", "+%Y",
         "''", "\"\"", "'a b'", "\"a b\"", "'$x'", "'`x`'", "\"it's\"", "'say \"x\"'", "a'b'c", "a\"b\"c",
         "'a'\"b\"c", "'\n'", "\"\t\"", "'*'", "\"?\"", "'a;b'", "\"a|b\"", "'&&'", "'#x'", "\"!\"", "'\\'",
         "if", "then", "in", "do", "--x=y", "=", "a=", "é", "'é'", "\"\u00a0\"", "-", "%1", "!", "~"]
JOINTS = [" && ", " || ", "; ", " | ", "\n", ";", "|", "&&", "||", " ;\n", "\n\n", " &&\n", "|\n ", " \t; "]
# What every one of these does must be seen as opaque, wherever it stands.
POISON = ["$x", "$(a)", "`a`", "${x}", "$((1))", "*", "?", "[a]", "{a,b}", "~", ">f", "<f", "2>&1", "&", "(a)",
          "{ a; }", "#c", "\\", "\\\n", "a=1", "!", "\"$x\"", "\"`a`\"", "\"\\$\"", "$'a'", "<<E", "<(a)", "if a; then b; fi",
          "[[ a ]]", "time a", "coproc a", "function f { a; }", "f() { a; }", ";;", "|&", "&>f", "\r", "\x01",
          "\x7f", "\x0b", "\x0c", "=a", "^a^b", "!!", "while a; do b; done", "for a in b; do a; done",
          "case a in a) b;; esac", "'", "\"", "select", "until", "-", "%", "export a=1", "\u00a0", "a=(b c)",
          "a+=b", "a[0]=1", "((1))", "let x=1", "declare a", "local", "alias a=b", "~a", "a~", "a{1..2}"]
SOUP = "ab01 \t\n'\"\\$`;|&<>(){}[]*?!#~=^%-+.,:@_\r\x01\x7f\u00e9"


def plain():
    out = []
    for i in range(rng.randint(1, 5)):
        words = [rng.choice(NAMES if rng.random() < 0.85 else BUILTINS)]
        words += [rng.choice(WORDS) for _ in range(rng.randint(0, 4))]
        out.append(rng.choice([" ", "  ", "\t"]).join(words))
        out.append(rng.choice(JOINTS))
    if rng.random() < 0.8:
        out.pop()
    return rng.choice(["", "", " ", "\n"]) + "".join(out) + rng.choice(["", "", " ", "\n", ";"])


def poisoned():
    text = plain()
    for _ in range(rng.randint(1, 2)):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(POISON) + text[at:]
    return text


def mutated():
    text = list(plain())
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        if rng.random() < 0.4 and text:
            del text[at - 1]
        else:
            text.insert(at, rng.choice(SOUP))
    return "".join(text)


def soup():
    return "".join(rng.choice(SOUP) for _ in range(rng.randint(1, 24)))


def scripts():
    makers = [plain, poisoned, mutated, soup]
    made = {""}
    while len(made) < count:
        made.add(makers[len(made) % 4]())
    made.discard("")
    # "builtin" is what the functions themselves are made with.
    return [s.encode("utf-8") for s in sorted(made) if "builtin" not in s]


def fields(data):
    return iter(data.split(b"\0")[:-1])


def read_commands(it):
    """Up to "end": each a count and that many words, as a sorted list."""
    out = []
    for field in it:
        if field == b"end":
            return sorted(out)
        out.append(tuple(next(it).replace(b"\n", b"\x1f") for _ in range(int(field))))
    return None


def disagree(script, wanted, got):
    print("disagreement:", script, "\n split:", wanted, "\n shell:", got)
    sys.exit(1)


def split_all(texts):
    data = subprocess.run([split, "--expect"], input=b"".join(s + b"\0" for s in texts),
                          stdout=subprocess.PIPE, check=True).stdout
    it = fields(data)
    out = []
    for script in texts:
        out.append(read_commands(it) if next(it) == b"plain" else None)
    return out


def evaluate(texts, expected):
    """All in one bash, commands as functions."""
    with open(scratch + "/scripts", "wb") as f:
        f.write(b"".join(s + b"\0" for s in texts))
    open(scratch + "/record", "wb").close()
    place = scratch + "/place"
    os.makedirs(place, exist_ok=True)
    for name in ["a", "b", "ab", "1", "a.b", "x=1"]:  # for globs to find
        open(os.path.join(place, name), "w").close()
    subprocess.run(["/bin/bash", "--norc", "--noprofile", runner, scratch + "/scripts", scratch + "/record"] + NAMES,
                   cwd=place, env={"LC_ALL": "C", "HOME": "/nowhere", "PATH": "/nowhere"}, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(scratch + "/record", "rb") as f:
        it = fields(f.read())
    for script, wanted in zip(texts, expected):
        got = read_commands(it)
        if got != wanted:
            disagree(script, wanted, got)


def execute(shell, texts, expected):
    """One shell for each, with real programs."""
    place = scratch + "/bin"
    os.makedirs(place, exist_ok=True)
    record = scratch + "/record"
    for name in NAMES:
        if name not in (".", "..", ":", "--") and not os.path.exists(os.path.join(place, name)):
            os.symlink(split, os.path.join(place, name))
    done = 0
    for script, wanted in zip(texts, expected):
        if any(os.fsdecode(w[0]) not in os.listdir(place) for w in wanted):
            continue
        open(record, "wb").close()
        subprocess.run([shell, "-c", os.fsdecode(script)], cwd=scratch + "/place",
                       env={"PATH": place, "SBX_RECORD": record, "LC_ALL": "C"}, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(record, "rb") as f:
            got = read_commands(fields(f.read() + b"end\0"))
        if got != wanted:
            disagree(script, wanted, (shell, got))
        done += 1
    return done


texts = scripts()
expected = split_all(texts)
# A name with a slash would be executed, past every function.
chosen = [(s, e) for s, e in zip(texts, expected) if e is not None and not any(b"/" in w[0] for w in e)]
if len(chosen) < count // 10:
    print("too few scripts were split:", len(chosen))
    sys.exit(1)
evaluate([s for s, _ in chosen], [e for _, e in chosen])
sample = rng.sample(chosen, min(len(chosen), count // 50))
by_bash = execute("/bin/bash", [s for s, _ in sample], [e for _, e in sample])
by_sh = execute("/bin/sh", [s for s, _ in sample], [e for _, e in sample])
print(f"{len(texts)} scripts, {len(chosen)} split and evaluated by bash, "
      f"{by_bash} run by bash -c, {by_sh} by sh -c: no disagreement")
