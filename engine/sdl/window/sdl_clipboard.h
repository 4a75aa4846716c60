// SdlClipboard: the clipboard of the display that SDL has opened; without one it is empty and ignores writes.
#pragma once

#include "engine/input/clipboard.h"

namespace perigee {

class SdlClipboard final : public Clipboard {
public:
    std::string read() override;
    void write(const std::string& text) override;
};

}  // namespace perigee
