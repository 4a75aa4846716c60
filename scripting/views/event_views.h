// Event batches as scripts see them: for each type one view for reading and one for sending.
//
// Invariant: a view stays at its address for as long as the Lua state lives; it is armed for at most one run
// of its system and shows nothing outside it.
#pragma once

#include "ecs/schema/component.h"
#include "scripting/views/view.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace perigee {

class EventViews {
public:
    /// The two views of a type, created on first use. Throws std::bad_alloc.
    struct Pair {
        ComponentId event;
        ColumnView reading;
        ColumnView writing;
    };
    Pair& of(ComponentId event);

    /// Lends rows until disarm(), or until the view is lent again.
    static void lend(ColumnView& view, const std::byte* rows, std::size_t count,
                     std::uint64_t epoch) noexcept;
    /// Disarms all views.
    void disarm() noexcept;

private:
    std::vector<std::unique_ptr<Pair>> pairs_;
};

}  // namespace perigee
