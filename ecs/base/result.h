// Result: a value, or a message that says why there is none. For errors of scripts, data and the outside
// world; an error of the C++ programmer is a contract violation (ecs/base/contract.h). No exceptions, because
// there are Lua frames in between.
//
//     Result<Schema> schema = schema_from_lua(state);
//     if (!schema) return schema.error();
//     use(schema.value());
#pragma once

#include "ecs/base/contract.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perigee {

/// What happened, for code that decides by it. The message is for people, and no code reads it.
enum class ErrorKind : std::uint8_t {
    refused,        ///< the request, the declaration or the data is wrong
    not_found,      ///< a file or a name does not exist
    syntax,         ///< a text cannot be parsed
    out_of_memory,  ///< of the process; another run may succeed
};

/// What one line of an Error is about, for tools that show where it must be mended.
struct Mistake {
    enum class About : std::uint8_t { nothing, system, manifest_key };
    std::string message;
    About about = About::nothing;
    std::string name{};  ///< of the system, or the key
};

/// Why something failed: what was expected, what came, and where.
/// "component 'Ship', field 'speed': expected f32, got string"
struct Error {
    std::string message;
    ErrorKind kind = ErrorKind::refused;
    std::vector<Mistake> mistakes{};  ///< the message by lines, where each line has a place of its own

    // In result.cpp: hundreds of functions return an Error, and each would contain the code of all of these.
    Error() noexcept;
    explicit Error(std::string text);
    Error(std::string text, ErrorKind what);
    Error(const Error& other);
    Error(Error&& other) noexcept;
    Error& operator=(const Error& other);
    Error& operator=(Error&& other) noexcept;
    ~Error();
};

/// The Error of several mistakes, with a line for each.
Error joined(std::vector<Mistake> mistakes);

/// Contains a T or an Error from construction on; a moved-from Result still knows which of the two. Reading
/// the absent side is a contract violation.
template <typename T> class [[nodiscard]] Result {
    static_assert(!std::is_same_v<T, Error>, "a Result<Error> could not tell its sides apart");
    static_assert(!std::is_reference_v<T>, "lend a pointer instead");
    static_assert(std::is_nothrow_move_constructible_v<T>,
                  "what cannot fail to move leaves no Result without a side");

public:
    // Implicit on purpose: `return value;` and `return Error{...};` end every function.
    Result(T value) : value_(std::move(value)), ok_(true) {}
    Result(Error error) : error_(std::move(error)), ok_(false) {}

    Result(const Result& other) requires std::is_copy_constructible_v<T> : ok_(other.ok_) {
        if (ok_) {
            std::construct_at(&value_, other.value_);
        } else {
            std::construct_at(&error_, other.error_);
        }
    }
    Result(Result&& other) noexcept : ok_(other.ok_) { take(other); }
    Result& operator=(Result other) noexcept {
        destroy();
        ok_ = other.ok_;
        take(other);
        return *this;
    }
    ~Result() { destroy(); }

    bool ok() const noexcept { return ok_; }
    explicit operator bool() const noexcept { return ok(); }

    const T& value() const& {
        expect_value();
        return value_;
    }
    T& value() & {
        expect_value();
        return value_;
    }
    T&& value() && {
        expect_value();
        return std::move(value_);
    }

    /// Lifetime: the Result's. Copy it to keep it.
    const Error& error() const {
        ECS_EXPECTS(!ok(), "error() of a Result that holds a value");
        return error_;
    }

private:
    void expect_value() const { ECS_EXPECTS(ok(), error_.message); }

    void take(Result& other) noexcept {
        if (ok_) {
            std::construct_at(&value_, std::move(other.value_));
        } else {
            std::construct_at(&error_, std::move(other.error_));
        }
    }
    void destroy() noexcept {
        if (ok_) {
            std::destroy_at(&value_);
        } else {
            std::destroy_at(&error_);
        }
    }

    // Not a std::variant: a program has hundreds of kinds of Result, and each would be twenty more classes.
    union {
        T value_;
        Error error_;
    };
    bool ok_;
};

/// Success without a value, or an Error.
template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    bool ok() const noexcept { return !error_.has_value(); }
    explicit operator bool() const noexcept { return ok(); }

    /// Nothing to return; checks that there was no error.
    void value() const { ECS_EXPECTS(ok(), error_->message); }

    const Error& error() const {
        ECS_EXPECTS(!ok(), "error() of a Result without one");
        return *error_;
    }

private:
    std::optional<Error> error_;
};

}  // namespace perigee
