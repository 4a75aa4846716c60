// Decodes one file in its own process: reads it, decodes it, writes the result.
//
// Invariant: whatever the file contains, at most the requested size is written, after a head with the
// outcome. The process never serves another file: the caller ends it afterwards.
#pragma once

#include "engine/assets/internal/decode_protocol.h"

namespace perigee::decoding {

/// `input` is a file of bytes, `output` a file (image, sound, probe), a pipe (stream) or a socket (font).
/// Enters the sandbox first.
void do_work(const DecodeRequest& request, int input, int output);

}  // namespace perigee::decoding
