// Adding, sorting, cutting into runs, and printing a list. The sort itself is
// engine/draw/internal/draw_sort.h.
#include "engine/draw/draw_list.h"

#include "ecs/base/contract.h"
#include "engine/assets/image_table.h"
#include "engine/draw/internal/draw_sort.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace perigee {

namespace {

constexpr std::string_view kind_name(DrawKind kind) {
    switch (kind) {
        case DrawKind::sprite:
            return "sprite";
        case DrawKind::rectangle:
            return "rectangle";
        case DrawKind::circle:
            return "circle";
        case DrawKind::line:
            return "line";
        case DrawKind::arc:
            return "arc";
        case DrawKind::mesh:
            return "mesh";
        case DrawKind::text:
            break;
    }
    return "text";
}

// Bits could have more values than there are names; items are data and may come from anywhere.
template <typename Enum>
constexpr std::string_view name_at(std::span<const std::string_view> names, Enum value) {
    return names[std::min<std::size_t>(static_cast<std::size_t>(value), names.size() - 1)];
}

}  // namespace

void DrawList::clear() noexcept {
    items_.clear();
    entries_.clear();
    runs_.clear();
    states_.clear();
    mesh_points_.clear();
    meshes_.clear();
    shader_uses_.clear();
    shader_values_.clear();
    text_arena_.clear();
    text_ends_.resize(1);
    immediate_count_ = 0;
    dropped_ = 0;
}

void DrawList::add(const DrawItem& item, DrawOrder order, std::uint32_t image, std::uint32_t tie) {
    if (items_.size() >= kMaxItems) {
        ++dropped_;
        return;
    }
    entries_.push_back({draw_key(item, order, image), tie, static_cast<std::uint32_t>(items_.size())});
    items_.push_back(item);
}

void DrawList::add_immediate(const DrawItem& item, std::int16_t layer, std::uint32_t image) {
    add(item, {layer, kDrawOrderImmediate + immediate_count_}, image);
    ++immediate_count_;
}

void DrawList::set_state(const DrawState& state) {
    if (state == immediate_state()) return;
    if (!states_.empty() && states_.back().first == immediate_count_) states_.pop_back();
    if (state == immediate_state()) return;
    states_.push_back({immediate_count_, state});
}

// An immediate item's order counts up, so it reflects when it was added.
std::uint32_t DrawList::state_number(std::size_t item) const noexcept {
    const auto order = static_cast<std::uint32_t>(entries_[item].key >> 24U & (kDrawOrderCount - 1));
    if (order < kDrawOrderImmediate) return 0;
    const auto change =
        std::ranges::upper_bound(states_, order - kDrawOrderImmediate, {}, &StateChange::first);
    return static_cast<std::uint32_t>(change - states_.begin());
}

std::uint32_t DrawList::add_text(std::string_view text) {
    if (text.empty() || text.size() > kMaxTextBytes - text_arena_.size()) return 0;
    text_arena_ += text;
    text_ends_.push_back(static_cast<std::uint32_t>(text_arena_.size()));
    return static_cast<std::uint32_t>(text_ends_.size() - 1);
}

std::string_view DrawList::text(const DrawItem& item) const noexcept {
    if (item.kind != DrawKind::text || item.ref == 0 || item.ref >= text_ends_.size()) return {};
    const std::uint32_t begin = text_ends_[item.ref - 1];
    return std::string_view{text_arena_}.substr(begin, text_ends_[item.ref] - begin);
}

std::uint32_t DrawList::add_mesh(std::span<const MeshPoint> points, std::uint32_t image) {
    const std::size_t count = points.size() / 3 * 3;
    if (count == 0 || count > kMaxMeshPoints - mesh_points_.size()) return 0;
    mesh_points_.insert(mesh_points_.end(), points.begin(),
                        points.begin() + static_cast<std::ptrdiff_t>(count));
    meshes_.push_back({static_cast<std::uint32_t>(mesh_points_.size()), image});
    return static_cast<std::uint32_t>(meshes_.size());
}

std::span<const MeshPoint> DrawList::mesh(const DrawItem& item) const noexcept {
    if (item.kind != DrawKind::mesh || item.ref == 0 || item.ref > meshes_.size()) return {};
    const std::size_t begin = item.ref == 1 ? 0 : meshes_[item.ref - 2].end;
    return mesh_points().subspan(begin, meshes_[item.ref - 1].end - begin);
}

