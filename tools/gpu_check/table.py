"""The table."""

from . import chains

HEADER = [
    "what", "M", "Renorm, us", "PyTorch, us", "torch.compile, us", "to PyTorch", "to torch.compile",
    "RMSNorm to LayerNorm", "of the ceiling",
]  # fmt: skip


def format_time(seconds):
    return "" if seconds is None else f"{1e6 * seconds:.4g}"


def format_ratio(ours, other):
    return "" if ours is None or other is None else f"{ours / other:.2f}"


def find_seconds(rows, program, count):
    """The time of the kernels of `program` with `count` rows, or None if it was not measured."""
    return next((row.seconds.get("renorm") for row in rows if row.program is program and row.rows == count), None)


def make_rows(rows, bandwidth, flops):
    """The cells of the table of `rows`, benchmark.Row each. Without ceilings, None, no share of them is given."""
    cells = []
    programs = [row.program for row in rows]
    for row in rows:
        if row.error:
            cells.append([row.program.label, str(row.rows), row.error] + [""] * (len(HEADER) - 3))
            continue
        ours, eager, compiled = (row.seconds.get(name) for name in ("renorm", "eager", "compile"))
        other = find_seconds(rows, chains.with_layer_norm(row.program, programs), row.rows)
        share = "" if ours is None or not (bandwidth and flops) else f"{100 * row.share(bandwidth, flops):.0f} %"
        cells.append(
            [
                row.program.label, str(row.rows), *map(format_time, (ours, eager, compiled)),
                format_ratio(ours, eager), format_ratio(ours, compiled), format_ratio(ours, other), share,
            ]
        )  # fmt: skip
    return cells


def format_table(header, cells):
    """The lines of a table in Markdown: the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in [header, *cells]) for column in range(len(header))]

    def line(row):
        texts = (cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths)))
        return f"| {' | '.join(texts)} |"

    rule = "|".join("-" * (width + 2) if at == 0 else "-" * (width + 1) + ":" for at, width in enumerate(widths))
    return [line(header), f"|{rule}|", *map(line, cells)]
