"""Tables for people."""


def format_table(header, rows):
    """Returns the lines of a table: the first column to the left, the others to the right."""
    cells = [list(header), *(list(row) for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = [
        "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths)))
        for row in cells
    ]
    return [lines[0].rstrip(), "-" * len(lines[0]), *lines[1:]]


def format_number(value):
    """Returns `value` with four significant digits."""
    return f"{value:#.4g}"
