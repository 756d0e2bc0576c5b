# SPDX-License-Identifier: Apache-2.0
"""A GGUF v3 file of a llama model, written with struct and numpy.

A file is: magic, version, counts; key-value pairs; a table of tensors (name, extents innermost
first, type, offset); then the tensors, each at a multiple of 32 bytes. Matrices are F32 or Q8_0
(blocks of 32 along the row: an f16 scale and 32 signed bytes); vectors are always F32.
"""

import struct

import numpy as np

ALIGNMENT = 32
F32, Q8_0 = 0, 8  # tensor types
_UINT32, _FLOAT32, _BOOL, _STRING, _ARRAY, _INT32 = 4, 6, 7, 8, 9, 5  # value types


def quantize_q8_0(matrix):
    """The bytes of a float32 array as Q8_0; the last extent is a multiple of 32."""
    blocks = matrix.astype(np.float32).reshape(-1, 32)
    scale = np.abs(blocks).max(axis=1, keepdims=True) / np.float32(127)
    inverse = np.divide(np.float32(1), scale, out=np.zeros_like(scale), where=scale != 0)
    scaled = blocks * inverse
    rounded = np.trunc(scaled + np.copysign(np.float32(0.5), scaled)).astype(np.int8)
    return np.concatenate([scale.astype(np.float16).view(np.int8), rounded], axis=1).tobytes()


def dequantize_q8_0(data, shape):
    rows = np.frombuffer(data, np.int8).reshape(-1, 34)
    scale = rows[:, :2].copy().view(np.float16).astype(np.float32)
    return (rows[:, 2:].astype(np.float32) * scale).reshape(shape)


def _string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value):
    """(type, bytes) of a metadata value: its Python type says which."""
    if isinstance(value, bool):
        return _BOOL, struct.pack("<?", value)
    if isinstance(value, int):
        return _UINT32, struct.pack("<I", value)
    if isinstance(value, float):
        return _FLOAT32, struct.pack("<f", value)
    if isinstance(value, str):
        return _STRING, _string(value)
    if isinstance(value, np.ndarray):  # float32 or int32
        kind = _FLOAT32 if value.dtype == np.float32 else _INT32
        return _ARRAY, struct.pack("<IQ", kind, len(value)) + value.tobytes()
    return _ARRAY, struct.pack("<IQ", _STRING, len(value)) + b"".join(map(_string, value))


def write(path, metadata, tensors, quantized):
    """metadata: {key: value}; tensors: {name: float32 array}; quantized: matrices as Q8_0."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    for key, value in metadata.items():
        kind, data = _value(value)
        head += _string(key) + struct.pack("<I", kind) + data
    bodies, offset = [], 0
    for name, array in tensors.items():
        kind = Q8_0 if quantized and array.ndim == 2 else F32
        body = quantize_q8_0(array) if kind == Q8_0 else array.astype("<f4").tobytes()
        extents = array.shape[::-1]
        head += _string(name) + struct.pack(f"<I{len(extents)}QIQ", len(extents), *extents, kind, offset)
        body += b"\0" * (-len(body) % ALIGNMENT)
        bodies.append(body)
        offset += len(body)
    head += b"\0" * (-len(head) % ALIGNMENT)
    with open(path, "wb") as file:
        file.write(head)
        file.writelines(bodies)
