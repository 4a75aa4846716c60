// Formatting only; figures arrive finished.
#include "bench/support/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <thread>

namespace perigee::bench {
namespace {

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "unknown processor";
}

double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

}  // namespace

std::string table_of(const std::vector<Measured>& rows, std::size_t rounds) {
    std::string text = fmt::format(
        "{}, {} cores; g++ {}; {} rounds, ours and baseline in turn.\n"
        "ns per entity, medians; ratio: median of the rounds' own ratios.\n\n{:<46} {:>9} {:>4} {:>9} {:>9} "
        "{:>6}  {}\n",
        processor_name(), std::thread::hardware_concurrency(), __VERSION__, rounds, "row", "n", "", "ours",
        "baseline", "ratio", "baseline is");
    for (const Measured& row : rows) {
        text += fmt::format("{:<46} {:>9} {:>4} {:>9.3f} {:>9.3f} {:>6.2f}  {}\n", row.what.row, row.what.n,
                            row.what.language, row.result.ours, row.result.baseline, row.result.ratio,
                            row.what.baseline);
    }
    return text;
}

std::string json_of(const std::vector<Measured>& rows) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Measured& row : rows) {
        all.push_back({{"row", row.what.row},
                       {"n", row.what.n},
                       {"language", row.what.language},
                       {"ours_ns", rounded(row.result.ours)},
                       {"baseline", row.what.baseline},
                       {"baseline_ns", rounded(row.result.baseline)},
                       {"ratio", rounded(row.result.ratio)}});
    }
    return all.dump(2) + "\n";
}

}  // namespace perigee::bench
