// FontTable: the fonts of a game and its mods by their asset, icons by their name, and texts made of them.
//
// Invariant: a font is read when it is first used, in a process of its own (engine/assets/decoder.h). What a
// text measures depends on the files alone. A font that cannot be used is reported once, and the default font
// stands in. A text is shaped once, and again only after many others. Not thread-safe: scripts call it in
// turn (engine/modules/in_turn.h).
#pragma once

#include "ecs/base/divided_pool.h"
#include "ecs/base/result.h"
#include "engine/assets/assets.h"
#include "engine/assets/image_loader.h"
#include "engine/assets/image_table.h"
#include "engine/draw/shaped_text.h"
#include "engine/fonts/font_face.h"
#include "engine/fonts/text_shaper.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perigee {

class Decoder;
struct BitmapFont;

/// What a game says about a font besides its file.
struct FontDescription {
    std::vector<AssetHandle> fallback;  ///< fonts for characters that it does not have
    std::u32string glyphs;              ///< of a strip of glyphs, in their order
    float spacing = 0.0F;               ///< pixels after each glyph of a strip
    float line_height = 1.0F;           ///< multiplies that of the file
};

class FontTable {
public:
    static constexpr std::size_t kMaxFonts = 256;
    static constexpr std::size_t kMaxIcons = 4096;
    static constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20U;
    static constexpr std::size_t kMaxTexts = 8192;                    ///< that are kept
    static constexpr std::size_t kMaxGlyphs = std::size_t{1} << 20U;  ///< of all texts that are kept

    /// Lifetime: all must outlive it.
    FontTable(AssetStore& assets, ImageTable& images, ImageLoader& loader);
    ~FontTable();
    FontTable(const FontTable&) = delete;
    FontTable& operator=(const FontTable&) = delete;

    /// The decoder that reads fonts; without one, the table starts its own when it needs it. Lifetime: it
    /// must outlive the table.
    void use_decoder(Decoder* decoder) noexcept { decoder_ = decoder; }
    Decoder& decoder();
    void set_owners(std::size_t count) { room_.set_members(count); }

    /// True if the path of this asset is that of a font, or of an image that can be one.
    static bool is_font_path(std::string_view path) noexcept;
    void describe(AssetHandle font, FontDescription description);
    /// Errors: kMaxIcons are defined. A name that is known gets another picture.
    Result<void> define_icon(std::string_view name, FrameId frame, float scale);

    /// Never null. `font` 0: the default font.
    std::shared_ptr<const ShapedText> shape(std::string_view utf8, AssetHandle font, bool has_markup);
    /// The first mistake in the markup of a text; empty: there is none.
    std::string markup_mistake(std::string_view utf8) const;
    /// The size at which a bitmap font is as its picture is; 0 for other fonts.
    float own_size(AssetHandle font);
    /// Lengths in em. Those of the default font if this one cannot be used.
    struct Metrics {
        float ascent = 0.0F;
        float line_height = 0.0F;
    };
    Metrics metrics(AssetHandle font);

    /// The file of a font, or of an image of one, was saved.
    void reload(AssetHandle asset);
    std::vector<std::string> take_reports();

private:
    struct Font {
        FontDescription description;
        std::shared_ptr<FontFace> face;  // null: not read yet, or it cannot be
        std::vector<AssetHandle> pages;  // images of a bitmap font
        bool is_read = false;
        bool takes_room = false;
        bool has_stopped = false;  // and this was reported
    };
    struct Icon {
        FrameId frame = 0;
        float scale = 1.0F;
    };
    struct KeptText {
        std::shared_ptr<const ShapedText> text;
        AssetHandle font = 0;
        bool has_markup = false;
        std::uint64_t used = 0;
    };
    std::shared_ptr<FontFace> face_of(AssetHandle font);
    Result<std::shared_ptr<FontFace>> read_face(AssetHandle asset, Font& font);
    Result<std::shared_ptr<FontFace>> read_strip(AssetHandle asset, Font& font);
    Result<std::shared_ptr<FontFace>> bitmap_face(const BitmapFont& bitmap, AssetHandle asset, Font& font);
    std::optional<std::uint32_t> find_icon(std::string_view name) const;
    std::shared_ptr<const ShapedText> make(std::string_view utf8, AssetHandle font, bool has_markup);
    void report_mistake(std::string_view utf8);
    void make_room();
    void forget_texts();

    AssetStore& assets_;
    ImageTable& images_;
    ImageLoader& loader_;
    Decoder* decoder_ = nullptr;
    std::unique_ptr<Decoder> own_decoder_;
    DividedPool room_{kMaxFonts};
    std::unordered_map<AssetHandle, Font> fonts_;
    std::vector<Icon> icons_;
    std::unordered_map<std::string, std::uint32_t> icon_numbers_;
    std::unordered_map<std::uint64_t, KeptText> texts_;  // by a hash of all that they depend on
    std::size_t kept_glyphs_ = 0;
    std::uint64_t uses_ = 0;
    std::uint64_t image_version_ = 0;
    std::size_t mistake_count_ = 0;  ///< that were reported
    internal::TextShaper shaper_;
    std::vector<internal::TextUnit> units_;
    std::vector<std::string> reports_;
};

}  // namespace perigee
