// Statements over a fixed set of locals: numbers n1..n4, texts s1 and s2, arrays of numbers t1 and t2,
// records p1 and p2, objects with metamethods o1 and o2, functions f0.. and v0.. made earlier.
#include "tests/scripting/numeric_lua.h"

#include <utility>

namespace perigee {

std::string NumericLua::constant() {
    switch (below(8)) {
        case 0:
            return any_of({"0", "-0", "1", "-1", "0.5", "1e15", "2^31", "-2^31", "2^52 + 0.5", "1/0", "0/0",
                           "2^53", "1e-300", "4294967295", "0x7fffffff", "1e308"});
        case 1:
            return std::to_string(below(100)) + "." + std::to_string(below(100));
        default:
            return std::to_string(static_cast<int>(below(24)) - 4);
    }
}

std::string NumericLua::variable(char kind) {
    const std::uint32_t count = kind == 'n' ? 4 : 2;
    return kind + std::to_string(1 + below(count));
}

// A whole number that is not large: an index, a count.
std::string NumericLua::whole() {
    if (loops_ > 0 && one_in(2)) return "i" + std::to_string(1 + below(static_cast<std::uint32_t>(loops_)));
    return one_in(3) ? std::to_string(1 + below(12)) : "small(" + variable('n') + ")";
}

std::string NumericLua::number(int depth) {
    if (depth <= 0) {
        switch (below(7)) {
            case 0:
                return constant();
            case 1:
                return "#" + variable('t');
            case 2:
                return variable('p') + any_of({".x", ".y", "[1]"});
            case 3:
                return loops_ > 0 ? whole() : variable('n');
            default:
                return variable('n');
        }
    }
    const auto part = [&] { return number(depth - 1); };
    switch (below(20)) {
        case 0:
        case 1:
        case 2:
            return "(" + part() + any_of({" + ", " - ", " * "}) + part() + ")";
        case 3:
            return "(" + part() + any_of({" / ", " % "}) + (one_in(2) ? constant() : part()) + ")";
        case 4:
            return "-" + variable('n');
        case 5:
            return any_of({"floor(", "abs(", "sqrt(", "math.ceil(", "tobit("}) + part() + ")";
        case 6:
            return any_of({"min(", "max("}) + part() + ", " + part() + ")";
        case 7:
            return any_of({"band(", "bor(", "bxor("}) + part() + ", " + part() + ")";
        case 8:
            return any_of({"lshift(", "rshift(", "bit.arshift(", "bit.rol("}) + part() + ", " + whole() + ")";
        case 9:
            return "(" + variable('t') + "[" + whole() + "] or " + part() + ")";
        case 10:
            return "(" + condition() + " and " + part() + " or " + part() + ")";
        case 11:
            return "#" + text(0);
        case 12:
            return "(tonumber(" + text(0) + ") or " + part() + ")";
        case 13:
            return "(byte(" + text(0) + ", " + whole() + ") or " + part() + ")";
        case 14:
            return "(" + part() + " ^ " + any_of({"2", "0.5", "3", "-1", "2"}) + ")";
        case 15:
            return "(" + variable('o') + " * " + variable('o') + ")";
        case 16:
            return variable('o') + ":length()";
        case 17:
            return vararg_functions_ > 0
                       ? "(v" + std::to_string(below(static_cast<std::uint32_t>(vararg_functions_))) + "(" +
                             arguments(below(6)) + "))"
                       : part();
        case 18:
            return "several()" + any_of({"[3]", ".name", "[n1 == n1 and n1 or 5]"});
        default:
            return part();
    }
}

std::string NumericLua::text(int depth) {
    if (depth <= 0) return one_in(4) ? any_of({"''", "'12'", "'abc'", "'0x1f'", "'-7.5e1'"}) : variable('s');
    switch (below(9)) {
        case 0:
            return "short(" + text(depth - 1) + " .. " + text(depth - 1) + ")";
        case 1:
            return "short(" + variable('s') + " .. " + number(1) + " .. " + text(0) + ")";
        case 2:
            return "sub(" + text(0) + ", " + whole() + ", " + number(0) + ")";
        case 3:
            return "tostring(" + number(1) + ")";
        case 4:
            return "format('" + std::string(any_of({"%.14g", "%5.1f", "%g", "%s", "%e"})) + "', " +
                   number(1) + ")";
        case 5:
            return "short(" + variable('s') + " .. " + variable('o') + " .. " + number(0) + " .. " + text(0) +
                   ")";
        case 6:
            return "rep(" + text(0) + ", " + whole() + " % 4)";
        case 7:
            return "short(several() .. " + text(0) + " .. " + variable('s') + " .. several())";
        default:
            return any_of(
                {"s1:upper()", "s2:lower()", "s1:reverse()", "type(n1)", "concat(t1, ',', 1, min(#t1, 3))"});
    }
}

std::string NumericLua::condition() {
    switch (below(9)) {
        case 0:
            return whole() + " % " + std::to_string(2 + below(7)) + " == " + std::to_string(below(3));
        case 1:
            return text(0) + any_of({" == ", " < ", " ~= ", " <= "}) + text(0);
        case 2:
            return variable('o') + any_of({" == ", " < ", " <= "}) + variable('o');
        case 3:
            return "type(" + variable('p') + ".x) == 'number'";
        case 4:
            return "(" + condition() + any_of({" and ", " or "}) + condition() + ")";
        case 5:
            return "not (" + number(0) + " < " + number(0) + ")";
        default:
            return number(1) + any_of({" < ", " <= ", " == ", " ~= ", " > "}) + number(1);
    }
}

std::string NumericLua::arguments(std::uint32_t count) {
    std::string list;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i > 0) list += ", ";
        list += one_in(8) ? any_of({"nil", "true", "s1", "'7'"}) : number(0);
    }
    return list;
}

