/// @file ploy/data/compression.h
/// The component `data_compression`: zlib, gzip and zstd for the layers of Tiled maps, through the
/// libraries zlib and libzstd.
///
/// Link ploy::data_compression (pkg-config ploy-data-compression) and pass ploy_compression() to
/// ploy_tiled_load and ploy_tiled_save.
#pragma once

#include "ploy/data/tiled.h"

/// Returns the service. Always valid; may be used from any thread.
PLOY_API const ploy_compression_service *ploy_compression(void);
