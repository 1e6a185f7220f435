# SPDX-License-Identifier: MIT
"""A reader of holos' files that shares no code with holos: written from docs/formats.md and docs/stores.md. It needs libzstd and libxxhash,
which holos needs, too."""
import ctypes
import ctypes.util
import json
import os
import struct


def _library(name, soname):
    return ctypes.CDLL(ctypes.util.find_library(name) or soname)


_zstd, _xxhash = _library("zstd", "libzstd.so.1"), _library("xxhash", "libxxhash.so.0")
_zstd.ZSTD_decompress.restype = ctypes.c_size_t
_zstd.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]


class _Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


_xxhash.XXH3_128bits.restype = _Hash128
_xxhash.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
_xxhash.XXH3_64bits.restype = ctypes.c_uint64
_xxhash.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


class Damaged(Exception):
    """The file is not what it says it is."""


def need(condition, what):
    if not condition:
        raise Damaged(what)


def digest(data):
    h = _xxhash.XXH3_128bits(data, len(data))
    return h.low, h.high


def sum_of(data):
    return digest(data)[0]


def hexadecimal(data):
    low, high = digest(data)
    return f"{high:016x}{low:016x}"


def unpack(frame, room):
    out = ctypes.create_string_buffer(room)
    size = _zstd.ZSTD_decompress(out, room, frame, len(frame))
    need(size <= room, "a frame cannot be unpacked")
    return out.raw[:size]


def varints(data, at, count):
    numbers = []
    for _ in range(count):
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        numbers.append(value)
    return numbers, at


def read(path):
    with open(path, "rb") as f:
        return f.read()


# ---- Stores ---------------------------------------------------------------------------------------


def manifest(folder):
    data = read(os.path.join(folder, "manifest.json"))
    said = json.loads(data)
    if "checksum" in said:
        need(hexadecimal(data[:data.rindex(b',"checksum":')]) == said["checksum"], "the manifest's checksum")
    return said


def part(path):
    """A part of a database: family, tier, part, and its bytes."""
    data = read(path)
    magic, family, tier, number, size, block_size, zero, checksum = struct.unpack_from("<8sQIIQQ16sQ", data)
    need(magic == b"HOLOSDB1" and zero == bytes(16) and sum_of(data[:56]) == checksum, "the header")
    table, table_sum, low, high, footer_sum, end = struct.unpack("<QQQQQ8s", data[-48:])
    need(end == b"1BDSOLOH" and sum_of(data[-48:-16]) == footer_sum, "the footer")
    need(sum_of(data[table:-48]) == table_sum, "the table")
    begin, out = 64, b""
    for stop, block_sum in struct.iter_unpack("<QQ", data[table:-48]):
        frame = data[begin:stop]
        need(sum_of(frame) == block_sum, "a block")
        out += unpack(frame, block_size)
        begin = stop
    need(len(out) == size and digest(out) == (low, high), "the bytes")
    return family, tier, number, out


def graph(path):
    """Rows of a graph: identity, depth, value or None, move or None."""
    data = read(path)
    magic, family, block_rows, zero, checksum = struct.unpack_from("<8sQQ32sQ", data)
    need(magic == b"HOLOSGR1" and block_rows == 8192 and zero == bytes(32) and sum_of(data[:56]) == checksum, "the header")
    index, index_sum, count, _, _, footer_sum, end = struct.unpack("<QQQQQQ8s", data[-56:])
    need(end == b"1RGSOLOH" and sum_of(data[-56:-16]) == footer_sum and sum_of(data[index:-56]) == index_sum, "the footer")
    begin, rows, left = 64, [], count
    for low, high, stop, block_sum in struct.iter_unpack("<QQQQ", data[index:-56]):
        frame = data[begin:stop]
        need(sum_of(frame) == block_sum, "a block")
        rows += _graph_block(unpack(frame, 1 << 20), high << 64 | low, min(left, block_rows))
        left -= min(left, block_rows)
        begin = stop
    need(len(rows) == count, "how many rows")
    return family, rows


