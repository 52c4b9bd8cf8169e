"""python3 -c TEXT FILE COLUMN MOST: one column of a Parquet file, by name or number from 1, as an .npy on the standard output; COLUMN may be
empty where there is one column, and no more than MOST bytes come.  ulpscope has this text in itself, and starts it for FILE.parquet."""
import importlib
import sys

sys.path[:] = [folder for folder in sys.path if folder]  # nothing that lies in the current folder is imported
try:
    pyarrow, compute, parquet = (importlib.import_module(name) for name in ("pyarrow", "pyarrow.compute", "pyarrow.parquet"))
except ImportError:
    sys.exit("is read by pyarrow, which this Python has not; expected it; pip install pyarrow, name another Python in ULPSCOPE_PYTHON, "
             "or save the column as .npy")

TYPES = {"halffloat": "f2", "float": "f4", "double": "f8",
         **{f"{sign}int{bits}": f"{sign or 'i'}{bits // 8}" for sign in ("", "u") for bits in (8, 16, 32, 64)}}


def main() -> None:
    path, asked, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
    try:
        file = parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as failure:
        sys.exit(f"is no Parquet that pyarrow reads: {str(failure).splitlines()[0]}; expected one; copy or write it again")
    names, schema = file.schema_arrow.names, file.schema_arrow
    name = asked or (names[0] if len(names) == 1 else None)
    if asked.isdigit() and asked not in names and 1 <= int(asked) <= len(names):
        name = names[int(asked) - 1]
    if names.count(name) != 1:
        sys.exit(f"{'no column is named ' + asked if asked else 'which column is not said'}; expected one of {', '.join(names)}; give column=")
    kind = TYPES.get(str(schema.field(name).type))
    if not kind:
        sys.exit(f"column {name} is of type {schema.field(name).type}; expected floats or integers; convert it before it is written")
    rows, size = file.metadata.num_rows, int(kind[1:])
    if rows * size > most:
        sys.exit(f"column {name} would take {rows * size} bytes, and at most {most} are read; expected fewer; save it as .npy, if you trust it")
    header = f"{{'descr': '{'|' if size == 1 else '<'}{kind}', 'fortran_order': False, 'shape': ({rows},), }}\n".encode()
    sys.stdout.buffer.write(b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header)
    for batch in file.iter_batches(columns=[name], batch_size=1 << 16):
        column = batch.column(0)
        if column.null_count and kind[0] != "f":
            sys.exit(f"column {name} lacks integers in {column.null_count} rows; expected one in each; fill them, or convert it to floats")
        column = compute.fill_null(column, float("nan")) if column.null_count else column
        sys.stdout.buffer.write(memoryview(column.buffers()[1])[column.offset * size:(column.offset + len(column)) * size])


if __name__ == "__main__":
    main()
