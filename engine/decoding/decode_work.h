// The work on one file, in the process that was made for it: read it, decode it, write down what came out.
//
// Invariant: whatever the file says, at most what was asked for is written, behind a head that says how it
// went. It never returns to code that serves another file: who calls it ends the process.
#pragma once

#include "engine/decoding/decode_protocol.h"

namespace perigee::decoding {

/// `input` is a file of bytes, `output` a file (image, sound, probe) or a pipe (stream). Enters the box
/// first.
void do_work(const DecodeRequest& request, int input, int output);

}  // namespace perigee::decoding
