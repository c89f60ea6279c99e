"""Runs the examples of Markdown files: their fenced blocks marked `mlir`, `sh` or `python`.

`renorm-opt` must read an `mlir` block and, written again, read it as the same. A block
that begins with the comment `// after PIPELINE` must be what PIPELINE makes of the block
before it. `sh` and `python` blocks must succeed, one after the other in one folder in
which the checkout's and the build's folders appear as in a checkout; those that call
tools/bootstrap, which runs this test, are left out.

usage: examples_test.py --source DIR --build DIR FILE-OR-FOLDER...
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

BLOCK = re.compile(r"^( *)```(mlir|sh|python)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
AFTER = re.compile(r"\s*// after (\S.*)\n")


def renorm_opt(text: str, *arguments: str) -> str:
    """The output for `text`; raises with the diagnostics if it is refused."""
    result = subprocess.run(
        ["renorm-opt", "-", *arguments], input=text, capture_output=True, text=True
    )
    if result.returncode != 0:
        raise ValueError(result.stderr)
    return result.stdout


def check(text: str, before: str | None) -> None:
    normal = renorm_opt(text, "--verify-roundtrip")
    match = AFTER.match(text)
    if not match:
        return
    if before is None:
        raise ValueError("nothing stands before it")
    made = renorm_opt(before, f"--pass-pipeline=builtin.module({match.group(1)})")
    if made != normal:
        raise ValueError(f"{match.group(1)} makes instead\n{made}")


def run(language: str, text: str, folder: str) -> None:
    command = ["bash", "-euo", "pipefail", "-c"] if language == "sh" else [sys.executable, "-c"]
    result = subprocess.run(command + [textwrap.dedent(text)], cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        raise ValueError(result.stderr)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("paths", type=pathlib.Path, nargs="+")
    options = parser.parse_args()

    files = []
    for path in options.paths:
        files += sorted(path.glob("**/*.md")) if path.is_dir() else [path]
    examples = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "test").symlink_to(options.source / "test")
        pathlib.Path(folder, "build").symlink_to(options.build)
        for file in files:
            content = file.read_text()
            before = None
            for match in BLOCK.finditer(content):
                language, text = match.group(2), match.group(3)
                if "tools/bootstrap" in text:
                    continue
                examples += 1
                line = content.count("\n", 0, match.start()) + 1
                try:
                    if language == "mlir":
                        check(text, before)
                        before = text
                    else:
                        run(language, text, folder)
                except ValueError as error:
                    failures += 1
                    print(f"{file}:{line}: {error}", file=sys.stderr)
    print(f"{examples} examples in {len(files)} files, {failures} failures")
    # A rename of the folder must not make this test pass by finding nothing.
    return 1 if failures or examples < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
