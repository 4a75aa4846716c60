// A host's own header, of a name that Perigee has, too. Neither may be found in place of the other.
#pragma once

namespace host {

struct World {
    int continents = 7;
};

}  // namespace host
