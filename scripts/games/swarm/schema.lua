-- Every component and resource of Perigee Swarm. All state of the game is here; Lua locals hold only constants.
-- The types marked "native" are also bound by C++ (game/swarm/components.h), which compares the layouts.
-- Units: world pixels (two screen pixels each), seconds.
local ecs = require "ecs"

-- ---- properties of things -------------------------------------------------------------------------------------------

ecs.component("Position", { { "x", "f32", unit = "px" }, { "y", "f32", unit = "px" } })                       -- native
ecs.component("Velocity", { { "x", "f32", unit = "px/s" }, { "y", "f32", unit = "px/s" } })                   -- native
ecs.component("Body", { { "radius", "f32", 8, unit = "px" } })                                                -- native

ecs.component("Flock", {                                                                                      -- native
  { "speed", "f32", 50, unit = "px/s" },
  { "turn", "f32", 4, doc = "share of the wanted velocity taken on in a second" },
  { "separation", "f32", 90, unit = "px/s", doc = "per fully overlapping neighbour" },
  { "alignment", "f32", 0, min = 0, max = 1 },
  { "range", "f32", 0, unit = "px", doc = "mode 1: distance it keeps" },
  { "heading_x", "f32", 0, doc = "mode 2: a unit vector" },
  { "heading_y", "f32", 0 },
  { "mode", "u8", 0, doc = "0 chase, 1 keep distance, 2 straight on, 3 weave" },
  { "phase", "u8", 0, doc = "sets members of a crowd apart" },
})

ecs.component("Health", {                                                                                     -- native
  { "current", "f32", 10 },
  { "max", "f32", 10 },
  { "pending", "f32", 0, doc = "damage of this step, summed by 'strike'" },
})

ecs.component("Enemy", {                                                                                      -- native
  { "bite", "f32", 4, doc = "damage when it touches the hero" },
  { "flash", "f32", -1, unit = "s", doc = "how long the white silhouette still shows; below 0: since when not" },
  { "mass", "f32", 1 },
  { "score", "u16", 1, doc = "also the experience it drops" },
  { "kind", "u8", 1, doc = "place in kinds.lua" },
})

ecs.component("Strike", {                                                                                     -- native
  { "struck", ecs.array("entity", 4), doc = "the last enemies hit: a bolt hits each only once" },
  { "damage", "f32", 5 },
  { "radius", "f32", 4, unit = "px" },
  { "push", "f32", 0, unit = "px/s" },
  { "period", "u16", 0, doc = "0: each enemy once, pierce + 1 in all; n: all in reach, every n steps" },
  { "hits", "u16", 0, doc = "enemies hit in this step" },
  { "pierce", "i16", 0, doc = "below 0 it is spent" },
  { "next_struck", "u8", 0 },
})

ecs.component("Lifetime", {
  { "left", "f32", 1, unit = "s" },
  { "fade", "f32", 0, unit = "s", doc = "the sprite fades out in its last seconds" },
  { "alpha", "u8", 255, doc = "before fading" },
})

ecs.component("Animation", {
  { "age", "f32", 0, unit = "s" },
  { "rate", "f32", 8, unit = "1/s" },
  { "size", "f32", 1, doc = "scale of the sprite" },
  { "first", "u16", 0 },
  { "flash", "u16", 0, doc = "first frame of the white silhouette" },
  { "count", "u8", 1 },
  { "mirror", "bool", false, doc = "turned to face where it goes" },
})

ecs.component("Drift", { { "drag", "f32", 0 }, { "spin", "f32", 0 }, { "grow", "f32", 0 } })
ecs.component("Pickup", { { "kind", "u8", 1 }, { "value", "u16", 1 }, { "pulled", "bool", false } })
ecs.component("Number", { { "value", "u16", 0 }, { "tint", "u32", 0xFFFFFFFF } })

-- ---- combatants -----------------------------------------------------------------------------------------------------

ecs.component("Spit", { { "damage", "f32", 8 }, { "radius", "f32", 4 } })
ecs.component("Shooter", { { "wait", "f32", 1 }, { "every", "f32", 2.6 } })
ecs.component("Fuse", { { "left", "f32", -1, doc = "counts down once it is lit; below 0 it is not" } })
ecs.component("Boss", { { "wait", "f32", 3 }, { "turn", "u8", 0 }, { "dash", "f32", 0 }, { "last", "bool", false } })
ecs.component("Meteor", { { "left", "f32", 1.2 }, { "radius", "f32", 34 }, { "damage", "f32", 22 } })
ecs.component("Homing", { { "target", "entity" }, { "speed", "f32", 230 }, { "turn", "f32", 5 } })
ecs.component("Returning", { { "age", "f32", 0 } })
ecs.component("Orbit", { { "angle", "f32", 0 }, { "index", "u8", 0 } })
ecs.component("Lobbed", { { "left", "f32", 0.6 } })
ecs.component("Blast", { { "damage", "f32", 20 }, { "radius", "f32", 40 }, { "push", "f32", 120 } })
ecs.component("Aura", { kind = "tag" })
ecs.component("Astronaut", { kind = "tag" })
ecs.component("Shadow", { { "size", "u8", 1, doc = "1 small .. 4 huge" }, { "drop", "u8", 6 } })

