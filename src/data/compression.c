// zlib, gzip and zstd through their libraries. Output sizes are known, so nothing grows without end.
#include "ploy/data/compression.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

// Window bits of zlib; 16 more mean gzip.
enum { COMPRESSION_WINDOW = 15, COMPRESSION_GZIP = 16 };

static ploy_result compression_inflate(bool gzip, const void *bytes, size_t size, void *out,
                                       size_t out_size) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (size > 0x7fffffff || out_size > 0x7fffffff) return PLOY_ERR_LIMIT;
    unsigned char nothing = 0;
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = out_size > 0 ? out : &nothing;
    stream.avail_out = (uInt)out_size;
    int status = inflateInit2(&stream, COMPRESSION_WINDOW + (gzip ? COMPRESSION_GZIP : 0));
    if (status != Z_OK) return PLOY_ERR_MEMORY;
    status = inflate(&stream, Z_FINISH);
    bool whole = status == Z_STREAM_END && stream.total_out == out_size;
    (void)inflateEnd(&stream);
    return whole ? PLOY_OK : status == Z_MEM_ERROR ? PLOY_ERR_MEMORY : PLOY_ERR_FORMAT;
}

static ploy_result compression_decompress(void *user, ploy_tiled_compression kind,
                                          const void *bytes, size_t size, void *out,
                                          size_t out_size) {
    (void)user;
    if (kind == PLOY_TILED_ZLIB || kind == PLOY_TILED_GZIP) {
        return compression_inflate(kind == PLOY_TILED_GZIP, bytes, size, out, out_size);
    }
    if (kind != PLOY_TILED_ZSTD) return PLOY_ERR_ARGUMENT;
    size_t made = ZSTD_decompress(out, out_size, bytes, size);
    return !ZSTD_isError(made) && made == out_size ? PLOY_OK : PLOY_ERR_FORMAT;
}

static ploy_result compression_deflate(bool gzip, const void *bytes, size_t size,
                                       ploy_buffer *out) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (size > 0x7fffffff) return PLOY_ERR_LIMIT;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                     COMPRESSION_WINDOW + (gzip ? COMPRESSION_GZIP : 0), 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        return PLOY_ERR_MEMORY;
    }
    size_t bound = deflateBound(&stream, (uLong)size);
    ploy_result result = ploy_buffer_reserve(out, bound);
    if (result == PLOY_OK) {
        stream.next_in = (z_const Bytef *)bytes;
        stream.avail_in = (uInt)size;
        stream.next_out = (Bytef *)out->bytes + out->size;
        stream.avail_out = (uInt)bound;
        result = deflate(&stream, Z_FINISH) == Z_STREAM_END ? PLOY_OK : PLOY_ERR_SYSTEM;
        if (result == PLOY_OK) out->size += stream.total_out;
    }
    (void)deflateEnd(&stream);
    return result;
}

static ploy_result compression_compress(void *user, ploy_tiled_compression kind, const void *bytes,
                                        size_t size, ploy_buffer *out) {
    (void)user;
    if (kind == PLOY_TILED_ZLIB || kind == PLOY_TILED_GZIP) {
        return compression_deflate(kind == PLOY_TILED_GZIP, bytes, size, out);
    }
    if (kind != PLOY_TILED_ZSTD) return PLOY_ERR_ARGUMENT;
    size_t bound = ZSTD_compressBound(size);
    ploy_result result = ploy_buffer_reserve(out, bound);
    if (result != PLOY_OK) return result;
    size_t made = ZSTD_compress(out->bytes + out->size, bound, bytes, size, ZSTD_CLEVEL_DEFAULT);
    if (ZSTD_isError(made)) return PLOY_ERR_SYSTEM;
    out->size += made;
    return PLOY_OK;
}

const ploy_compression_service *ploy_compression(void) {
    static const ploy_compression_service service = {compression_decompress, compression_compress,
                                                     NULL};
    return &service;
}
