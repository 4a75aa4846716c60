// Keys of the program rather than the game: save a screenshot, copy the errors.
#pragma once

#include "scripting/base/log.h"

namespace perigee {

class Backend;
class Engine;

/// Writes the picture that was just drawn as a new file; the log says where, or why not.
void keep_screenshot(const Engine& engine, Backend& backend, const LogSink& log);

/// Copies the errors on the card, if there are any, to the clipboard.
void copy_errors(const Engine& engine, Backend& backend, const LogSink& log);

}  // namespace perigee