def _graph_block(data, first, count):
    lengths, at, columns = struct.unpack_from("<4I", data), 16, []
    for i, length in enumerate(lengths):
        numbers, end = varints(data, at, count - (i == 0))
        need(end == at + length, "a column")
        at = end
        columns.append(numbers)
    identities = [first]
    for more in columns[0]:
        identities.append(identities[-1] + more)

    def value(n):
        return None if n == 0 else (n - 1) // 2 if n % 2 == 1 else -1 - (n - 2) // 2

    return [(i, d, value(v), m - 1 if m else None) for i, d, v, m in zip(identities, *columns[1:])]


def book_ply(data):
    """Keys and bytes of a ply of a book, from the bytes of its part."""
    count, = struct.unpack_from("<Q", data)
    more, at = varints(data, 8, count)
    keys, key = [], 0
    for difference in more:
        key += difference
        keys.append(key)
    need(len(data) == at + count, "the values of a ply")
    return dict(zip(keys, data[at:]))


# ---- Holograms ------------------------------------------------------------------------------------

SECTIONS = [("spines", 16), ("paths", 24), ("steps", 24), ("meetings", 16), ("classes", 16), ("seeds", 32), ("mappings", 80), ("mapped", 32),
            ("rounds", 112), ("round_seeds", 32), ("outcomes", 48), ("pending", 32), ("counters", 8)]


def check64(data):
    return _xxhash.XXH3_64bits(data, len(data))


def hologram(path):
    """The header, the entries (key: lo, hi, depth, source, flags, text or None), and the records of the sections."""
    data = read(path)
    magic, version, flags, variant, entries, solved, size, low, high = struct.unpack_from("<8sII64sQQQii", data)
    need(magic == b"HOLOGRAM" and version == 3 and size == len(data), "the header")
    need(check64(data[:448]) == struct.unpack_from("<Q", data, 448)[0], "the header's checksum")
    offset, blocks, index_sum = struct.unpack_from("<QQQ", data, 112)
    need(check64(data[offset:offset + 56 * blocks]) == index_sum, "the index")
    found = {}
    for i in range(blocks):
        found.update(_hologram_block(data, offset + 56 * i, flags & 2))
    sections = {}
    for i, (name, record) in enumerate(SECTIONS):
        at, count, checksum = struct.unpack_from("<QQQ", data, 136 + 24 * i)
        content = data[at:at + record * count]
        need(check64(content) == checksum or count == 0, name)
        sections[name] = [content[k:k + record] for k in range(0, len(content), record)]
    need(len(found) == entries and sum(e[0] == e[1] for e in found.values()) == solved, "the counts")
    header = {"variant": variant.rstrip(b"\0").decode(), "flags": flags, "entries": entries, "solved": solved, "scores": (low, high)}
    return header, found, sections


def _hologram_block(data, at, texts):
    high, low, offset, checksum, stored, size, count, _ = struct.unpack_from("<QQQQIIII", data, at)
    frame = data[offset:offset + stored]
    need(check64(frame) == checksum, "a block")
    raw = unpack(frame, size)
    more, at = varints(raw, 0, count - 1)
    keys = [high << 64 | low]
    for difference in more:
        keys.append(keys[-1] + difference)
    columns = []
    for code, width in (("h", 2), ("h", 2), ("H", 2), ("B", 1), ("B", 1)):
        columns.append(struct.unpack_from(f"<{count}{code}", raw, at))
        at += width * count
    words = raw[at:].split(b"\0")[:count] if texts else [None] * count
    return {k: (*row, t.decode() if t is not None else None) for k, t, row in zip(keys, words, zip(*columns))}


# ---- Networks -------------------------------------------------------------------------------------


def network(path):
    data = read(path)
    need(data[:8] == b"HOLOSNET" and struct.unpack_from("<Q", data, 8)[0] == 1, "the header")
    shape = struct.unpack_from("<10Q", data, 16)
    game = data[96:160].rstrip(b"\0").decode()
    parameters, statistics, low, high = struct.unpack_from("<QQQQ", data, 160)
    need(digest(data[:176] + bytes(16) + data[192:]) == (low, high), "the checksum")
    need(len(data) == 192 + 4 * (parameters + statistics), "the size")
    return game, shape, struct.unpack_from(f"<{parameters + statistics}f", data, 192)