-- ---- resources -----------------------------------------------------------------------------------------------------

ecs.resource("Clock", { { "time", "f64", 0 }, { "step", "u32", 0 }, { "running", "bool", false } })           -- native
ecs.resource("Hero", { { "entity", "entity" }, { "x", "f32" }, { "y", "f32" }, { "radius", "f32", 7 } })      -- native
ecs.resource("Arena", {                                                                                       -- native
  { "left", "f32", -1500 }, { "top", "f32", -1500 }, { "right", "f32", 1500 }, { "bottom", "f32", 1500 },
})
ecs.resource("Senses", {                                                                                      -- native
  { "entity", ecs.array("entity", 8), doc = "the nearest enemies, nearest first" },
  { "x", ecs.array("f32", 8) },
  { "y", ecs.array("f32", 8) },
  { "distance", ecs.array("f32", 8) },
  { "bite", "f32", doc = "strongest bite of those that touch the hero" },
  { "bite_sum", "f32" },
  { "bite_x", "f32" },
  { "bite_y", "f32" },
  { "enemies", "u32" },
  { "touching", "u16" },
  { "count", "u16", doc = "valid entries of the lists" },
})

ecs.resource("Game", {
  { "phase", "u8", 1, doc = "see phases.lua" },
  { "since", "f32", 0, unit = "s", doc = "time in this phase, also in menus" },
  { "score", "u32" }, { "best", "u32" }, { "kills", "u32" },
  { "best_crowd", "u32", doc = "most kills in the crowd mode" },
  { "crowd", "u32", doc = "10,000 in the crowd mode, else 0" },
  { "record", "bool", doc = "this run beat the best score" },
  { "demo", "bool", doc = "the game plays itself (pilot.lua)" },
  { "held", "u8", doc = "the phase that is paused" },
  { "sweep", "bool", doc = "a new run begins in this step" },
})
ecs.resource("Stats", {
  { "health", "f32", 100 }, { "max_health", "f32", 100 }, { "regeneration", "f32", 0.2 }, { "armor", "f32", 0 },
  { "speed", "f32", 96 }, { "damage", "f32", 1 }, { "fire_rate", "f32", 1 }, { "count", "u8", 0 },
  { "pierce", "u8", 0 }, { "reach", "f32", 44, unit = "px" }, { "luck", "f32", 0 },
  { "level", "u16", 1 }, { "xp", "u32", 0 }, { "next_xp", "u32", 5 }, { "pending", "u8", 0 },
  { "safe", "f32", 0, unit = "s", doc = "cannot be hurt" }, { "hurt", "f32", 0, unit = "s", doc = "shows red" },
  { "facing_x", "f32", 1 }, { "facing_y", "f32", 0 }, { "banked", "u32", 0 }, { "pull", "bool", false },
  { "pulls", "u8", 0 }, { "streak", "u8", 0 }, { "streak_left", "f32", 0 }, { "gems", "u32", 0 },
})
ecs.resource("Arsenal", {
  { "level", ecs.array("u8", 20), doc = "by number of the upgrade in upgrades.lua" },
  { "wait", ecs.array("f32", 20), unit = "s" },
})
ecs.resource("Offer", {
  { "card", ecs.array("u8", 3) }, { "count", "u8" }, { "selected", "u8", 1 },
  { "left", "f32", unit = "s", doc = "until the selected card is taken" },
  { "missed", "u8", doc = "1: the last choice was left to the clock" },
})
ecs.resource("Director", {
  { "next", "u16", 1 }, { "banner", "u16", 0 }, { "banner_left", "f32", 0 }, { "owed", "f32", 0 },
  { "news", "u16", 0, doc = "how many events there were" }, { "last_news", "f32", 0 }, { "longest_gap", "f32", 0 },
  { "meteors_left", "f32", 0 }, { "meteor_wait", "f32", 0 }, { "last_boss_dead", "bool", false },
})
ecs.resource("Pilot", {
  { "x", "f32" }, { "y", "f32" }, { "wait", "u8", 0, doc = "steps until it thinks again" },
  { "treat_x", "f32", doc = "the nearest thing to pick up" }, { "treat_y", "f32" },
  { "distance", "f32", 1e9, unit = "px" },
})
ecs.resource("View", {
  { "deaths", "u16", 0, doc = "in this step; beyond some they make no show" }, { "numbers", "u16", 0 },
  { "shake", "f32", 0 }, { "x", "f32", 0 }, { "y", "f32", 0 }, { "flash", "f32", 0 },
})
