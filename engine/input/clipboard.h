// Clipboard: the system clipboard, provided by a back end. Games cannot read it.
#pragma once

#include <string>

namespace perigee {

class Clipboard {
public:
    Clipboard() = default;
    virtual ~Clipboard() = default;
    Clipboard(const Clipboard&) = delete;
    Clipboard& operator=(const Clipboard&) = delete;

    /// Any bytes; empty when there is no text.
    virtual std::string read() = 0;
    virtual void write(const std::string& text) = 0;
};

}  // namespace perigee
