// Keys of the program rather than the game: save a screenshot, copy the errors, save and load the world.
#pragma once

#include "scripting/base/log.h"

#include <filesystem>

namespace perigee {

class Backend;
class Engine;

/// Writes the picture that was just drawn as a new file; the log says where, or why not.
void keep_screenshot(const Engine& engine, Backend& backend, const LogSink& log);

/// Copies the errors on the card, if there are any, to the clipboard.
void copy_errors(const Engine& engine, Backend& backend, const LogSink& log);

/// Saves the world to the file, in a folder that is created if it is missing. Nothing if `file` is empty. The
/// log says what was saved, or why not.
void keep_world(Engine& engine, const std::filesystem::path& file, const LogSink& log);

/// Makes the world what it was when the file was saved. Nothing if `file` is empty. The log says so, or why
/// not.
void bring_back_world(Engine& engine, const std::filesystem::path& file, const LogSink& log);

}  // namespace perigee