std::string NumericLua::more_arguments(std::uint32_t count) {
    return count == 0 ? "" : ", " + arguments(count);
}

void NumericLua::line(const std::string& text) {
    out_ += std::string(static_cast<std::size_t>(indent_) * 2, ' ') + text + "\n";
}

void NumericLua::simple_statement() {
    switch (below(14)) {
        case 0:
        case 1:
        case 2:
            line(variable('n') + " = " + number(3));
            break;
        case 3:
            line("n1, n2 = n2, " + number(2));
            break;
        case 4:
            line(variable('s') + " = " + text(2));
            break;
        case 5:
            line(variable('p') + any_of({".x = ", ".y = ", "[1] = "}) + number(2));
            break;
        case 6:
            set_element(variable('t'));
            break;
        case 7:
            line(variable('o') + " = " +
                 any_of({"o1 + o2", "o2 - o1", "o1 * 0.5", "-o2", "1 + o1", "o2 + 2", "vector(n1, n2)",
                         "vector(n3, 1)"}));
            break;
        case 8:
            line("u1 = " + number(1));  // an upvalue of all functions
            break;
        case 9:
            line("n3 = n3 + u1 % 5");
            break;
        case 10:
            // The type changes from round to round.
            line("local x" + std::to_string(++names_) + " = " + condition() + " and " + number(1) + " or " +
                 text(1));
            line("if type(x" + std::to_string(names_) + ") == 'number' then n4 = x" + std::to_string(names_) +
                 " else s2 = short(x" + std::to_string(names_) + " .. s2) end");
            break;
        case 11:
            line("keep(" + number(1) + ", " + any_of({"n1", "s1", "n2 < 3", "nil", "#s2"}) + ")");
            break;
        case 12:
            line("n2 = (kept[" + whole() + " % 16 + 1] == n1) and n2 + 1 or n2 - 0.5");
            break;
        default:
            line(variable('n') + " = small(" + number(2) + ")");
            break;
    }
}

// Beside the others, or at the end: # of a list with holes may be any of its borders, in compiled code
// another one (docs/lua-api.md).
void NumericLua::set_element(const std::string& list) {
    line(list + "[min(" + whole() + " % 9, #" + list + ") + 1] = " + number(1));
}

