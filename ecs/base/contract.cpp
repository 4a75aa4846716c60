// The cold side of the checks: formatting, the hook, and the end of the process.
// It may allocate: a call that gets here does not return.
#include "ecs/base/contract.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace perigee {
namespace {

void print_failure(const ContractFailure& failure) {
    const std::string text = describe(failure);
    std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stderr);
}

std::atomic<ContractHandler> current_handler{&print_failure};

std::string text_from_value(const contract_detail::Value& value) {
    using Kind = contract_detail::Value::Kind;
    switch (value.kind) {
        case Kind::kSigned:
            return fmt::format("{}", value.signed_value);
        case Kind::kUnsigned:
            return fmt::format("{}", value.unsigned_value);
        case Kind::kReal:
            return fmt::format("{}", value.real_value);
        case Kind::kText:
            return std::string(value.text_value);
        case Kind::kAddress:
            return fmt::format("{:#x}", value.unsigned_value);
    }
    return {};
}

// The names are one text, since splitting C++ expressions at commas needs a parser; so names and values are
// printed as two lists. A single literal is a message and has no name worth printing.
std::string details_text(std::string_view names, std::initializer_list<contract_detail::Value> values) {
    std::string joined;
    for (const contract_detail::Value& value : values) {
        if (!joined.empty()) joined += ", ";
        joined += text_from_value(value);
    }
    if (names.empty() || names.front() == '"') return joined;
    return values.size() == 1 ? fmt::format("{} = {}", names, joined)
                              : fmt::format("({}) = ({})", names, joined);
}

}  // namespace

std::string describe(const ContractFailure& failure) {
    return fmt::format("{}:{}: broken {}: {}{}{}", failure.file, failure.line, failure.kind,
                       failure.expression, failure.details.empty() ? "" : ", ", failure.details);
}

ContractHandler set_contract_handler(ContractHandler handler) noexcept {
    return current_handler.exchange(handler != nullptr ? handler : &print_failure);
}

namespace contract_detail {

void fail(const char* kind, const char* expression, const char* file, int line, std::string_view names,
          std::initializer_list<Value> values) {
    const std::string details = details_text(names, values);
    current_handler.load()(ContractFailure{kind, expression, file, line, details});
    std::abort();
}

}  // namespace contract_detail
}  // namespace perigee
