// The good player weighs nine directions by what would touch him along each within a second.
#include "tests/game/swarm/bot.h"

#include "ecs/schema/registry.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "engine/plugin/native_systems.h"
#include "engine/session/game_session.h"
#include "game/swarm/swarm.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

namespace perigee::swarm {
namespace {

constexpr float kSight = 230;

struct FieldPlace {
    const std::byte* data;
    const Field* field;
};

FieldPlace place_of(World& world, std::string_view resource, std::string_view name) {
    const auto id = world.registry().find(resource);
    ECS_EXPECTS(id.has_value());
    for (const Field& field : world.registry().info(*id).schema.fields) {
        if (field.name == name) return {world.resources().data(*id) + field.offset, &field};
    }
    ECS_EXPECTS(false, "no such field");
    return {};
}

template <typename T> double number_at(const std::byte* data) {
    T value;
    std::memcpy(&value, data, sizeof value);
    return static_cast<double>(value);
}

double number(const FieldPlace& place, std::size_t element = 0) {
    switch (place.field->type) {
        case FieldType::u8:
            return number_at<std::uint8_t>(place.data + element);
        case FieldType::boolean:
            return number_at<bool>(place.data + element);
        case FieldType::u16:
            return number_at<std::uint16_t>(place.data + 2 * element);
        case FieldType::u32:
            return number_at<std::uint32_t>(place.data + 4 * element);
        case FieldType::f32:
            return number_at<float>(place.data + 4 * element);
        case FieldType::f64:
            return number_at<double>(place.data + 8 * element);
        default:
            ECS_EXPECTS(false, "a type that no bot reads");
            return 0;
    }
}

/// Calls fn(x, y, chunk, row) for all rows with Position and the component `name` within sight of the hero.
template <typename Function> void see(World& world, std::string_view name, Function&& fn) {
    const Hero hero = world.resource<Hero>();
    QueryDesc desc;
    desc.terms.push_back({world.id<Position>(), Access::read, false});
    desc.terms.push_back({*world.registry().find(name), Access::read, false});
    desc.terms.push_back({world.id<Velocity>(), Access::read, true});
    desc.terms.push_back({world.id<Body>(), Access::read, true});
    world.each_chunk(*world.query(desc).value(), [&](const ChunkView& chunk) {
        const std::span<const Position> at = chunk.column<const Position>(0);
        for (std::size_t i = 0; i < at.size(); ++i) {
            if (std::fabs(at[i].x - hero.x) < kSight && std::fabs(at[i].y - hero.y) < kSight) {
                fn(at[i], chunk, i);
            }
        }
    });
}

}  // namespace

double resource_number(World& world, std::string_view resource, std::string_view field) {
    return number(place_of(world, resource, field));
}

Phase phase_of(World& world) {
    return static_cast<Phase>(static_cast<int>(resource_number(world, "Game", "phase")));
}

void Bot::look(World& world) {
    threats_.clear();
    treats_.clear();
    see(world, "Enemy", [&](Position at, const ChunkView& chunk, std::size_t i) {
        const Velocity velocity = chunk.column<const Velocity>(2)[i];
        const float radius = chunk.column<const Body>(3)[i].radius;
        threats_.push_back({at.x, at.y, velocity.x, velocity.y, radius + 8, radius > 12 ? 3.0F : 1.0F});
    });
    see(world, "Fuse", [&](Position at, const ChunkView&, std::size_t) {
        threats_.push_back({at.x, at.y, 0, 0, 44, 2.0F});
    });
    see(world, "Spit", [&](Position at, const ChunkView& chunk, std::size_t i) {
        const Velocity velocity = chunk.column<const Velocity>(2)[i];
        threats_.push_back({at.x, at.y, velocity.x, velocity.y, 13, 2.5F});
    });
    see(world, "Meteor", [&](Position at, const ChunkView&, std::size_t) {
        threats_.push_back({at.x, at.y, 0, 0, 42, 2.0F});
    });
    see(world, "Pickup", [&](Position at, const ChunkView&, std::size_t) {
        treats_.push_back({at.x, at.y, 1});
    });
}

double Bot::cost(float x, float y, float dx, float dy, float speed) const {
    double sum = 0;
    for (const float seconds : {0.1F, 0.25F, 0.45F, 0.7F, 1.0F}) {
        const float px = x + dx * speed * seconds;
        const float py = y + dy * speed * seconds;
        for (const Threat& threat : threats_) {
            const float ex = px - threat.x - threat.vx * seconds;
            const float ey = py - threat.y - threat.vy * seconds;
            const float gap = std::sqrt(ex * ex + ey * ey) - threat.reach;
            sum += threat.weight * (gap < 0 ? 12.0F - gap * 0.2F : 6.0F / (1.0F + gap * gap / 50.0F));
        }
        const float rim = std::max(std::fabs(px), std::fabs(py));
        if (rim > 1000) sum += (rim - 1000) * 0.3;
    }
    const float px = x + dx * speed * 0.6F;
    const float py = y + dy * speed * 0.6F;
    for (const Treat& treat : treats_) {
        sum -= 9.0 * treat.value / (1.0 + std::hypot(px - treat.x, py - treat.y) / 14.0);
    }
    return sum;
}

void Bot::walk_well(World& world) {
    if (step_ % 3 != 0) return;
    look(world);
    const Hero hero = world.resource<Hero>();
    const auto speed = static_cast<float>(resource_number(world, "Stats", "speed"));
    double best = 1e30;
    const int old_x = walk_x_, old_y = walk_y_;
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            const float length = x != 0 && y != 0 ? 0.7071F : 1.0F;
            double value =
                cost(hero.x, hero.y, static_cast<float>(x) * length, static_cast<float>(y) * length, speed);
            if (x == old_x && y == old_y) value -= 0.4;
            if (value < best) {
                best = value;
                walk_x_ = x;
                walk_y_ = y;
            }
        }
    }
}

