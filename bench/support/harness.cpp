// Rounds, medians and pairs.
#include "bench/support/harness.h"

namespace perigee::bench {

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

RowResult measure(const Sides& sides, const Effort& effort, std::size_t rounds) {
    const Effort warm_up{effort.batch_seconds, 1, 1};
    sides.ours(warm_up);
    sides.baseline(warm_up);

    std::vector<double> ours, baseline, ratios;
    for (std::size_t round = 0; round < rounds; ++round) {
        const bool ours_first = round % 2 == 0;
        double mine = ours_first ? sides.ours(effort) : 0;
        const double other = sides.baseline(effort);
        if (!ours_first) mine = sides.ours(effort);
        ours.push_back(mine);
        baseline.push_back(other);
        ratios.push_back(mine / other);
    }
    return RowResult{median(ours), median(baseline), median(ratios)};
}

}  // namespace perigee::bench
