// Lines of a log's head, written and taken.
#include "engine/replay/log_header.h"

#include "ecs/base/contract.h"
#include "ecs/base/parse_number.h"

#include <fmt/format.h>

namespace perigee {

namespace {

constexpr std::string_view kLuaJit = "luajit ";

}  // namespace

std::string header_text(std::string_view magic, std::string_view version, const LogHeader& header) {
    ECS_EXPECTS(header.game.find('\n') == std::string::npos, header.game);
    ECS_EXPECTS(header.luajit.find('\n') == std::string::npos, header.luajit);
    const std::string luajit = header.luajit.empty() ? "" : fmt::format("{}{}\n", kLuaJit, header.luajit);
    return fmt::format("{}{}\ngame {}\nseed {}\nrate {}\n{}\n", magic, version, header.game, header.seed,
                       header.steps_per_second, luajit);
}

std::optional<std::string_view> take_line(std::string_view& text, std::string_view key) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || !text.starts_with(key)) return std::nullopt;
    const std::string_view value = text.substr(key.size(), end - key.size());
    text.remove_prefix(end + 1);
    return value;
}

std::optional<LogHeader> take_header(std::string_view& text) {
    const auto game = take_line(text, "game ");
    const auto seed = take_line(text, "seed ");
    const auto rate = take_line(text, "rate ");
    if (!game || !seed || !rate) return std::nullopt;
    LogHeader header;
    const auto seed_number = number_from<decltype(header.seed)>(*seed);
    const auto rate_number = number_from<decltype(header.steps_per_second)>(*rate);
    if (!seed_number || !rate_number) return std::nullopt;
    header.seed = *seed_number;
    header.steps_per_second = *rate_number;
    header.game = *game;
    header.luajit = take_line(text, kLuaJit).value_or("");
    return header;
}

}  // namespace perigee
