"""ClickHouse's HTTP interface (https://clickhouse.com/docs/interfaces/http) before chdb, which is the engine as a library.

Arguments: port, data folder. Serves what @clickhouse/client sends: a statement in the body, or in `query` with rows in the body; `database`,
settings and `param_*` as URL parameters; Basic authentication is not checked. One statement at a time: the engine has one session.

Differs from a server in this: no users, no gzip, no streaming of partial answers (each answer is complete, as with wait_end_of_query), no
KILL QUERY, no replication, and statements of several connections do not run side by side.
"""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb import session

PORT, FOLDER = int(sys.argv[1]), sys.argv[2]
ENGINE = session.Session(FOLDER)
LOCK = threading.Lock()
# Parameters of the interface itself, and settings that concern how an answer is sent.
OF_INTERFACE = {"query", "database", "query_id", "session_id", "wait_end_of_query", "enable_http_compression", "role", "user", "password"}


def quoted(value):
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def run(statement, rows, parameters):
    names = [name for name in parameters if name not in OF_INTERFACE]
    if rows:
        statement = statement.encode() + b"\n" + rows
        statement = statement.decode()
    with LOCK:
        ENGINE.query("USE " + parameters.get("database", "default"))
        try:
            for name in names:
                ENGINE.query(f"SET {name} = {quoted(parameters[name])}")
            answer = ENGINE.query(statement, "TabSeparated")
            return answer.bytes() if answer else b""
        finally:
            for name in names:
                if not name.startswith("param_"):
                    ENGINE.query(f"SET {name} = DEFAULT")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if urlsplit(self.path).path == "/ping":
            self.answer(200, b"Ok.\n")
        else:
            self.do_POST()

    def do_POST(self):
        parameters = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        body = self.body()
        statement = parameters.get("query")
        try:
            if statement is None:
                self.answer(200, run(body.decode(), b"", parameters))
            else:
                self.answer(200, run(statement, body, parameters))
        except Exception as error:
            code = str(error).removeprefix("Code: ").split(".")[0]
            self.answer(404 if code in ("60", "81") else 500, str(error).encode(), code)

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def answer(self, status, content, code=None):
        self.send_response(status)
        if code is not None:
            self.send_header("X-ClickHouse-Exception-Code", code)
        self.send_header("Content-Type", "text/plain; charset=UTF-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


ENGINE.query("CREATE DATABASE IF NOT EXISTS default")
ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
