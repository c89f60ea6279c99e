"""Runs the MLIR examples of Markdown files.

An example is a fenced block marked `mlir`; `renorm-opt` must read it and, written
again, read it as the same. A block that begins with the comment `// after PIPELINE`
must be what PIPELINE makes of the block before it.

usage: examples_test.py FILE-OR-FOLDER...
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^( *)```mlir\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
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


def main(paths: list[str]) -> int:
    files = []
    for path in map(pathlib.Path, paths):
        files += sorted(path.glob("**/*.md")) if path.is_dir() else [path]
    examples = failures = 0
    for file in files:
        content = file.read_text()
        before = None
        for match in BLOCK.finditer(content):
            examples += 1
            text = match.group(2)
            line = content.count("\n", 0, match.start()) + 1
            try:
                check(text, before)
            except ValueError as error:
                failures += 1
                print(f"{file}:{line}: {error}", file=sys.stderr)
            before = text
    print(f"{examples} examples in {len(files)} files, {failures} failures")
    # A rename of the folder must not make this test pass by finding nothing.
    return 1 if failures or examples < 5 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
