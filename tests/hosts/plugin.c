// A plugin that does nothing: that it compiles shows that its header is C and is found.
#include "perigee/engine/plugin/plugin_abi.h"

PERIGEE_PLUGIN(host, plugin) {
    plugin->version = "1.0";
    return host->abi_version >= PERIGEE_OLDEST_PLUGIN_ABI ? PERIGEE_OK : PERIGEE_FAILED;
}