void Bot::walk_anywhere() {
    if (step_ % 30 != 0) return;
    walk_x_ = static_cast<int>(random_.integer(-1, 1));
    walk_y_ = static_cast<int>(random_.integer(-1, 1));
}

int Bot::wanted_card(World& world) const {
    // By number of the upgrade in upgrades.lua: first what kills crowds, then what keeps alive.
    constexpr std::array<int, 18> kWish = {0, 6, 7, 9, 8, 6, 7, 6, 8, 7, 9, 5, 5, 6, 5, 6, 6, 1};
    const FieldPlace cards = place_of(world, "Offer", "card");
    const int count = static_cast<int>(resource_number(world, "Offer", "count"));
    int best = 0;
    for (int i = 1; i < count; ++i) {
        const auto wish = [&](int place) {
            return kWish[static_cast<std::size_t>(number(cards, static_cast<std::size_t>(place)))];
        };
        if (wish(i) > wish(best)) best = i;
    }
    return best;
}

void Bot::choose(World& world) {
    if (step_ % 20 != 0) return;
    constexpr std::array<InputCode, 3> kKeys = {InputCode::key_1, InputCode::key_2, InputCode::key_3};
    const int card = kind_ == Kind::good ? wanted_card(world) : static_cast<int>(random_.integer(0, 2));
    tap_ = kKeys[static_cast<std::size_t>(card)];
}

void Bot::hold(InputCode code, bool is_down, RawInput& raw) {
    bool& is_pressed = pressed_[static_cast<std::size_t>(code)];
    if (is_pressed == is_down) return;
    is_pressed = is_down;
    raw.events.push_back({code, is_down ? 1.0F : 0.0F});
}

RawInput Bot::decide(Engine& engine) {
    World& world = engine.session().world();
    const Phase phase = phase_of(world);
    RawInput raw;
    if (tap_ != InputCode::count) hold(tap_, false, raw);
    tap_ = InputCode::count;
    ++step_;
    if (phase == Phase::title) {
        if (step_ == 30) tap_ = InputCode::key_return;
    } else if (kind_ != Kind::idle && phase == Phase::choosing) {
        choose(world);
        walk_x_ = walk_y_ = 0;
    } else if (phase == Phase::playing) {
        if (kind_ == Kind::good) walk_well(world);
        if (kind_ == Kind::random_walk) walk_anywhere();
    }
    hold(InputCode::key_a, walk_x_ < 0, raw);
    hold(InputCode::key_d, walk_x_ > 0, raw);
    hold(InputCode::key_w, walk_y_ < 0, raw);
    hold(InputCode::key_s, walk_y_ > 0, raw);
    if (tap_ != InputCode::count) hold(tap_, true, raw);
    return raw;
}

EngineConfig swarm_config(std::uint64_t seed) {
    static const NativeSystems native = [] {
        NativeSystems systems;
        systems.add("swarm", add_systems);
        return systems;
    }();
    EngineConfig config;
    config.game = PERIGEE_SOURCE_DIR "/scripts/games/swarm";
    config.seed = seed;
    config.native = &native;
    return config;
}

std::unique_ptr<Engine> start_swarm(std::uint64_t seed, const std::string& record_file, LogSink log) {
    EngineConfig config = swarm_config(seed);
    config.record_file = record_file;
    config.log = std::move(log);
    return Engine::create(std::move(config)).value();
}

}  // namespace perigee::swarm
