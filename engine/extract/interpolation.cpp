// A chunk's positions go into its rows once its rows have been the same for a step: a game whose entities
// come and go in each step pays for single ones only.
#include "engine/extract/interpolation.h"

namespace perigee {

std::span<PreviousPositions::Point> PreviousPositions::remember_rows(std::uint32_t chunk,
                                                                     std::span<const Entity> entities,
                                                                     bool are_same) {
    if (rows_.size() <= chunk) rows_.resize(chunk + 1);
    Rows& rows = rows_[chunk];
    if (!are_same || (!rows.entities.empty() && rows.entities.size() != entities.size())) {
        rows.entities.clear();
        rows.points.clear();
        return {};
    }
    if (rows.entities.empty()) {
        rows.entities.assign(entities.begin(), entities.end());
        rows.points.resize(entities.size());
        for (std::uint32_t row = 0; row < entities.size(); ++row) {
            const Entity entity = entities[row];
            reserve(entity.index() + 1);
            entries_[entity.index()] = {{std::bit_cast<float>(chunk), std::bit_cast<float>(row)},
                                        entity.generation() | kIsInRows};
        }
    }
    return rows.points;
}

}  // namespace perigee
