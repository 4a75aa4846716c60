// bench/run: chooses rows, measures them one after the other, prints the table and writes the JSON.
#include "bench/support/harness.h"
#include "bench/support/report.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::bench {
namespace {

struct Options {
    std::string filter;
    std::string json = PERIGEE_SOURCE_DIR "/bench/results/latest.json";
    std::size_t rounds = 9;
    bool is_quick = false;
    bool is_list = false;
};

constexpr const char* kUsage =
    "bench/run [--filter TEXT] [--rounds N] [--quick] [--json FILE] [--list]\n"
    "  --filter TEXT  only rows whose name contains TEXT\n"
    "  --rounds N     how often each side of a row is measured (default 9)\n"
    "  --quick        3 short rounds: to see that it runs, not to quote\n"
    "  --json FILE    where the results go (default bench/results/latest.json; with --filter or --quick: "
    "nowhere)\n"
    "  --list         names the rows and measures nothing\n";

// Prints what is wrong and leaves: there is nothing to go on with.
[[noreturn]] void refuse(const std::string& message) {
    std::fprintf(stderr, "bench/run: %s\n%s", message.c_str(), kUsage);
    std::exit(2);
}

Options options_from(std::span<char*> arguments) {
    Options options;
    bool has_json = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view word = arguments[i];
        const auto value = [&]() -> std::string {
            if (i + 1 >= arguments.size()) refuse(std::string(word) + " needs a value");
            return arguments[++i];
        };
        if (word == "--filter") {
            options.filter = value();
        } else if (word == "--json") {
            options.json = value();
            has_json = true;
        } else if (word == "--rounds") {
            const std::string text = value();
            options.rounds = std::strtoul(text.c_str(), nullptr, 10);
            if (options.rounds == 0) refuse("--rounds needs a whole number from 1 on, got '" + text + "'");
        } else if (word == "--quick") {
            options.is_quick = true;
            options.rounds = 3;
        } else if (word == "--list") {
            options.is_list = true;
        } else if (word == "--help" || word == "-h") {
            std::fputs(kUsage, stdout);
            std::exit(0);
        } else {
            refuse("unknown option '" + std::string(word) + "'");
        }
    }
    // A partial or hasty result must not take the place of a full one.
    if (!has_json && (options.is_quick || !options.filter.empty())) options.json.clear();
    return options;
}

std::vector<Case> chosen_cases(const Options& options) {
    std::vector<Case> chosen;
    for (const auto& group :
         {iterate_cases(), enabled_cases(), parallel_cases(), schedule_cases(), structural_cases(),
          bulk_cases(), value_cases(), transform_cases(), memory_cases(), lua_view_cases(), lua_cases(),
          lua_table_cases(), lua_query_cases(), event_cases(), snapshot_cases(), save_cases(),
          rewind_cases()}) {
        for (const Case& item : group) {
            if (item.row.find(options.filter) != std::string::npos) chosen.push_back(item);
        }
    }
    return chosen;
}

int run(const Options& options) {
    const std::vector<Case> cases = chosen_cases(options);
    if (cases.empty()) refuse("no row's name contains '" + options.filter + "'");
    if (options.is_list) {
        for (const Case& item : cases)
            std::printf("%s, %zu (%s)\n", item.row.c_str(), item.n, item.language.c_str());
        return 0;
    }
    Effort effort;
    if (options.is_quick) effort = Effort{0.0002, 5, 1};
    std::vector<Measured> rows;
    for (const Case& item : cases) {
        std::fprintf(stderr, "[%zu/%zu] %s, %zu\n", rows.size() + 1, cases.size(), item.row.c_str(), item.n);
        rows.push_back(Measured{item, measure(item.prepare(), effort, options.rounds)});
    }
    std::fputs(table_of(rows, options.rounds).c_str(), stdout);
    if (options.json.empty()) return 0;
    std::ofstream file(options.json);
    file << json_of(rows) << std::flush;
    if (!file) {
        std::fprintf(stderr, "bench/run: cannot write %s\n", options.json.c_str());
        return 1;
    }
    return 0;
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
    using namespace perigee::bench;
    return run(options_from(std::span<char*>(argv, static_cast<std::size_t>(argc)).subspan(1)));
}
