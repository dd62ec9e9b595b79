"""XXH3 and zstd: from the modules `xxhash` and `zstandard` if they are installed, else from the
system's libxxhash and libzstd. Neither is looked for before a file is read."""

import ctypes
import ctypes.util
import functools

from .errors import MissingLibrary

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


def _library(name, versioned):
    """The system's shared library of that name."""
    for candidate in (versioned, ctypes.util.find_library(name)):
        try:
            if candidate:
                return ctypes.CDLL(candidate)
        except OSError:
            continue
    return None


@functools.lru_cache(maxsize=None)
def _hasher():
    try:
        import xxhash

        return xxhash.xxh3_64_intdigest
    except (ImportError, AttributeError):
        pass
    library = _library("xxhash", "libxxhash.so.0")
    if library is None or not hasattr(library, "XXH3_64bits"):
        raise MissingLibrary(
            "reading .hb files needs XXH3: install the Python module xxhash, or libxxhash 0.8"
        )
    function = library.XXH3_64bits
    function.restype, function.argtypes = ctypes.c_uint64, (ctypes.c_char_p, ctypes.c_size_t)
    return lambda data: function(data, len(data))


def xxh3(data):
    """XXH3 with 64 bits and seed 0 of bytes."""
    return _hasher()(data)


def _zstd_of_module():
    """The two functions of `_zstd` from the module zstandard."""
    import zstandard

    def content_size(data):
        size = zstandard.frame_content_size(data)
        return None if size < 0 else size

    def unpack(data, size):
        known = content_size(data)
        if known is None:
            return zstandard.ZstdDecompressor().decompress(data, max_output_size=max(size, 1))
        if known != size:
            raise ValueError(f"the zstd frame unpacks to {known} bytes, not {size}")
        stream = zstandard.ZstdDecompressor().decompressobj()
        out = stream.decompress(data)
        if stream.unused_data:
            raise ValueError("something follows the zstd frame")
        return out

    def checked(function):
        def call(*arguments):
            try:
                return function(*arguments)
            except zstandard.ZstdError as error:
                raise ValueError(str(error)) from error

        return call

    return checked(content_size), checked(unpack)


def _zstd_of_library(library):
    """The same from libzstd."""
    size_t, text = ctypes.c_size_t, ctypes.c_char_p
    library.ZSTD_getFrameContentSize.restype = ctypes.c_uint64
    library.ZSTD_getFrameContentSize.argtypes = (text, size_t)
    library.ZSTD_findFrameCompressedSize.restype = size_t
    library.ZSTD_findFrameCompressedSize.argtypes = (text, size_t)
    library.ZSTD_decompress.restype = size_t
    library.ZSTD_decompress.argtypes = (ctypes.c_void_p, size_t, text, size_t)
    library.ZSTD_isError.restype, library.ZSTD_isError.argtypes = ctypes.c_uint, (size_t,)
    library.ZSTD_getErrorName.restype, library.ZSTD_getErrorName.argtypes = text, (size_t,)

    def checked(code):
        if library.ZSTD_isError(code):
            raise ValueError(library.ZSTD_getErrorName(code).decode())
        return code

    def content_size(data):
        size = library.ZSTD_getFrameContentSize(data, len(data))
        if size == 2**64 - 2:
            raise ValueError("no zstd frame")
        return None if size == 2**64 - 1 else size

    def unpack(data, size):
        if checked(library.ZSTD_findFrameCompressedSize(data, len(data))) != len(data):
            raise ValueError("something follows the zstd frame")
        buffer = ctypes.create_string_buffer(max(size, 1))
        written = checked(library.ZSTD_decompress(buffer, size, data, len(data)))
        return buffer.raw[:written]

    return content_size, unpack


@functools.lru_cache(maxsize=None)
def _zstd():
    """Two functions: the size that a frame states, or None; and bytes of a frame, unpacked."""
    try:
        return _zstd_of_module()
    except (ImportError, AttributeError):
        pass
    library = _library("zstd", "libzstd.so.1")
    if library is None:
        raise MissingLibrary(
            "reading .hb files needs zstd: install the Python module zstandard, or libzstd"
        )
    return _zstd_of_library(library)


def zstd_content_size(data):
    """What a zstd frame says that it unpacks to, or None. Raises ValueError if it is none."""
    if data[:4] != ZSTD_MAGIC:
        raise ValueError("no zstd frame")
    return _zstd()[0](data)


def unzstd(data, size):
    """Unpack one zstd frame that has exactly `size` bytes. Raises ValueError otherwise."""
    if data[:4] != ZSTD_MAGIC:
        raise ValueError("no zstd frame")
    out = _zstd()[1](data, size)
    if len(out) != size:
        raise ValueError(f"the zstd frame unpacks to {len(out)} bytes, not {size}")
    return out
