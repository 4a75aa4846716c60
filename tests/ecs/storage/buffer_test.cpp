// A buffer behaves like a vector, in the chunk and on the heap, and stale handles are detected.
#include "ecs/storage/buffer.h"

#include "ecs/schema/registry.h"
#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <thread>
#include <vector>

namespace perigee {
namespace {

struct Point {
    float x = 1.5f, y = 0;
    bool operator==(const Point&) const = default;
};

Schema list_of(const char* name, std::uint32_t capacity, std::vector<const char*> fields,
               FieldType type = FieldType::f32) {
    Schema schema;
    schema.name = name;
    schema.kind = ComponentKind::buffer;
    schema.buffer_capacity = capacity;
    for (const char* field : fields) {
        schema.fields.emplace_back();
        schema.fields.back().name = field;
        schema.fields.back().type = type;
    }
    schema.fields.front().default_value.data = type == FieldType::f32 ? 1.5 : 7.0;
    return schema;
}

// Cells as in a column, without a world.
struct Cells {
    ComponentRegistry registry;
    BufferPool pool;
    const ComponentInfo& info;
    std::uint64_t version = 1;
    std::vector<std::uint64_t> memory;

    explicit Cells(std::uint32_t capacity, std::size_t count = 1, std::size_t limit = SIZE_MAX)
        : pool(limit),
          info(registry.info(registry.declare(list_of("Path", capacity, {"x", "y"})).value())),
          memory(count * info.cell_bytes / 8) {}
    ~Cells() {
        for (std::size_t i = 0; i < memory.size() * 8 / info.cell_bytes; ++i) {
            release_buffer(*reinterpret_cast<BufferHeader*>(cell(i)), info.schema.size, pool);
        }
    }
    std::byte* cell(std::size_t i) {
        return reinterpret_cast<std::byte*>(memory.data()) + i * info.cell_bytes;
    }
    DynamicBuffer untyped(std::size_t i = 0) { return {cell(i), info, pool, version}; }
    BufferView<Point> buffer(std::size_t i = 0) { return BufferView<Point>(untyped(i)); }
};

std::vector<Point> content(const BufferView<Point>& buffer) { return {buffer.begin(), buffer.end()}; }

// One random change to both, within the length of the vector.
void change(BufferView<Point>& buffer, std::vector<Point>& model, std::mt19937& random) {
    const Point value{static_cast<float>(random() % 1000), static_cast<float>(random() % 1000)};
    const auto length = static_cast<std::uint32_t>(model.size());
    const std::uint32_t at = length == 0 ? 0 : random() % length;
    const auto place = model.begin() + at;
    switch (random() % 12) {
        case 0:
            REQUIRE(buffer.insert(at, value));
            model.insert(place, value);
            break;
        case 1:
            if (length == 0) break;
            buffer.remove(at);
            model.erase(place);
            break;
        case 2:
            if (length == 0) break;
            buffer.remove_swap(at);
            *place = model.back();
            model.pop_back();
            break;
        case 3: {
            const std::uint32_t wanted = random() % 40;
            REQUIRE(buffer.resize(wanted));
            model.resize(wanted);
            break;
        }
        case 4:
            if (length == 0) break;
            buffer[at] = value;
            *place = value;
            break;
        case 5:
            if (random() % 8 != 0) break;
            buffer.clear();
            model.clear();
            break;
        case 6:
            REQUIRE(buffer.trim());
            break;
        case 7:
            REQUIRE(buffer.reserve(random() % 60));
            break;
        case 8:
            buffer.remove(at, length - at);
            model.resize(at);
            break;
        case 9:
            REQUIRE(buffer.assign(std::vector<Point>(at, value)));
            model.assign(at, value);
            break;
        default:
            REQUIRE(buffer.push(value));
            model.push_back(value);
            break;
    }
}

TEST_CASE("[K6] random changes agree with a vector, for every inline capacity") {
    for (const std::uint32_t capacity : {0u, 1u, 3u, 8u, 30u}) {
        Cells cells(capacity, 2);
        BufferView<Point> buffer = cells.buffer();
        std::vector<Point> model;
        std::mt19937 random(capacity);
        for (int step = 0; step < 4000; ++step) {
            change(buffer, model, random);
            REQUIRE(content(buffer) == model);
            REQUIRE(buffer.length() <= buffer.capacity());
            REQUIRE((buffer.is_on_heap() || buffer.capacity() == capacity));
        }
        CHECK(cells.buffer(1).length() == 0);  // the neighbour's header and elements were not touched
        release_buffer(*reinterpret_cast<BufferHeader*>(cells.cell(0)), sizeof(Point), cells.pool);
        CHECK(cells.pool.stats().bytes_in_use == 0);
        CHECK(cells.pool.stats().blocks_in_use == 0);
    }
}

TEST_CASE("[K6] a buffer is in the chunk up to its capacity, then completely on the heap until trimmed") {
    Cells cells(4);
    BufferView<Point> buffer = cells.buffer();
    for (int i = 0; i < 4; ++i) REQUIRE(buffer.push({}));
    CHECK_FALSE(buffer.is_on_heap());
    CHECK(reinterpret_cast<std::byte*>(&buffer[0]) == cells.cell(0) + sizeof(BufferHeader));
    REQUIRE(buffer.push({9, 9}));
    CHECK(buffer.is_on_heap());
    CHECK(reinterpret_cast<std::uintptr_t>(&buffer[0]) % 64 == 0);
    CHECK(cells.pool.stats().blocks_in_use == 1);
    buffer.remove(0, 3);
    CHECK(buffer.is_on_heap());
    REQUIRE(buffer.trim());
    CHECK_FALSE(buffer.is_on_heap());
    CHECK(content(buffer) == std::vector<Point>{{}, {9, 9}});
    CHECK(cells.pool.stats().blocks_in_use == 0);
}

TEST_CASE("[K6] a row moves by copying its bytes") {
    Cells cells(2, 2);
    for (const std::uint32_t length : {1u, 20u}) {
        REQUIRE(cells.buffer(0).resize(length));
        std::memcpy(cells.cell(1), cells.cell(0), cells.info.cell_bytes);
        std::memset(cells.cell(0), 0, cells.info.cell_bytes);
        CHECK(content(cells.buffer(1)) == std::vector<Point>(length));
        REQUIRE(cells.buffer(1).push({3, 4}));
        CHECK(cells.buffer(1)[length] == Point{3, 4});
        CHECK(cells.buffer(0).length() == 0);
        release_buffer(*reinterpret_cast<BufferHeader*>(cells.cell(1)), sizeof(Point), cells.pool);
    }
}

TEST_CASE("[K6] new elements have the defaults of the schema") {
    Cells cells(2);
    BufferView<Point> buffer = cells.buffer();
    REQUIRE(buffer.resize(5));
    CHECK(content(buffer) == std::vector<Point>(5, Point{1.5f, 0}));
    REQUIRE(cells.untyped().push());
    CHECK(buffer[5] == Point{1.5f, 0});
}

TEST_CASE("[K6] values may come from the buffer itself") {
    Cells cells(1);
    BufferView<Point> buffer = cells.buffer();
    REQUIRE(buffer.push({1, 2}));
    for (int i = 0; i < 100; ++i) REQUIRE(buffer.push(buffer[0]));
    REQUIRE(buffer.insert(0, buffer[100]));
    CHECK(content(buffer) == std::vector<Point>(102, Point{1, 2}));
    ContractWatch watch;
    const DynamicBuffer untyped = cells.untyped();
    CHECK_THROWS_AS(DynamicBuffer(untyped).push(untyped.at(0)), BrokenContract);
}

TEST_CASE("[K6] after a structural change every use of a handle breaks a contract") {
    Cells cells(2);
    BufferView<Point> buffer = cells.buffer();
    REQUIRE(buffer.push({}));
    DynamicBuffer untyped = cells.untyped();
    CHECK_FALSE(buffer.is_stale());
    ++cells.version;
    CHECK(buffer.is_stale());
    ContractWatch watch;
    CHECK_THROWS_WITH(buffer.push({}), Catch::Contains("after a structural change"));
    CHECK_THROWS_AS(buffer[0], BrokenContract);
    CHECK_THROWS_AS(buffer.length(), BrokenContract);
    CHECK_THROWS_AS(buffer.span(), BrokenContract);
    CHECK_THROWS_AS(buffer.clear(), BrokenContract);
    CHECK_THROWS_AS(buffer.trim(), BrokenContract);
    CHECK_THROWS_AS(buffer.reserve(1), BrokenContract);
    CHECK_THROWS_AS(untyped.resize(1), BrokenContract);
    CHECK_THROWS_AS(untyped.remove(0), BrokenContract);
    CHECK_THROWS_AS(untyped.assign(nullptr, 0), BrokenContract);
    CHECK_THROWS_AS(untyped.reinterpret(cells.info).ok(), BrokenContract);
    CHECK(cells.buffer().length() == 1);
}

TEST_CASE("an index out of range and an empty handle break a contract") {
    Cells cells(2);
    BufferView<Point> buffer = cells.buffer();
    REQUIRE(buffer.resize(3));
    ContractWatch watch;
    CHECK_THROWS_AS(buffer[3], BrokenContract);
    CHECK_THROWS_AS(buffer.remove(3), BrokenContract);
    CHECK_THROWS_AS(buffer.remove(1, 3), BrokenContract);
    CHECK_THROWS_AS(buffer.remove_swap(3), BrokenContract);
    CHECK_THROWS_AS(buffer.insert(4, {}), BrokenContract);
    CHECK_THROWS_AS(cells.untyped().at(3), BrokenContract);
    const BufferView<Point> nothing;
    CHECK_FALSE(nothing);
    CHECK_THROWS_AS(nothing.length(), BrokenContract);
}

TEST_CASE("[K6] reinterpret reads elements as another type of the same size, in the same memory") {
    Cells cells(2);
    ComponentRegistry& registry = cells.registry;
    const ComponentInfo& keys =
        registry.info(registry.declare(list_of("Keys", 8, {"low", "high"}, FieldType::u32)).value());
    BufferView<Point> points = cells.buffer();
    REQUIRE(points.push({1.0f, 2.0f}));
    const auto bits = points.reinterpret<std::array<std::uint32_t, 2>>();
    CHECK(bits[0] == std::array<std::uint32_t, 2>{0x3F800000, 0x40000000});
    bits[0][1] = 0x3F800000;
    CHECK(bits.reinterpret<Point>()[0] == Point{1.0f, 1.0f});

    DynamicBuffer same = cells.untyped().reinterpret(keys).value();
    REQUIRE(same.resize(3));  // beyond what fits into the chunk
    CHECK(points.length() == 3);
    std::array<std::uint32_t, 2> last{};
    std::memcpy(&last, points.untyped().at(2), sizeof last);
    CHECK(last == std::array<std::uint32_t, 2>{7, 0});
}

TEST_CASE("[K6] reinterpret to another size is an error that names both types") {
    Cells cells(2);
    const ComponentId weights = cells.registry.declare(list_of("Weights", 2, {"w"})).value();
    const Result<DynamicBuffer> wrong = cells.untyped().reinterpret(cells.registry.info(weights));
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().message ==
          "a buffer of 'Path' has elements of 8 bytes; expected the same of 'Weights', which has 4");
    ContractWatch watch;
    CHECK_THROWS_AS(cells.buffer().reinterpret<float>(), BrokenContract);
}

TEST_CASE("[K6] a buffer that cannot grow stays unchanged") {
    Cells cells(2, 1, 128);  // room for 16 points
    BufferView<Point> buffer = cells.buffer();
    REQUIRE(buffer.reserve(16));
    while (buffer.length() < 16) REQUIRE(buffer.push({static_cast<float>(buffer.length()), 0}));
    const std::vector<Point> before = content(buffer);
    CHECK_FALSE(buffer.push({}));
    CHECK_FALSE(buffer.insert(3, {}));
    CHECK_FALSE(buffer.resize(17));
    CHECK_FALSE(buffer.reserve(17));
    CHECK_FALSE(buffer.assign(std::vector<Point>(17)));
    CHECK(content(buffer) == before);
    CHECK(cells.pool.stats().blocks_in_use == 1);
}

TEST_CASE("[K6] a buffer cannot exceed its maximum length") {
    Cells cells(0);
    BufferView<Point> buffer = cells.buffer();
    CHECK(buffer.max_length() == kMaxBufferElements);
    CHECK_FALSE(buffer.resize(buffer.max_length() + 1));
    CHECK_FALSE(buffer.reserve(0xFFFFFFFF));
    CHECK(buffer.length() == 0);
    CHECK(cells.pool.stats().blocks_in_use == 0);
}

TEST_CASE("[K6] several threads fill different buffers at once") {
    Cells cells(4, 64);
    std::vector<std::thread> threads;
    for (std::size_t lane = 0; lane < 4; ++lane) {
        threads.emplace_back([&, lane] {
            for (std::uint32_t i = 0; i < 300; ++i) {
                for (std::size_t cell = lane; cell < 64; cell += 4) {
                    BufferView<Point> buffer = cells.buffer(cell);
                    static_cast<void>(buffer.push({static_cast<float>(i), static_cast<float>(cell)}));
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t cell = 0; cell < 64; ++cell) {
        const std::vector<Point> points = content(cells.buffer(cell));
        REQUIRE(points.size() == 300);
        for (std::size_t i = 0; i < points.size(); ++i) {
            REQUIRE(points[i] == Point{static_cast<float>(i), static_cast<float>(cell)});
        }
    }
}

}  // namespace
}  // namespace perigee