void NumericLua::new_table(int depth) {
    const std::string t = any_of({"t1", "t2"});
    const std::string p = any_of({"p1", "p2"});
    switch (below(8)) {
        case 0:
            line(p + " = { x = " + number(1) + ", y = " + number(1) + " }");
            break;
        case 1:
            line(t + " = { " + number(1) + ", " + number(1) + ", " + number(0) + " }");
            break;
        case 2:  // made for this round, and kept in some rounds only
            line("local q" + std::to_string(++names_) + " = { x = " + number(1) +
                 ", y = p1.x, [1] = " + number(0) + " }");
            line("n1 = n1 + q" + std::to_string(names_) + ".x");
            line("if " + condition() + " then " + p + " = q" + std::to_string(names_) + " end");
            break;
        case 3:
            line("local q" + std::to_string(++names_) + " = " + (one_in(2) ? "p1" : "p2"));
            line("for j = 1, " + std::to_string(2 + below(4)) + " do");
            line("  local before = q" + std::to_string(names_) + ".x");
            line("  n2 = n2 + (before or 0)");
            line("  q" + std::to_string(names_) + " = { x = j, y = " + number(0) + ", z = j }");
            line("end");
            line("if " + condition() + " then " + p + " = q" + std::to_string(names_) + " end");
            break;
        case 4:
            line("local q" + std::to_string(++names_) + " = {}");
            line("for j = 1, " + std::to_string(1 + below(20)) + " do q" + std::to_string(names_) +
                 "[j] = j * " + number(0) + " end");
            line("n3 = n3 + #q" + std::to_string(names_) + " + (q" + std::to_string(names_) + "[" + whole() +
                 "] or 0)");
            break;
        case 5:
            line("local q" + std::to_string(++names_) + " = { 'a', 'b' }");
            line("for j = 1, " + std::to_string(2 + below(3)) + " do");
            line("  local second = q" + std::to_string(names_) + "[2]");
            line("  if second == 'b' then n4 = n4 + 1 end");
            line("  q" + std::to_string(names_) + " = { j, " + number(0) + ", 3 }");
            line("end");
            line("n4 = n4 + q" + std::to_string(names_) + "[1]");
            break;
        case 6:
            line("local a" + std::to_string(++names_) + ", b = { y = n1 }, { x = n2 }");
            line("a" + std::to_string(names_) + ".next = b");
            line("b.back = a" + std::to_string(names_));
            line("n1 = b.back.next.x + b.back.y");
            if (depth > 0) branch(depth - 1);
            break;
        default:
            line(p + " = { [1] = " + number(0) + ", x = n1, y = " + p + ".y }");
            break;
    }
}

void NumericLua::growing_table() {
    const std::string t = variable('t');
    const std::string q = "q" + std::to_string(++names_);
    switch (below(8)) {
        case 0:
            line("if #" + t + " < 40 then " + t + "[#" + t + " + 1] = " + number(1) + " end");
            break;
        case 1:
            line("if #" + t + " < 40 then insert(" + t + ", " + number(1) + ") end");
            break;
        case 2:
            line("n2 = remove(" + t + ") or n2");
            break;
        case 3:  // keys that make it larger, and one that was looked up before
            line("local " + q + " = { x = 1 }");
            line("for j = 1, " + std::to_string(3 + below(9)) + " do");
            line("  local known = " + q + ".x");
            line("  " + q + "['k' .. j] = known + " + number(0));
            line("  " + q + ".x = " + q + ".x + (" + q + "['k' .. (j - 1)] or 1)");
            line("end");
            line("n3 = " + q + ".x");
            break;
        case 4:
            line("local " + q + " = {}");
            line("for j = " + std::to_string(below(12)) + ", -3, -1 do " + q + "[j] = " + number(0) + " end");
            line("n1 = n1 + (" + q + "[0] or 5) + (" + q + "[-2] or 6) + #" + q);
            break;
        case 5:
            line(
                "for key, value in pairs(p1) do if type(value) == 'number' then n4 = n4 + value end s1 = "
                "short(s1 .. key) end");
            break;
        case 6:
            line("for j, value in ipairs(" + t + ") do n1 = n1 + value * j if j > 20 then break end end");
            break;
        default:
            line("p2.x, p2.z = " + any_of({"nil, 1", "1, nil", "n1, n2", "nil, nil"}));
            line("p2.x = p2.x or " + number(0));
            break;
    }
}

