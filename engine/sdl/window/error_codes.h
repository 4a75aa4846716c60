// Every message text of the SDL back end, each provoked by a test in tests/engine/sdl or tests/game.
#pragma once

namespace perigee::sdl_errors {

// Errors that prevent a back end from starting.
inline constexpr char kNoWindow[] = "cannot open a window: {}";
inline constexpr char kNoShader[] = "OpenGL: the driver does not compile a shader: {}";
inline constexpr char kGlError[] = "OpenGL error 0x{:x}";
inline constexpr char kCannotSavePicture[] = "screenshot: cannot write '{}': {}";
inline constexpr char kCannotSaveFor[] = "{}: cannot write '{}': {}";
inline constexpr char kTooManyPictures[] = "there are {} pictures already, which is the limit";
inline constexpr char kPicturesTooLarge[] = "all pictures of a game or mod together can take {} MB";
inline constexpr char kNothingDrawn[] = "nothing is drawn";

// Errors that are reported once; the game continues.
inline constexpr char kNoTexture[] = "image '{}' cannot be shown, a placeholder is used: {}";
inline constexpr char kNoImage[] = "it is not a PNG or JPEG";
inline constexpr char kTooLargeForGl[] = "the graphics card takes images of at most {0} x {0} pixels";
inline constexpr char kTooManyPixels[] =
    "there is no room for it: all images together can have 268 million pixels, with a share for the game and "
    "each mod";
inline constexpr char kTooManySounds[] =
    "there is no room for it: all sounds together can take 256 MB, with a share for the game and each mod";
inline constexpr char kNoFont[] =
    "DejaVuSans.ttf was not found (Debian package fonts-dejavu-core): texts are drawn with the built-in "
    "pixel font, which has Latin letters only";
inline constexpr char kNoGl[] = "OpenGL cannot be used, pictures are drawn without it: {}";
inline constexpr char kShaderLeftOut[] = "the graphics driver refuses a shader, all is drawn without it: {}";
inline constexpr char kShaderStays[] = "the graphics driver refuses a shader, its last version stays: {}";
inline constexpr char kNoShaders[] =
    "this run draws without OpenGL and so without shaders: all is drawn as it is";
inline constexpr char kNoLayers[] =
    "the graphics driver has no room for layers that are drawn as a whole; they are drawn without their "
    "effect "
    "and blend mode";
inline constexpr char kNoMasks[] =
    "the graphics driver cannot keep drawing inside of masks (gfx.set_mask): it is drawn without them";
inline constexpr char kLostGl[] = "the graphics driver was reset; everything it had was loaded again";
inline constexpr char kNoAudio[] = "no sound: {}";
inline constexpr char kNoSound[] = "sound '{}' cannot be played: {}";
inline constexpr char kNoMusic[] = "music '{}' cannot be played: {}";

}  // namespace perigee::sdl_errors
