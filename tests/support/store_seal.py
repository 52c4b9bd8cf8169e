"""The seals of a run.db, as src/store/store_line.c says what they are, written a second time: for tests that change a
run as only its program should, and for attacks by somebody who makes seals that fit."""

import hashlib
import pathlib
import struct

SMALL = ("run ORDER BY key", "provenance ORDER BY topic, name", "methods ORDER BY method_index",
         "launches ORDER BY launch_index", "entries ORDER BY entry", "specs ORDER BY entry, spec",
         "speeds ORDER BY launch_index, backend_index, method_index",
         "backends ORDER BY backend_index", "classes ORDER BY class",
         "variations ORDER BY entry, spec, launch_index, backend_index, method_index, axis")


def word(value):
    if value is None:
        return b"\xff" * 8
    if isinstance(value, float):
        return struct.pack("<d", value)
    return struct.pack("<q", value) if isinstance(value, int) else struct.pack("<q", len(as_bytes(value)))


def as_bytes(value):
    return value if isinstance(value, bytes) else value.encode()


def row_bytes(row):
    texts = (as_bytes(value) for value in row if isinstance(value, (str, bytes)))
    return b"".join([*map(word, row), *texts])


def make_changeable(store):
    """`results`, a view, is changed as a table would be."""
    store.executescript(pathlib.Path(__file__).with_name("changeable.sql").read_text())


def seal(store):
    """Makes the seals of an open sqlite3 connection anew."""
    store.text_factory = bytes
    store.execute("UPDATE cases SET row_count = (SELECT count(*) FROM measured WHERE id >> 24 = case_index)")
    for *of_case, _ in store.execute("SELECT * FROM cases").fetchall():
        rows = [(*row, 0) for row in store.execute("SELECT *, id FROM measured WHERE id >> 24 = ?", (of_case[0],))]
        rows += [(*row, 1) for row in store.execute("SELECT *, id FROM elements WHERE id >> 24 = ?", (of_case[0],))]
        rows.sort(key=lambda row: row[-2:])
        whole = hashlib.sha256(b"".join(map(row_bytes, [of_case, *(row[:-2] for row in rows)])))
        store.execute("UPDATE cases SET seal = ? WHERE case_index = ?", (whole.digest()[:16], of_case[0]))
    whole = hashlib.sha256()
    for t, table in enumerate(SMALL):
        whole.update(word(t))
        for row in store.execute(f"SELECT * FROM {table}"):
            whole.update(row_bytes(row))
    store.execute("UPDATE seal SET cases = (SELECT count(*) FROM cases), seal = ?", (whole.digest()[:16],))
    store.commit()
