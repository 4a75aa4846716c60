// A world with a camera of 640 x 360 and entities that are extracted: the fixture of the tests of this
// folder.
#pragma once

#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "engine/assets/image_table.h"
#include "engine/draw/draw_list.h"
#include "engine/extract/components.h"
#include "engine/extract/extract.h"

#include <catch2/catch.hpp>

#include <span>

namespace perigee::test {

struct Position {
    float x = 0, y = 0;
};

struct ExtractStage {
    World world;
    EngineComponents components;
    ImageTable images;
    DrawList list;

    ExtractStage() : components(declare_engine_components(world, 640, 360).value()) {
        images.add(1, 32, 32);
        images.add(2, 16, 64);
    }
    Camera& camera() { return *reinterpret_cast<Camera*>(world.resources().data(components.camera)); }
    template <typename P> void declare_position() {
        REQUIRE(world.declare<P>("Position", field("x", &P::x), field("y", &P::y)));
    }
    template <typename P, typename Look>
    Entity spawn(float x, float y, ComponentId component, const Look& look) {
        P position{};
        position.x = x;
        position.y = y;
        const Entity entity = world.spawn(position);
        world.add(entity, component, &look);
        return entity;
    }
    std::span<const DrawItem> extract(EntityExtractor& extractor, float alpha = 1.0F) {
        list.clear();
        list.camera = extractor.camera_between(alpha);
        extractor.extract(images, alpha, 640, 360, list);
        list.sort(images);
        return list.items();
    }
};

}  // namespace perigee::test
