"""Products whose reduction is split among blocks, against float64: parts that are full, shorter, one tile; odd K and N; with
what is fused into them, which is computed once, of the total."""

import kernels
from matmul_kernels_test import (
    TF32_OPTION,
    check_deferred,
    check_epilogue,
    check_grouped_rows,
    check_init,
    check_plain,
    check_prologue,
    check_rotary,
    check_whole_row,
)

SEEDS = (0, 1000)

# Element, weight, M, N, K, parts at most. A tile of up to 16 rows has 128 bytes along K, others have 64.
PLAIN = [
    ("bf16", "nk", 16, 128, 256, 2),  # two tiles each
    ("bf16", "nk", 16, 128, 192, 2),  # two tiles and one, and nothing behind K
    ("bf16", "kn", 1, 264, 328, 4),  # two tiles each in three parts, zeros behind K
    ("f16", "nk", 5, 33, 131, 2),  # elements one by one, odd N and K; two tiles and one
    ("bf16", "nk", 5, 33, 389, 2),  # the same, four tiles and three: more than are loaded before the loop
    ("bf16", "kn", 5, 33, 67, 7),  # one tile each in two parts, of which the second has three elements
    ("f16", "kn", 33, 136, 232, 3),
    ("bf16", "nk", 130, 136, 232, 4),  # two rows and columns of tiles, one tile in the last part
    ("f32", "nk", 5, 130, 100, 2),
    ("f32", "kn", 16, 132, 136, 3),
    ("f32", "nk", 1, 20, 65, 2),
    ("f32", "kn", 1, 1, 33, 2),
]


def test_plain():
    for element, weight, rows, columns, depth, parts in PLAIN:
        group = kernels.plain(element, weight, columns, depth)
        for options in ("", f" {TF32_OPTION}") if element == "f32" else ("",):
            for seed in SEEDS:
                check_plain(group, element, weight, rows, seed, f"split-k={parts}{options}")


def test_init():
    for seed in SEEDS:
        check_init(5, 328, "split-k=3", seed)
        # A dynamic number of rows.
        check_init(70, 232, "split-k=3", seed)


def test_epilogue():
    for rows, element, columns, kind, depth, options in (
        (1, "bf16", 320, "layer", 200, "split-k=2"),
        (5, "f16", 256, "rms", 328, "split-k=4"),
        (16, "f32", 130, "l2", 131, "split-k=3"),
        (16, "f32", 132, "layer", 136, f"split-k=3 {TF32_OPTION}"),
        (50, "bf16", 320, "rms", 131, "split-k=2"),
    ):
        for seed in SEEDS:
            check_epilogue(rows, element, columns, kind, options, depth, seed)


def test_deferred():
    for rows in (1, 5, 16, 70):
        for seed in SEEDS:
            check_deferred(rows, 328, "split-k=3", seed)


def test_whole_row():
    for rows, kind, columns, element, depth, options in (
        (1, "layer", 128, "bf16", 200, "split-k=2"),
        (5, "rms", 256, "bf16", 131, "split-k=3"),
        (16, "rms", 96, "f32", 131, "split-k=4"),
        (16, "layer", 200, "f32", 136, f"split-k=3 {TF32_OPTION}"),
    ):
        for seed in SEEDS:
            check_whole_row(rows, kind, columns, element, options, depth, seed)


def test_grouped_rows():
    # Heads of 80 columns are padded in the second kernel only.
    for batch, sequence, heads, width, element, depth, weight in (
        (1, 1, 3, 64, "bf16", 200, "nk"),
        (1, 5, 5, 32, "f32", 131, "nk"),
        (2, 8, 2, 128, "f16", 328, "nk"),
        (1, 5, 4, 80, "bf16", 328, "kn"),
        (2, 8, 6, 9, "bf16", 131, "nk"),
    ):
        for seed in SEEDS:
            check_grouped_rows(batch, sequence, heads, width, element, weight, "split-k=3", depth, seed)


def test_rotary():
    for batch, sequence, heads, width, part, element, normalized, depth in (
        (1, 1, 3, 64, 64, "bf16", True, 200),
        (1, 5, 2, 128, 128, "f32", False, 131),
        (2, 8, 1, 256, 256, "bf16", True, 328),
        (1, 16, 5, 96, 72, "f16", False, 328),
    ):
        for seed in SEEDS:
            check_rotary(batch, sequence, heads, width, part, element, normalized, "split-k=3", depth, seed)


def test_prologue():
    for rows, element, kind, depth, parts in (
        (1, "bf16", "rms", 328, 3),
        (5, "bf16", "layer", 589, 2),
        (16, "f32", "layer", 130, 3),
    ):
        for seed in SEEDS:
            check_prologue(rows, element, kind, depth, f"split-k={parts}", seed)


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name, "passed", flush=True)


if __name__ == "__main__":
    main()
