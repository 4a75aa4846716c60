// The C++ side of the Lua module "gfx": typed C functions over Painter, ImageTable and AssetStore.
//
// Invariant: no function keeps a pointer from Lua, and none calls back. Numbers of any kind are safe: NaN and
// values out of range are clamped or draw nothing. The Lua side, with arguments checked and defaults filled
// in, is scripts/runtime/modules/gfx.lua; the manual is docs/lua-api.md.
#pragma once

#include "engine/assets/assets.h"
#include "engine/assets/image_loader.h"
#include "engine/assets/image_table.h"
#include "engine/base/screen.h"
#include "engine/draw/color.h"
#include "engine/draw/draw_budget.h"
#include "engine/draw/draw_list.h"
#include "engine/draw/painter.h"
#include "engine/extract/views.h"
#include "engine/modules/gfx_animation.h"
#include "engine/modules/gfx_particles.h"
#include "engine/modules/internal/gfx_layers.h"
#include "engine/modules/internal/gfx_text.h"
#include "engine/shaders/shader_table.h"
#include "engine/surfaces/surface_table.h"
#include "scripting/base/native_module.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace perigee {

class FontTable;
class LayerTable;
class Particles;

/// One per mod, since paths are relative to the mod. Lifetime: must outlive the mod's Lua state.
struct GfxContext {
    Painter& painter;
    AssetStore& assets;
    ImageTable& images;
    ImageLoader& loader;
    SurfaceTable& surfaces;
    const DrawCamera& camera;  ///< as the last simulation step left it
    PackedColor& background;
    MountId mount = 0;
    const ScreenSize& screen;                 ///< its logical size in the step or the picture that runs
    DrawBudget budget{};                      ///< what the mod may draw per frame
    bool knows_refusal = false;               ///< Lua was told that the frame reached the budget
    bool owes_refusal = false;                ///< the frame before reached it, and Lua was not told
    std::string error{};                      ///< of the last function that failed
    std::vector<Point> points{};              ///< of the shape that is being drawn
    std::vector<ImageFrame> atlas{};          ///< rectangles of the atlas that is being described
    std::vector<std::uint32_t> mesh_order{};  ///< numbers of vertices of the mesh that is being described
    AnimationClips* clips = nullptr;          ///< of all mods
    ClipMaker clip_maker{};
    Particles* particles = nullptr;  ///< of all mods
    PresetMaker preset_maker{};
    FontTable* fonts = nullptr;  ///< of all mods
    FontMaker font_maker{};
    LayerTable* layers = nullptr;  ///< of all mods
    LayerMaker layer_maker{};
    ViewTable* views = nullptr;             ///< of all mods
    ShaderTable* shaders = nullptr;         ///< of all mods
    ShaderId* picture_effect = nullptr;     ///< with which whole pictures are drawn; 0: none
    bool may_use_shaders = false;           ///< those of files
    std::filesystem::path pictures{};       ///< folder for canvases that it saves; empty: none are saved
    std::uint64_t pictures_busy_until = 0;  ///< in frames: kFramesPerPicture for each picture so far
};

NativeModule gfx_module(GfxContext& context);

}  // namespace perigee
