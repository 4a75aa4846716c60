// A system whose function is Lua: one protected call per chunk, views armed before and disarmed after. Where
// a chunk has rows that do not pass the query's enabled bits, one call per run of those that do, unless the
// system asked for runs itself: what a script can reach without asking are rows that match.
//
// Invariant: outside of run() (and of an initialiser it asked for) nothing that the script kept from it
// works: views are disarmed, epochs are zero, commands and random are refused. An error ends the run at once;
// the schedule then drops the commands and suspends the system. Chunks do not move meanwhile, because the
// world is locked.
#pragma once

#include "ecs/system.h"
#include "scripting/view.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace perigee {

struct ScriptError;

namespace internal {
struct ScriptMod;
}

class ScriptSystem {
public:
    struct Traits {
        bool is_presentation = false;
        bool takes_runs = false;  ///< called once per chunk, also where rows are disabled
    };
    ScriptSystem(internal::ScriptMod& mod, std::string name, Traits traits,
                 std::span<const ComponentId> terms);
    ~ScriptSystem();
    ScriptSystem(const ScriptSystem&) = delete;
    ScriptSystem& operator=(const ScriptSystem&) = delete;

    /// Registry slots of the run function, the chunk object (none for a system without terms) and ctx.
    void set_functions(int run_reference, int chunk_reference, int context_reference) noexcept;

    /// What the schedule calls.
    Result<void> run(SystemContext& context);

    /// Records a batch spawn. `initializer_reference`: registry slot of its function, 0 for none; owned from
    /// now on.
    void spawn_many(PrefabId prefab, std::uint32_t count, int initializer_reference);

    /// How many times this run calls the function with a chunk, and how many rows it shows in all.
    std::uint64_t visit_count();
    std::uint64_t row_count();

    const std::string& name() const noexcept { return name_; }
    CommandBuffer& commands() const noexcept { return *commands_; }
    SystemMemory* memory() noexcept { return &memory_; }
    ViewSet& views() noexcept { return views_; }

private:
    std::optional<ScriptError> visit(const ChunkView& chunk);
    std::optional<ScriptError> call();
    void count_rows();
    bool initialize(PrefabId prefab, int reference, const ChunkView& chunk, std::uint32_t first,
                    std::uint32_t last, Random* random);

    internal::ScriptMod& mod_;
    std::string name_;
    Traits traits_;
    bool has_terms_;
    SystemMemory memory_;
    ViewSet views_;
    CommandBuffer* commands_ = nullptr;  ///< while running
    SystemContext* context_ = nullptr;   ///< while running
    bool has_counted_ = false;           ///< in this run
    std::uint64_t visit_count_ = 0;
    std::uint64_t row_count_ = 0;
    int run_reference_ = 0;
    int chunk_reference_ = 0;
    int context_reference_ = 0;
};

}  // namespace perigee
