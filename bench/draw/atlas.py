"""The picture that the scenes draw from."""
import struct
import zlib

SIDE = 256  # pixels, 16 x 16 frames of 16 x 16


def write_png(path, width, rows):
    """Writes rows of RGBA bytes."""
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, len(rows), 8, 6, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", data) + part(b"IEND", b""))


def write_atlas(path):
    """256 frames in different greys: a disc with one bright corner, so that turned, flipped and wrong frames show."""
    rows = []
    for y in range(SIDE):
        row = bytearray()
        for x in range(SIDE):
            frame, u, v = y // 16 * 16 + x // 16, x % 16, y % 16
            inside = (u - 7.5) ** 2 + (v - 7.5) ** 2 < 50
            corner = u + v < 9
            grey = 255 if corner else 90 + frame // 2
            row += bytes((grey, grey, grey, 255 if inside or (corner and u > 0 and v > 0) else 0))
        rows.append(bytes(row))
    write_png(path, SIDE, rows)
