"""Figures of trunks, drawn by matplotlib if it is installed."""

import io
import pathlib


def pyplot():
    """Returns matplotlib's pyplot, set up to write files that are the same each time."""
    try:
        import matplotlib
    except ImportError:
        raise ValueError("expected the package matplotlib, which draws plots; python/requirements.txt names it") from None
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    # Numbers of elements would else be random, and text be drawn as paths.
    pyplot.rcParams.update({"svg.hashsalt": "renorm", "svg.fonttype": "none"})
    return pyplot


def draw(panels, x_label, y_label, logarithmic=False):
    """Returns a figure with one panel beside the other.

    Each is (title, series), each of its series (label, points, line): one of the last two is the list of values from
    0 on, the other None.
    """
    plt = pyplot()
    figure, axes = plt.subplots(1, len(panels), figsize=(4.4 * len(panels), 3.4), squeeze=False, layout="constrained")
    for axis, (title, series) in zip(axes[0], panels):
        for label, points, line in series:
            values, style = (points, "o") if line is None else (line, "-")
            axis.plot(range(len(values)), values, style, markersize=3, linewidth=1, label=label)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel(x_label)
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.set_ylabel(y_label)
        if logarithmic:
            axis.set_yscale("log")
        else:
            axis.set_ylim(0, 1.1 * axis.dataLim.y1)
        axis.legend(fontsize=8, frameon=False)
    return figure


def save(figure, path):
    """Writes the figure in the format that the name of the file says: .svg, .png, ..."""
    path = pathlib.Path(path)
    is_svg = path.suffix == ".svg"
    drawn = io.BytesIO()
    try:
        # Without the date, it is the same file each time.
        figure.savefig(drawn, format=path.suffix[1:], metadata={"Date": None} if is_svg else None)
    except ValueError as error:
        raise ValueError(f"cannot draw {path}: {error}") from None
    finally:
        pyplot().close(figure)
    content = drawn.getvalue()
    if is_svg:
        content = b"".join(line.rstrip() + b"\n" for line in content.splitlines())
    path.write_bytes(content)
