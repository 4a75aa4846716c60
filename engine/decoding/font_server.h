// Serves one font: what characters it has, pictures of its glyphs, and texts that it shapes.
//
// Invariant: the answers depend on the font and the request alone. It runs in the sandbox
// (engine/decoding/decoder_sandbox.h) and ends when the game closes the socket. FreeType draws, HarfBuzz
// shapes, FriBidi finds what runs from right to left.
#pragma once

#include <string_view>

namespace perigee::decoding {

/// Answers requests (engine/assets/internal/font_protocol.h) until the socket is closed.
void serve_font(std::string_view file, int socket, bool is_sandboxed);

}  // namespace perigee::decoding
