// The counting sort: count per cell, running sum, place from the back so that equal cells keep their order.
#include "game/swarm/grid.h"

#include "ecs/base/contract.h"

#include <algorithm>
#include <cmath>

namespace perigee::swarm {

void Grid::begin(float left, float top, float right, float bottom, float cell_size) {
    ECS_EXPECTS(right > left && bottom > top && cell_size > 0.0F);
    left_ = left;
    top_ = top;
    const float extent = std::max(right - left, bottom - top);
    per_cell_ = 1.0F / std::max(cell_size, extent / static_cast<float>(kMaxCells));
    columns_ = clamped(std::ceil((right - left) * per_cell_), kMaxCells + 1);
    rows_ = clamped(std::ceil((bottom - top) * per_cell_), kMaxCells + 1);
    columns_ = std::max(columns_, 1U);
    rows_ = std::max(rows_, 1U);
    largest_radius_ = 0.0F;
    added_.clear();
    cell_of_.clear();
    cell_begin_.assign(std::size_t{columns_} * rows_ + 1, 0);
}

void Grid::add(float x, float y, float radius) {
    const std::uint32_t cell = row_of(y) * columns_ + column_of(x);
    added_.push_back({x, y, radius, static_cast<std::uint32_t>(added_.size())});
    cell_of_.push_back(cell);
    ++cell_begin_[cell];
    largest_radius_ = std::max(largest_radius_, radius);
}

void Grid::finish() {
    std::uint32_t end = 0;
    for (std::uint32_t& count : cell_begin_) {
        end += count;
        count = end;  // the end of the cell, until its discs are placed
    }
    sorted_.resize(added_.size());
    for (std::size_t i = added_.size(); i-- > 0;) sorted_[--cell_begin_[cell_of_[i]]] = added_[i];
}

}  // namespace perigee::swarm
