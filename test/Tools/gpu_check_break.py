"""Copies a folder that gpu-check has prepared and makes something in it wrong.

usage: gpu_check_break.py FOLDER COPY kernel|formula|fault
"""

import json
import shutil
import sys

folder, copy, what = sys.argv[1:]
shutil.rmtree(copy, ignore_errors=True)
shutil.copytree(folder, copy)
if what == "formula":
    path = f"{copy}/tests/gpu/row_kernels_test.py"
    text = open(path).read()
    assert "0.5 * arrays" in text
    open(path, "w").write(text.replace("0.5 * arrays", "0.25 * arrays"))
else:
    programs = [name for name in __import__("os").listdir(f"{copy}/kernels/emulator")]
    assert programs
    for name in programs:
        path = f"{copy}/kernels/emulator/{name}/manifest.json"
        manifest = json.load(open(path))
        (launch,) = manifest["functions"][0]["launches"]
        if what == "kernel":
            # The residual and the branch: only the latter is halved.
            first, second = (each for each in launch["arguments"] if each.get("input") in (0, 1))
            first["input"], second["input"] = second["input"], first["input"]
        else:
            # More blocks than there are rows.
            launch["grid"][0] = 1000
            launch["arguments"] = [each | {"value": 8000} if "value" in each else each for each in launch["arguments"]]
        json.dump(manifest, open(path, "w"))
