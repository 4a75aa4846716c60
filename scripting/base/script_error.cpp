// The one place that spells an error's position.
#include "scripting/base/script_error.h"

#include "scripting/base/error_codes.h"

#include <fmt/format.h>

namespace perigee {

std::string ScriptError::text() const {
    std::string where = mod;
    if (!file.empty()) where += "/" + file;
    if (line > 0) where += fmt::format(":{}", line);
    std::string what = system.empty() ? message : fmt::format("system '{}': {}", system, message);
    return where.empty() ? what : fmt::format("{}: {}", where, what);
}

std::string_view advice_for(std::string_view message) noexcept {
    for (const messages::Advice& known : messages::kAdvice)
        if (message.ends_with(known.message)) return known.advice;
    return {};
}

std::string_view nil_global_in(std::string_view message) noexcept {
    constexpr std::string_view kGlobal = "global '", kIsNil = "' (a nil value)";
    const std::size_t at = message.find(kGlobal);
    if (at == message.npos || !message.ends_with(kIsNil)) return {};
    message.remove_prefix(at + kGlobal.size());
    message.remove_suffix(kIsNil.size());
    return message;
}

}  // namespace perigee
