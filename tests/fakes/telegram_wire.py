"""Just enough HTTP/1.1 for a fake server: keep-alive; form, multipart and JSON bodies. Lean."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


@dataclass(frozen=True, slots=True)
class File:
    """A file of a multipart body."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """One request, its body already read."""

    method: str
    path: str  # unquoted, without the query
    fields: dict[str, str]  # query and body
    files: dict[str, File]
    json: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Response:
    """What goes back. `drop` closes the connection without a word."""

    status: int = 200
    body: bytes = b""
    mime: str = "application/json"
    drop: bool = False


Handle = Callable[[Request], Awaitable[Response]]


async def serve(handle: Handle, host: str = "127.0.0.1", port: int = 0) -> asyncio.Server:
    """Listen; port 0 takes a free one."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                request = await _read(reader)
                response = await handle(request)
                if response.drop:
                    writer.transport.abort()
                    return
                writer.write(_head(response) + response.body)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            return
        finally:
            writer.close()

    return await asyncio.start_server(connected, host, port, limit=2**18)


def _head(response: Response) -> bytes:
    return (
        f"HTTP/1.1 {response.status} X\r\nContent-Type: {response.mime}\r\n"
        f"Content-Length: {len(response.body)}\r\n\r\n"
    ).encode()


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = await _chunked(reader)
    else:
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    url = urlsplit(target)
    fields = dict(parse_qsl(url.query, keep_blank_values=True))
    files: dict[str, File] = {}
    parsed: dict[str, Any] = {}
    mime = headers.get("content-type", "")
    if mime.startswith("multipart/form-data"):
        _multipart(body, mime.partition("boundary=")[2].strip('"'), fields, files)
    elif mime.startswith("application/json") and body:
        parsed = json.loads(body)
        fields |= {k: v if isinstance(v, str) else json.dumps(v) for k, v in parsed.items()}
    elif body:
        fields |= parse_qsl(body.decode("utf-8"), keep_blank_values=True)
    return Request(method, unquote(url.path), fields, files, parsed)


async def _chunked(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readexactly(2)
    return body


def _multipart(body: bytes, boundary: str, fields: dict[str, str], files: dict[str, File]) -> None:
    for piece in body.split(b"--" + boundary.encode())[1:-1]:
        head, _, data = piece.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        data = data.removesuffix(b"\r\n")
        values: dict[str, str] = {}
        mime = "application/octet-stream"
        for line in head.decode("utf-8").split("\r\n"):
            name, _, value = line.partition(":")
            if name.lower() == "content-type":
                mime = value.strip()
            if name.lower() == "content-disposition":
                for option in value.split(";")[1:]:
                    key, _, quoted = option.strip().partition("=")
                    values[key] = quoted.strip('"')
        if "filename" in values:
            files[values["name"]] = File(values["filename"], mime, data)
        else:
            fields[values["name"]] = data.decode("utf-8")