std::uint32_t DrawList::use_shader(const Shader& shader, float time) {
    if (!shader.source) return 0;
    // From the back: mostly it is the last one.
    for (std::size_t number = shader_uses_.size(); number > 0; --number)
        if (shader_uses_[number - 1].stamp == shader.stamp) return static_cast<std::uint32_t>(number);
    if (shader_uses_.size() >= kMaxShaderUses ||
        shader.values.size() > kMaxShaderValues - shader_values_.size())
        return 0;
    shader_uses_.push_back(
        {shader.source, shader.stamp, static_cast<std::uint32_t>(shader_values_.size()), time});
    shader_values_.insert(shader_values_.end(), shader.values.begin(), shader.values.end());
    return static_cast<std::uint32_t>(shader_uses_.size());
}

std::span<const float> DrawList::values_of(const ShaderUse& use) const noexcept {
    return std::span{shader_values_}.subspan(use.first_value, 4 * use.source->uniforms.size());
}

DrawList::Batch DrawList::begin_batch(std::size_t count) {
    const std::size_t first = items_.size();
    const std::size_t granted = std::min(count, kMaxItems - std::min(kMaxItems, first));
    dropped_ += count - granted;
    items_.resize(first + granted);
    entries_.resize(first + granted);
    return {items_.data() + first, entries_.data() + first, static_cast<std::uint32_t>(first), granted};
}

void DrawList::end_batch(const Batch& batch, std::size_t written) {
    ECS_EXPECTS(written <= batch.count && batch.first_item + batch.count == items_.size(), written,
                batch.count);
    items_.resize(batch.first_item + written);
    entries_.resize(batch.first_item + written);
}

void DrawList::sort(const ImageTable& images) {
    ECS_INVARIANT(items_.size() == entries_.size());
    if (sort_draw_entries(entries_, sorted_entries_)) {
        sorted_items_.resize(items_.size());
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            sorted_items_[i] = items_[entries_[i].item];
            entries_[i].item = static_cast<std::uint32_t>(i);
        }
        items_.swap(sorted_items_);
    }
    find_runs(images);
}

std::uint32_t DrawList::image_of(const DrawItem& item, const ImageTable& images) const noexcept {
    if (item.kind == DrawKind::sprite) return images[item.ref].image;
    if (item.kind == DrawKind::mesh && item.ref != 0 && item.ref <= meshes_.size())
        return meshes_[item.ref - 1].image;
    return 0;
}

void DrawList::find_runs(const ImageTable& images) {
    runs_.clear();
    // Of the last run, for comparison: items of the screen are the same through any camera.
    const auto look_alike = [this](const DrawRun& a, const DrawRun& b) {
        if (a.state == b.state) return true;
        DrawState first = state_of(a);
        if (a.screen) first.camera = state_of(b).camera;
        return first == state_of(b);
    };
    // Screen, and image, blend mode and kind. Most items differ from the one before in nothing else.
    constexpr std::uint64_t kOfRun = 1ULL << 63U | 0xFF'FFFFULL;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const DrawItem& item = items_[i];
        const std::uint32_t image = image_of(item, images);
        if (i != 0 && states_.empty() && ((entries_[i].key ^ entries_[i - 1].key) & kOfRun) == 0 &&
            image == runs_.back().image) {
            ++runs_.back().count;
            continue;
        }
        DrawRun run{
            static_cast<std::uint32_t>(i), 1, image, run_kind(item.kind), item.blend(), item.is_screen()};
        if (!states_.empty()) run.state = state_number(i);
        if (!runs_.empty()) {
            DrawRun& last = runs_.back();
            if (last.image == run.image && last.kind == run.kind && last.blend == run.blend &&
                last.screen == run.screen && look_alike(last, run)) {
                ++last.count;
                continue;
            }
        }
        runs_.push_back(run);
    }
}