void NumericLua::call() {
    if (vararg_functions_ > 0 && one_in(2)) {
        const std::string name = "v" + std::to_string(below(static_cast<std::uint32_t>(vararg_functions_)));
        switch (below(5)) {
            case 0:
                line("n1, n2, n3 = add3(n1, " + name + "(" + arguments(below(7)) + "))");
                break;
            case 1:
                line("n2 = select('#', " + name + "(" + arguments(below(5)) + "))");
                break;
            case 2:
                line("local list = { " + name + "(" + arguments(below(5)) + ") }");
                // Not #list: there may be a nil among the results.
                line("n3 = n3 + (tonumber(list[1]) or 2) + (tonumber(list[3]) or 0.5)");
                break;
            case 3:
                line("n4 = (" + name + "(unpack(t1, 1, " + whole() + " % 7)))");
                break;
            default:
                line("n1 = (" + name + "(" + arguments(2) + ", " + name + "(" + arguments(below(4)) + ")))");
                break;
        }
        return;
    }
    if (functions_ == 0) return simple_statement();
    const std::string name = "f" + std::to_string(below(static_cast<std::uint32_t>(functions_)));
    line("if calls < 8 then calls = calls + 1 n1, s1 = " + name + "(" + number(0) + ", " + number(0) +
         ", s1) end");
}

void NumericLua::metamethod() {
    switch (below(6)) {
        case 0:
            line("s1 = short('a' .. o1 .. n1 .. o2 .. s2)");
            break;
        case 1:
            line("n1, n2 = o1(n2" + more_arguments(below(4)) + ")");
            break;
        case 2:
            line("s2 = short(s1 .. n1 .. several() .. n2)");
            break;
        case 3:
            line("local m" + std::to_string(++names_) + " = several()");
            line("for j = 1, 4 do n3 = n3 + m" + std::to_string(names_) + "[j] m" + std::to_string(names_) +
                 "[j] = n3 % 10 end");
            break;
        case 4:
            line("o1 = (o1 + o2) * 0.25 - -o2");
            break;
        default:
            line("if o1 == vector(n1, n2) or o1 <= o2 then n4 = n4 + 1 end");
            break;
    }
}

void NumericLua::coroutine() {
    const std::string co = "co" + std::to_string(++names_);
    line("local " + co + " = wrap(function(a, ...)");
    line("  for j = 1, " + std::to_string(2 + below(9)) + " do");
    line("    local b, c = yield(a * j, select('#', ...), ...)");
    line("    a = a + (b or " + constant() + ")");
    line("    if c then n4 = n4 + 1 end");
    line("  end");
    line("  return a");
    line("end)");
    line("n1 = " + co + "(" + number(0) + more_arguments(below(4)) + ")");
    line("for j = 1, " + std::to_string(1 + below(2)) + " do n2, n3 = add3(n2, " + co +
         "(j, j % 2 == 0)) end");
}

void NumericLua::closure() {
    const std::string list = "c" + std::to_string(++names_);
    line("local " + list + " = {}");
    line("for j = 1, " + std::to_string(2 + below(5)) + " do");
    line("  local mine = j * " + number(0));
    line("  " + list + "[j] = function(d) mine = mine + d u2 = u2 + 1 return mine, n1 end");
    line("end");
    line("for j = 1, #" + list + " do n2 = n2 + " + list + "[j](" + number(0) + ") + " + list + "[1](j) end");
}

