// Reads declarations of uniforms, and of the rest of the language only words that LÖVE adds to it.
#include "engine/shaders/shader_source.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

bool is_word_letter(char letter) noexcept {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           (letter >= '0' && letter <= '9');
}

std::string without_comments(std::string_view text) {
    std::string code{text};
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        if (code[i] != '/' || (code[i + 1] != '/' && code[i + 1] != '*')) continue;
        const bool is_line = code[i + 1] == '/';
        const std::size_t found = code.find(is_line ? "\n" : "*/", i + (is_line ? 0 : 2));
        const std::size_t end = found == code.npos ? code.size() : found + (is_line ? 0 : 2);
        for (; i < end; ++i)
            if (code[i] != '\n') code[i] = ' ';
        --i;
    }
    return code;
}

bool begins_name(char letter) noexcept { return is_word_letter(letter) && (letter < '0' || letter > '9'); }

// The words that LÖVE adds to the language, where they stand before a name, become those of GLSL.
std::string with_plain_words(std::string_view code) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWords{
        {{"extern", "uniform"}, {"number", "float"}, {"Image", "sampler2D"}}};
    std::string plain;
    for (std::size_t at = 0; at < code.size();) {
        const bool is_word = begins_name(code[at]) && (at == 0 || !is_word_letter(code[at - 1]));
        std::size_t end = at + 1;
        while (is_word && end < code.size() && is_word_letter(code[end])) ++end;
        const std::string_view word = code.substr(at, end - at);
        const std::size_t next = std::min(code.find_first_not_of(" \t\r\n", end), code.size() - 1);
        const auto* const found = std::ranges::find(kWords, word, &decltype(kWords)::value_type::first);
        const bool is_replaced =
            is_word && found != kWords.end() && next > end - 1 && begins_name(code[next]);
        plain += is_replaced ? found->second : word;
        at = end;
    }
    return plain;
}

class Reader {
public:
    explicit Reader(ShaderSource& source) : source_(source), code_(source.code) {}

    /// Empty, or what is wrong.
    std::string read() {
        Word function, bracket;  // the two words before
        while (!at_end() && error_.empty()) {
            const Word word{next(), begin_};
            if (word.text == "uniform") read_declaration();
            if (word.text == "effect") has_effect_ = true;
            if (const auto image = std::ranges::find(source_.images, word.text);
                image != source_.images.end())
                read_use(function, bracket, word, static_cast<std::size_t>(image - source_.images.begin()));
            else if (bracket.text == "(" && (function.text == "texture" || function.text == "texture2D"))
                uses_.push_back({function.begin, function.text.size(), word.begin, kDrawnImage});
            function = std::exchange(bracket, word);
        }
        if (error_.empty() && !has_effect_)
            error_ = fmt::format("{}: {}", source_.name, e::kShaderWithoutEffect);
        if (error_.empty()) name_uses();
        return error_;
    }

private:
    struct Word {
        std::string_view text;
        std::size_t begin = 0;
    };
    // A function that reads an image, and where the image is named.
    struct Use {
        std::size_t function = 0, length = 0;
        std::size_t image = 0, number = 0;
    };

    static constexpr std::size_t kDrawnImage = kMaxShaderImages;

    // Such an image is a texture of its own, unlike the one that is drawn, so another function reads it.
    void read_use(const Word& function, const Word& bracket, const Word& image, std::size_t number) {
        static constexpr std::array<std::string_view, 3> kReadFunctions{"Texel", "texture", "texture2D"};
        static constexpr std::array<std::string_view, 3> kPlain{"textureSize", "texelFetch", "textureLod"};
        const auto is_one_of = [&](const auto& names) {
            return bracket.text == "(" && std::ranges::find(names, function.text) != names.end();
        };
        if (is_one_of(kReadFunctions))
            uses_.push_back({function.begin, function.text.size(), image.begin, number});
        else if (!is_one_of(kPlain))
            fail(e::kShaderImageUse, source_.images[number], source_.images[number]);
    }
    void name_uses() {
        for (auto use = uses_.rbegin(); use != uses_.rend(); ++use) {
            const bool is_drawn = use->number == kDrawnImage;  // or an argument, which is that one
            if (!is_drawn) code_.insert(use->image, fmt::format("{}, ", use->number));
            code_.replace(use->function, use->length, is_drawn ? "Texel" : "second_texel");
        }
    }

