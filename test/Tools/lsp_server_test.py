"""Talks to renorm-lsp-server as an editor does: initialize, open a file, hover, shut down."""

import json
import subprocess
import sys

TEXT = """\
func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = norm.rms_norm %x epsilon = 1.0e-5 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
"""


def opened(uri, text):
    return {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}}


GOOD, BAD = "test:///good.mlir", "test:///bad.mlir"
MESSAGES = [
    ("initialize", 1, {"processId": 1, "rootPath": "mlir", "capabilities": {}, "trace": "off"}),
    ("initialized", None, {}),
    ("textDocument/didOpen", None, opened(GOOD, TEXT)),
    ("textDocument/hover", 2, {"textDocument": {"uri": GOOD}, "position": {"line": 1, "character": 10}}),
    ("textDocument/didOpen", None, opened(BAD, TEXT.replace("1.0e-5", "-1.0"))),
    ("shutdown", 3, None),
    ("exit", None, None),
]


def frame(method, number, parameters):
    message = {"jsonrpc": "2.0", "method": method, "params": parameters}
    if number is not None:
        message["id"] = number
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def parse(stream):
    """Returns the messages in what the server wrote."""
    messages = []
    while stream:
        header, _, rest = stream.partition(b"\r\n\r\n")
        length = int(header.removeprefix(b"Content-Length: "))
        messages.append(json.loads(rest[:length]))
        stream = rest[length:]
    return messages


server = subprocess.run(
    [sys.argv[1]], input=b"".join(frame(*message) for message in MESSAGES), stdout=subprocess.PIPE, timeout=60, check=True
)
messages = parse(server.stdout)
answers = {message["id"]: message["result"] for message in messages if "id" in message}
assert answers[1]["capabilities"]["hoverProvider"], answers[1]
assert "norm.rms_norm" in answers[2]["contents"]["value"], answers[2]
diagnostics = {
    message["params"]["uri"]: message["params"]["diagnostics"]
    for message in messages
    if message.get("method") == "textDocument/publishDiagnostics"
}
assert diagnostics[GOOD] == [], diagnostics
(diagnostic,) = diagnostics[BAD]
assert "'epsilon'" in diagnostic["message"], diagnostic
assert diagnostic["range"]["start"]["line"] == 1, diagnostic
