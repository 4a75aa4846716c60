// A random grammar of Lua. Nothing depends on addresses, on the order of keys, or on rounding of powers.
#include "tests/scripting/random_lua.h"

#include "scripting/lua/internal/lua_lexer.h"

#include <string_view>
#include <utility>

namespace perigee {

std::string RandomLua::gap() {
    switch (below(24)) {
        case 0:
            return "\n";
        case 1:
            return " -- end while do\n";
        case 2:
            return " --[[ for i = 1, 2 do ]] ";
        case 3:
            return " --[==[ ]] \n goto ]==]";
        case 4:
            return "\r\n";
        case 5:
            return "\t\n\n";
        default:
            return " ";
    }
}

void RandomLua::space() { out_ += gap(); }

std::string RandomLua::name() {
    if (locals_.empty() || one_in(6))
        return any_of({"g1", "g2", "g3",
                       "gr\xC3\xB6\xC3\x9F"
                       "e"});
    return locals_[below(static_cast<std::uint32_t>(locals_.size()))];
}

std::string RandomLua::number() {
    if (one_in(3)) return any_of({"0x10", "1e2", ".5", "3.", "0x.8p1", "2.5e-1", "0xA", "1E+1"});
    return std::to_string(below(12));
}

std::string RandomLua::text() {
    return any_of({"'end'", "\"for i = 1, 2 do\"", "[[while true do\nend]]", "[==[ ]] goto x ]==]",
                   "'\\'\\\\'", "'3'", "\"a\\\nb\"", "'\\z \n  x'", "''", "'\\x41\\065'"});
}

std::string RandomLua::expression(int depth) {
    if (depth <= 0) {
        switch (below(6)) {
            case 0:
                return number();
            case 1:
                return text();
            case 2:
                return any_of({"nil", "true", "false"});
            default:
                return name();
        }
    }
    switch (below(13)) {
        case 0:
            return number();
        case 1:
            return text();
        case 2:
            return expression(depth - 1) + gap() + any_of({"+", "-", "*"}) + gap() + expression(depth - 1);
        case 3:
            return expression(depth - 1) + " " + any_of({"and", "or", "==", "~=", "<", "<=", ">"}) + " " +
                   expression(depth - 1);
        case 4:
            return "(" + expression(depth - 1) + ")";
        case 5:
            return any_of({"not ", "-", "#"}) + name();
        case 6:
            return "{" + expression(depth - 1) + ", k =" + gap() + expression(depth - 1) + "; goto = 1}";
        case 7:
            return name() + any_of({".k", "[1]", ".goto", "['k']"});
        case 8:
            return name() + gap() + ".." + gap() + number() + " ";
        case 9:
            if (functions_.empty()) return name();
            return functions_[below(static_cast<std::uint32_t>(functions_.size()))] + "(" +
                   expression(depth - 1) + ")";
        case 10:
            return is_vararg_ ? std::string(any_of({"...", "(...)", "select('#', ...)"})) : name();
        case 11:
            return function(depth - 1);
        default:
            return name();
    }
}

void RandomLua::body_start() { out_ += " out(" + std::to_string(++marks_) + ") "; }

std::string RandomLua::function(int depth) {
    // Separate text: the body is written where this expression will be.
    std::string outer = std::exchange(out_, std::string());
    const std::size_t known = locals_.size();
    const bool was_vararg = is_vararg_;
    is_vararg_ = one_in(2);
    const std::string parameter = "p" + std::to_string(known);
    out_ = "function(" + parameter + (is_vararg_ ? ", ..." : "") + ")" + (one_in(3) ? "" : gap());
    locals_.push_back(parameter);
    body_start();
    block(depth, false);
    if (one_in(2)) out_ += " return " + expression(depth > 1 ? 1 : 0) + (one_in(2) ? ", 2" : "");
    out_ += gap() + "end";
    locals_.resize(known);
    is_vararg_ = was_vararg;
    return std::exchange(out_, std::move(outer));
}

void RandomLua::numeric_for(int depth) {
    const std::string variable = "i" + std::to_string(locals_.size());
    out_ += "for" + gap() + variable + gap() + "=" + gap();
    switch (below(8)) {
        case 0:
            out_ += "1," + gap() + "3";
            break;
        case 1:
            out_ += "3," + gap() + "1," + gap() + "-1";
            break;
        case 2:
            out_ += "0, 1, 0.25";
            break;
        case 3:
            out_ += "#{1}, #{1, 2}" + gap();
            break;
        case 4:
            out_ += "'1'," + gap() + "'2'";
            break;
        case 5:
            out_ += "1, (function() for k = 1, 2 do out(k) end return 2 end)(), 1";
            break;
        case 6:
            out_ += expression(1) + "," + gap() + "4";
            break;  // an error, often
        default:
            out_ += "1, 2, " + std::string(one_in(4) ? name() : "select('#', 1, 2)");
            break;
    }
    out_ += gap() + "do";
    locals_.push_back(variable);
    body_start();
    block(depth - 1, true);
    if (one_in(4)) out_ += " if " + expression(1) + " then break end";
    out_ += gap() + "end";
    locals_.pop_back();
}

void RandomLua::other_loop(int depth) {
    const std::string counter = "n" + std::to_string(locals_.size());
    switch (below(3)) {
        case 0:
            out_ += "local " + counter + " = 0" + gap() + "while " + counter + " < 3" + gap() + "do " +
                    counter + " = " + counter + " + 1";
            locals_.push_back(counter);
            body_start();
            block(depth - 1, true);
            out_ += gap() + "end";
            break;
        case 1:
            out_ += "local " + counter + " = 0" + gap() + "repeat " + counter + " = " + counter +
                    " + 1 local k = " + counter;
            locals_.push_back(counter);
            body_start();
            block(depth - 1, true);
            out_ += gap() + "until k > 2";
            break;
        default:
            out_ += "for _, " + counter + " in ipairs({1, 2, function() end})" + gap() + "do";
            locals_.push_back(counter);
            body_start();
            block(depth - 1, true);
            out_ += gap() + "end";
            locals_.pop_back();
            break;
    }
}

void RandomLua::goto_loop(int depth) {
    const std::string label = "l" + std::to_string(++labels_);
    const std::string counter = "n" + std::to_string(locals_.size());
    locals_.push_back(counter);
    out_ += "local " + counter + " = 0 ";
    if (one_in(2)) {
        out_ += "::" + label + ":: do " + counter + " = " + counter + " + 1";
        body_start();
        block(depth - 1, false);
        out_ += " end if " + counter + " < 3 then goto " + label + " end";
    } else {
        out_ += "for j = 1, 3 do if j == 2 then goto " + label + " end";
        body_start();
        block(depth - 1, false);
        out_ += gap() + "::" + label + ":: end";
    }
}

void RandomLua::statement(int depth, bool in_loop) {
    const int choice = static_cast<int>(below(depth > 0 ? 16 : 6));
    switch (choice) {
        case 0:
        case 1: {
            const std::string value = expression(2);
            const std::string local = "v" + std::to_string(locals_.size());
            out_ += "local " + local + " =" + gap() + value;
            locals_.push_back(local);
            break;
        }
        case 2:
            out_ += "out(" + expression(2) + ")";
            break;
        case 3:
            out_ += name() + " =" + gap() + expression(2);
            break;
        case 4:
            out_ += "out(pcall(" + function(1) + ", " + expression(1) + "))";
            break;
        case 5:
            out_ += "if " + expression(1) + " then" + gap();
            if (in_loop && one_in(2)) out_ += "break";
            out_ += " elseif " + expression(1) + " then else" + gap() + "end";
            break;
        case 6:
        case 7:
        case 8:
            numeric_for(depth);
            break;
        case 9:
        case 10:
            other_loop(depth);
            break;
        case 11:
            goto_loop(depth);
            break;
        case 12: {
            const std::string name = "f" + std::to_string(functions_.size());
            const std::string value = function(depth - 1);
            // Global, so that the 200 locals are kept for others, and only calls of earlier ones.
            out_ += name + " = " + value;
            functions_.push_back(name);
            break;
        }
        case 13:
            out_ += "local o = { f = 1 }" + gap() + "function o.m(a) out(a)" + gap() +
                    "end function o:n(...) out(self.f, ...) end ";
            out_ += "o.m(" + expression(1) + ") o:n(" + expression(1) + ") o.goto = 2";
            break;
        case 14:
            out_ += "do" + gap();
            block(depth - 1, in_loop);
            out_ += gap() + "end";
            break;
        default:
            out_ += "pcall(error, " + expression(1) + ")";
            break;
    }
}

void RandomLua::block(int depth, bool in_loop) {
    const std::size_t known = locals_.size();
    const std::uint32_t count = 1 + below(3);
    for (std::uint32_t i = 0; i < count; ++i) {
        statement(depth, in_loop);
        out_ += one_in(2) ? "; " : gap();
    }
    locals_.resize(known);
}

std::string RandomLua::program() {
    out_ = one_in(10) ? "#!/usr/bin/env lua for\n" : "";
    const std::uint32_t count = 2 + below(6);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (one_in(4)) {
            statement(3, false);
        } else {
            // Protected, so that one mistake does not end the whole program.
            const std::string body = function(3);
            out_ += "out(pcall(" + body + ", " + expression(1) + "))";
        }
        out_ += one_in(3) ? ";" : "\n";
    }
    if (one_in(3)) out_ += "return " + expression(1);
    if (one_in(4)) out_ += " -- the end";
    return out_;
}

std::string RandomLua::broken_copy(const std::string& text) {
    std::vector<std::string> pieces;  // a token with the blanks in front of it
    internal::LuaLexer lexer(text);
    std::size_t last = 0;
    for (internal::LuaToken token = lexer.next(); token.kind != internal::LuaTokenKind::end;
         token = lexer.next()) {
        pieces.push_back(text.substr(last, token.end - last));
        last = token.end;
    }
    const std::uint32_t changes = 1 + below(2);
    for (std::uint32_t i = 0; i < changes && pieces.size() > 2; ++i) {
        const std::size_t at = below(static_cast<std::uint32_t>(pieces.size() - 1));
        switch (below(3)) {
            case 0:
                pieces[at] = " ";
                break;
            case 1:
                pieces[at] += " " + pieces[at + 1];
                break;
            default:
                std::swap(pieces[at], pieces[below(static_cast<std::uint32_t>(pieces.size()))]);
                break;
        }
    }
    std::string result;
    for (const std::string& piece : pieces) result += piece;
    return result;
}

}  // namespace perigee