    bool at_end() {
        at_ = std::min(code_.find_first_not_of(" \t\r\n", at_), code_.size());
        return at_ == code_.size();
    }
    // A word or number, or one other letter; empty at the end.
    std::string_view next() {
        if (at_end()) return {};
        begin_ = at_;
        while (at_ < code_.size() && (is_word_letter(code_[at_]) || code_[at_] == '.')) ++at_;
        if (at_ == begin_) ++at_;
        return std::string_view{code_}.substr(begin_, at_ - begin_);
    }
    template <typename... Parts> void fail(fmt::format_string<Parts...> format, Parts&&... parts) {
        const auto end = code_.begin() + static_cast<std::ptrdiff_t>(begin_);
        const auto line = std::to_string(1 + std::count(code_.begin(), end, '\n'));
        error_ = fmt::format("{}: {}", shader_place(source_.name, line),
                             fmt::format(format, std::forward<Parts>(parts)...));
    }

    void read_declaration() {
        std::string_view type = next();
        if (type == "lowp" || type == "mediump" || type == "highp") type = next();
        static constexpr std::array<std::string_view, 7> kTypes{"float", "vec2", "vec3", "vec4",
                                                                "mat2",  "mat3", "mat4"};
        if (type == "sampler2D") return read_images();
        const auto& scalars = ShaderUniform::kScalarNames;
        const auto scalar = std::ranges::find(scalars, type);
        if (scalar != scalars.end()) type = "float";
        const auto* const found = std::ranges::find(kTypes, type);
        if (found == kTypes.end()) return fail(e::kUniformType, type);
        const int number = static_cast<int>(found - kTypes.begin());
        const bool is_matrix = number > 3;
        for (;;) {
            ShaderUniform uniform;
            uniform.name = next();
            uniform.size = is_matrix ? number - 2 : number + 1;
            if (scalar != scalars.end())
                uniform.scalar = static_cast<ShaderUniform::Scalar>(scalar - scalars.begin());
            if (is_matrix) {
                uniform.form = ShaderUniform::Form::matrix;
                uniform.count = uniform.size;
            }
            const std::size_t begin = begin_;
            std::string_view after = next();
            if (after == "[" && !is_matrix) {
                if (!read_length(uniform)) return;
                after = next();
            }
            const std::size_t after_begin = std::exchange(begin_, begin);
            if (!add(uniform)) return;
            begin_ = after_begin;
            if (after == "=") {
                if (uniform.form != ShaderUniform::Form::single)
                    return fail(e::kUniformNoDefault, uniform.name, uniform.type());
                if (!read_default(source_.uniforms.back())) return;
                after = next();
            }
            if (after == ";") return;
            if (after != ",") return fail(e::kUniformSyntax);
        }
    }

    void read_images() {
        for (;;) {
            const std::string name{next()};
            if (!check_name(name, "sampler2D")) return;
            if (source_.images.size() == kMaxShaderImages)
                return fail(e::kTooManyShaderImages, kMaxShaderImages);
            source_.images.push_back(name);
            const std::string_view after = next();
            if (after == ";") return;
            if (after != ",") return fail(e::kShaderImageSyntax);
        }
    }

