// A world that is saved to a file, and loaded from it. Baseline: the raw columns to a file and back, without
// types, compression, checksum and checks.
//
// 100,000 entities in rows of 64 bytes, the entity included; positions and speeds are random, the rest are
// small whole numbers. The file is in the folder for temporary files. Both sides wait for the disk, which is
// not counted.
#include "bench/support/bench_world.h"
#include "bench/support/harness.h"
#include "bench/support/populated.h"
#include "ecs/files/locked_file.h"
#include "ecs/files/regular_file.h"
#include "ecs/save/save_file.h"
#include "ecs/world/bulk.h"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>

namespace perigee::bench {
namespace {

class Saved {
public:
    Saved() {
        const ComponentId rest = declare_floats(*world_, "Rest", 8);
        const std::array components{world_->id<Position>(), world_->id<Velocity>(), world_->id<Mass>(), rest};
        archetype_ = world_->archetype(components).value();
        spawn_many(*world_, *archetype_, kHundredThousand);
        std::mt19937 random(1);
        std::uniform_real_distribution<float> place(-1000, 1000), speed(-50, 50);
        each_column([&](std::byte* cells, std::size_t bytes, ComponentId component) {
            for (std::size_t at = 0; at < bytes; at += sizeof(float)) {
                float value = static_cast<float>(random() % 100);
                if (component == world_->id<Position>()) value = place(random);
                if (component == world_->id<Velocity>()) value = speed(random);
                std::memcpy(cells + at, &value, sizeof value);
            }
        });
        save();
        save_raw();
    }
    ~Saved() {
        std::filesystem::remove(file_);
        std::filesystem::remove(raw_file_);
    }
    Saved(const Saved&) = delete;
    Saved& operator=(const Saved&) = delete;

    void save() { save_world(*world_, file_).value(); }
    void load() { load_world(*world_, file_).value(); }
    void save_raw() {
        std::string bytes;
        bytes.reserve(kHundredThousand * archetype_->layout().row_bytes);
        each_column([&](std::byte* cells, std::size_t count, ComponentId) {
            bytes.append(reinterpret_cast<const char*>(cells), count);
        });
        write_whole_file(raw_file_, bytes).value();
    }
    void load_raw() {
        const std::string bytes = read_regular_file(raw_file_).value();
        const char* from = bytes.data();
        each_column([&](std::byte* cells, std::size_t count, ComponentId) {
            std::memcpy(cells, from, count);
            from += count;
        });
        keep(from);
    }

private:
    // Calls fn(address, bytes, component) for the rows of each column but that of the entities.
    template <typename Function> void each_column(Function&& fn) {
        for (std::uint32_t chunk = 0; chunk < archetype_->chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype_->chunks()[chunk];
            for (std::size_t i = 1; i < archetype_->layout().columns.size(); ++i) {
                const Column& column = archetype_->layout().columns[i];
                fn(slot.data + column.offset, std::size_t{slot.row_count} * column.size, column.component);
            }
        }
    }
    static std::filesystem::path file_named(std::string_view name) {
        return std::filesystem::temp_directory_path() /
               ("perigee_bench_" + std::to_string(getpid()) + std::string(name));
    }

    std::unique_ptr<World> world_ = make_world();
    Archetype* archetype_ = nullptr;
    std::filesystem::path file_ = file_named(".world"), raw_file_ = file_named(".raw");
};

Sample loop(void (Saved::*body)()) {
    const auto saved = std::make_shared<Saved>();
    return
        [=](const Effort& effort) { return time_loop(effort, kHundredThousand, [&] { (*saved.*body)(); }); };
}

}  // namespace

std::vector<Case> save_cases() {
    return {{"save a world to a file", kHundredThousand, "c++", "the raw columns to a file",
             [] {
                 return Sides{loop(&Saved::save), loop(&Saved::save_raw)};
             }},
            {"load a world from a file", kHundredThousand, "c++", "the raw columns from a file", [] {
                 return Sides{loop(&Saved::load), loop(&Saved::load_raw)};
             }}};
}

}  // namespace perigee::bench