void NumericLua::failing_call(int depth) {
    line("local ok" + std::to_string(++names_) + ", got = pcall(function(...)");
    const std::string ok = "ok" + std::to_string(names_);
    ++indent_;
    const int around = std::exchange(loops_, 0);
    line("for i1 = 1, " + std::to_string(3 + below(20)) + " do");
    ++indent_;
    loops_ = 1;
    if (depth > 0) statement(depth - 1);
    simple_statement();
    line("if " + condition() + " then error(" + any_of({"i1", "'text'", "nil", "s1", "n1"}) + ") end");
    if (one_in(3))
        line("n1 = n1 + " + std::string(any_of({"p1.nothing", "(i1 > 5 and p1.nothing or 1)", "kept[1]"})));
    --indent_;
    line("end");
    loops_ = around;
    line("return " + number(1) + ", ...");
    --indent_;
    line("end" + more_arguments(below(4)) + ")");
    line("n3 = " + ok + " and n3 + 1 or n3 - 1");
    line("if type(got) == 'string' then s2 = short(got) end");
}

void NumericLua::loop(int depth) {
    const std::string i = "i" + std::to_string(loops_ + 1);
    // The deeper, the fewer rounds.
    const std::uint32_t rounds = loops_ == 0 ? 24 : loops_ == 1 ? 8 : 3;
    std::string end = "end";
    switch (below(6)) {
        case 0:
            line("local w" + std::to_string(loops_) + " = 0");
            line("while w" + std::to_string(loops_) + " < " + std::to_string(1 + below(rounds)) + " do");
            line("  w" + std::to_string(loops_) + " = w" + std::to_string(loops_) + " + 1");
            line("  local " + i + " = w" + std::to_string(loops_));
            break;
        case 1:
            line("local w" + std::to_string(loops_) + " = " + std::to_string(below(rounds)));
            line("repeat");
            line("  w" + std::to_string(loops_) + " = w" + std::to_string(loops_) + " - 1");
            line("  local " + i + " = w" + std::to_string(loops_));
            end = "until w" + std::to_string(loops_) + " <= 0";
            break;
        case 2:
            line("for " + i + " = " + std::to_string(1 + below(rounds)) + ", " + std::to_string(below(4)) +
                 ", -" + any_of({"1", "2", "0.5"}) + " do");
            break;
        case 3:
            line("for " + i + " = 1, min(" + number(1) + ", " + std::to_string(1 + below(rounds)) + ") do");
            break;
        default:
            line("for " + i + " = 1, " + std::to_string(1 + below(rounds)) + " do");
            break;
    }
    ++loops_;
    ++indent_;
    block(depth - 1);
    if (one_in(4)) line("if " + condition() + " then break end");
    --indent_;
    --loops_;
    line(end);
}

void NumericLua::branch(int depth) {
    line("if " + condition() + " then");
    ++indent_;
    block(depth - 1);
    --indent_;
    if (one_in(2)) {
        line("else");
        ++indent_;
        block(depth - 1);
        --indent_;
    }
    line("end");
}

void NumericLua::statement(int depth) {
    if (depth <= 0) return simple_statement();
    switch (below(16)) {
        case 0:
        case 1:
        case 2:
            return loop(depth);
        case 3:
        case 4:
            return branch(depth);
        case 5:
        case 6:
            line("do");
            ++indent_;
            new_table(depth - 1);
            --indent_;
            return line("end");
        case 7:
            return growing_table();
        case 8:
        case 9:
            return call();
        case 10:
            return metamethod();
        case 11:
            return coroutine();
        case 12:
            return closure();
        case 13:
            line("do");
            ++indent_;
            failing_call(depth - 1);
            --indent_;
            return line("end");
        default:
            return simple_statement();
    }
}

void NumericLua::block(int depth) {
    line("do");  // its locals are its own: a function has room for 200
    ++indent_;
    const std::uint32_t count = 1 + below(3);
    for (std::uint32_t i = 0; i < count; ++i) statement(depth);
    --indent_;
    line("end");
}

}  // namespace perigee