    // After the bracket.
    bool read_length(ShaderUniform& uniform) {
        const std::string_view word = next();
        const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), uniform.count);
        if (problem != std::errc{} || end != word.data() + word.size() || uniform.count < 1 ||
            next() != "]") {
            fail(e::kUniformLength, uniform.name);
            return false;
        }
        uniform.form = ShaderUniform::Form::array;
        return true;
    }

    bool check_name(const std::string& name, std::string_view type) {
        const bool is_taken =
            source_.find(name) != nullptr || std::ranges::find(source_.images, name) != source_.images.end();
        const BuiltinUniform* const builtin = builtin_uniform(name);
        if (!begins_name(name.empty() ? ' ' : name.front()))
            fail(e::kUniformSyntax);
        else if (builtin != nullptr && builtin->type != type)
            fail(e::kUniformBuiltin, name);
        else if (is_taken)
            fail(e::kUniformTwice, name);
        return error_.empty();
    }

    bool add(ShaderUniform& uniform) {
        if (!check_name(uniform.name, uniform.type())) return false;
        if (builtin_uniform(uniform.name) != nullptr)
            uniform.initial[0] = std::numeric_limits<float>::quiet_NaN();
        const auto count = static_cast<std::size_t>(uniform.count);
        if (source_.uniforms.size() == kMaxUniforms) {
            fail(e::kTooManyUniforms, kMaxUniforms);
        } else if (count > kMaxUniformElements - source_.elements) {
            fail(e::kTooManyElements, kMaxUniformElements);
        } else {
            uniform.first = source_.elements;
            source_.elements += count;
            source_.uniforms.push_back(uniform);
        }
        return error_.empty();
    }

    std::optional<float> number() {
        std::string_view word = next();
        const bool is_negative = word == "-";
        if (is_negative) word = next();
        float value = 0.0F;
        const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
        const std::string_view rest{end, static_cast<std::size_t>(word.data() + word.size() - end)};
        if (problem != std::errc{} || !std::isfinite(value) || (!rest.empty() && rest != "f" && rest != "F"))
            return std::nullopt;
        return is_negative ? -value : value;
    }

    // Number, or type(number, …) with one number for all or as many as there are. It is blanked.
    bool read_default(ShaderUniform& uniform) {
        const std::size_t begin = begin_;
        const bool is_good = uniform.size == 1 ? read_number(uniform) : read_vector(uniform);
        if (!is_good) {
            fail(e::kUniformDefault, uniform.name,
                 uniform.scalar == ShaderUniform::Scalar::boolean ? "true or false"
                 : uniform.scalar == ShaderUniform::Scalar::whole ? "a whole number like 3"
                 : uniform.size == 1                              ? "a number like 0.5"
                                     : fmt::format("vec{}(…) of {} numbers", uniform.size, uniform.size));
            return false;
        }
        for (std::size_t i = begin; i < at_; ++i)
            if (code_[i] != '\n') code_[i] = ' ';
        return true;
    }
    bool read_number(ShaderUniform& uniform) {
        if (uniform.scalar == ShaderUniform::Scalar::boolean) {
            const std::string_view word = next();
            uniform.initial[0] = word == "true" ? 1.0F : 0.0F;
            return word == "true" || word == "false";
        }
        const std::optional<float> value = number();
        uniform.initial[0] = value.value_or(0.0F);
        const bool must_be_whole = uniform.scalar == ShaderUniform::Scalar::whole;
        return value.has_value() && (!must_be_whole || *value == std::floor(*value));
    }
    bool read_vector(ShaderUniform& uniform) {
        if (next() != fmt::format("vec{}", uniform.size) || next() != "(") return false;
        for (int i = 0; i < uniform.size; ++i) {
            const std::optional<float> value = number();
            if (!value) return false;
            uniform.initial[static_cast<std::size_t>(i)] = *value;
            const std::string_view after = next();
            if (i == 0 && after == ")") {
                std::fill_n(uniform.initial.begin(), uniform.size, *value);
                return true;
            }
            if (after != (i + 1 == uniform.size ? ")" : ",")) return false;
        }
        return true;
    }

    ShaderSource& source_;
    std::string& code_;
    std::size_t at_ = 0;
    std::size_t begin_ = 0;  // of the last word
    bool has_effect_ = false;
    std::vector<Use> uses_;
    std::string error_;
};

}  // namespace

const BuiltinUniform* builtin_uniform(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(kBuiltinUniforms, name, &BuiltinUniform::name);
    return found != kBuiltinUniforms.end() ? found : nullptr;
}

const ShaderUniform* ShaderSource::find(std::string_view uniform) const noexcept {
    const auto found = std::ranges::find(uniforms, uniform, &ShaderUniform::name);
    return found != uniforms.end() ? &*found : nullptr;
}

std::string ShaderUniform::type() const {
    if (form == Form::matrix) return fmt::format("mat{}", size);
    const std::string element =
        size == 1 ? std::string(kScalarNames[static_cast<std::size_t>(scalar)]) : fmt::format("vec{}", size);
    return form == Form::array ? fmt::format("{}[{}]", element, count) : element;
}

std::string shader_place(std::string_view name, std::string_view line) {
    const bool is_in_lua = name.find(".lua:") != name.npos;  // the name is a place already
    return fmt::format("{}{}{}", name, is_in_lua ? ", line " : ":", line);
}

Result<ShaderSource> parse_shader(std::string_view name, std::string_view text) {
    if (text.size() > kMaxShaderBytes)
        return Error{fmt::format(e::kShaderTooLong, name, kMaxShaderBytes / 1024)};
    ShaderSource source;
    source.name = name;
    source.code = with_plain_words(without_comments(text));
    if (std::string error = Reader{source}.read(); !error.empty()) return Error{std::move(error)};
    return source;
}

}  // namespace perigee