std::string DrawList::dump(const ImageTable& images, const ImageName& image_name) const {
    std::string out;
    DrawState shown;
    const auto show_camera = [&out](const DrawCamera& now) {
        fmt::format_to(std::back_inserter(out), "camera {:g},{:g} zoom {:g}\n", now.x, now.y, now.zoom);
    };
    const auto show_shader = [&](std::uint32_t number) {
        const ShaderUse* const use = shader(number);
        out += use != nullptr ? "shader " + use->source->name : "shader none";
        if (use != nullptr) {
            fmt::format_to(std::back_inserter(out), " time {:g}", use->time);
            const std::span<const float> values = values_of(*use);
            for (std::size_t i = 0; i < use->source->uniforms.size(); ++i) {
                const ShaderUniform& uniform = use->source->uniforms[i];
                fmt::format_to(std::back_inserter(out), " {} {:g}", uniform.name,
                               fmt::join(values.subspan(4 * i, static_cast<std::size_t>(uniform.size)), ","));
            }
        }
        out += '\n';
    };
    const auto show = [&](DrawState now, bool is_of_world) {
        if (!is_of_world) now.camera = shown.camera;
        if (now.camera != shown.camera) show_camera(now.camera);
        if (const DrawMatrix& m = now.matrix; m != shown.matrix)
            fmt::format_to(std::back_inserter(out), "matrix {:g} {:g} {:g} / {:g} {:g} {:g}\n", m.xx, m.xy,
                           m.x0, m.yx, m.yy, m.y0);
        if (const DrawClip& c = now.clip; c != shown.clip) {
            if (c.is_everything())
                out += "clip nothing\n";
            else
                fmt::format_to(std::back_inserter(out), "clip {:g},{:g} {:g}x{:g}\n", c.x, c.y, c.width,
                               c.height);
        }
        if (now.shader != shown.shader) show_shader(now.shader);
        shown = now;
    };
    show_camera(camera);
    shown.camera = camera;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const DrawItem& item = items_[i];
        show(state_at(state_number(i)), !item.is_screen());
        const auto layer = static_cast<std::int32_t>((entries_[i].key >> 47U) & 0xFFFFU) - 32768;
        fmt::format_to(std::back_inserter(out), "{} {} {} at {:g},{:g}",
                       item.is_screen() ? "screen" : "world", layer, kind_name(item.kind), item.x, item.y);
        const auto add = [&out](fmt::string_view format, const auto&... values) {
            fmt::vformat_to(std::back_inserter(out), format, fmt::make_format_args(values...));
        };
        switch (item.kind) {
            case DrawKind::circle:
            case DrawKind::arc:
                add(" radius {:g}", item.w);
                if (item.h != item.w) add("x{:g}", item.h);
                if (item.kind == DrawKind::arc)
                    add(" from {:g} to {:g} {}", (item.ref & 0xFFFFU) / 65536.0, (item.ref >> 16U) / 65536.0,
                        name_at(kArcShapeNames, static_cast<ArcShape>(item.origin_x)));
                break;
            case DrawKind::line:
                add(" to {:g},{:g}", item.w, item.h);
                if (item.origin_x != 0)
                    add(" {}", name_at(kLineCapNames, static_cast<LineCap>(item.origin_x)));
                break;
            case DrawKind::mesh:
                add(" of {} triangles", mesh(item).size() / 3);
                break;
            case DrawKind::text:
                add(" size {:g} {} \"{}\"", item.h, name_at(kTextAlignNames, item.align()), text(item));
                if (item.w != 0.0F) add(" width {:g}", item.w);
                break;
            case DrawKind::sprite: {
                const ImageFrame& frame = images[item.ref];
                const std::string name = frame.image == 0 ? "missing"
                                         : image_name     ? image_name(frame.image)
                                                          : fmt::format("#{}", frame.image);
                add(" size {:g}x{:g} {} [{},{} {}x{}]", item.w, item.h, name, frame.x, frame.y, frame.width,
                    frame.height);
                break;
            }
            case DrawKind::rectangle:
                add(" size {:g}x{:g}", item.w, item.h);
                if (item.ref != 0) add(" corners {:g}", item.ref / 16.0);
                break;
        }
        const bool has_origin = item.kind == DrawKind::sprite || item.kind == DrawKind::rectangle;
        if (has_origin && (item.origin_x != 0 || item.origin_y != 0))
            add(" origin {:g},{:g}", item.origin_x / 128.0, item.origin_y / 128.0);
        if (item.angle != 0) add(" turned {:g}", item.angle / 65536.0);
        if (item.stroke != 0) add(" stroke {:g}", item.stroke_pixels());
        if ((item.flags & kDrawFlipX) != 0) out += " flip-x";
        if ((item.flags & kDrawFlipY) != 0) out += " flip-y";
        if (item.blend() != BlendMode::alpha) add(" {}", name_at(kBlendNames, item.blend()));
        const std::uint32_t c = item.color;
        add(" #{:02x}{:02x}{:02x}{:02x}\n", c & 0xFFU, c >> 8U & 0xFFU, c >> 16U & 0xFFU, c >> 24U);
    }
    return out;
}

}  // namespace perigee
