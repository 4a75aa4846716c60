// JSON files that people write: parsed as a whole, and no deeper than any of them is.
#pragma once

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string_view>

namespace perigee::internal {

/// Errors: throws what is wrong, as the parser does. Far more nesting than such a file has is wrong, too: it
/// would exhaust the stack when it is freed.
inline nlohmann::json parse_shallow_json(std::string_view text) {
    const nlohmann::json::parser_callback_t is_shallow = [](int depth, nlohmann::json::parse_event_t,
                                                            nlohmann::json&) {
        if (depth > 20) throw std::length_error("more than 20 levels of brackets");
        return true;
    };
    return nlohmann::json::parse(text, is_shallow);
}

}  // namespace perigee::internal
