// Out of line, so that a function that may fail contains the success alone.
#include "ecs/base/result.h"

namespace perigee {

Error::Error() noexcept = default;
Error::Error(std::string text) : message(std::move(text)) {}
Error::Error(std::string text, ErrorKind what) : message(std::move(text)), kind(what) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

Error joined(std::vector<Mistake> mistakes) {
    Error error;
    for (const Mistake& mistake : mistakes) {
        if (!error.message.empty()) error.message += '\n';
        error.message += mistake.message;
    }
    error.mistakes = std::move(mistakes);
    return error;
}

}  // namespace perigee
