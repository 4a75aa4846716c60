// Lets a test observe a contract violation: while a ContractWatch exists, a violation throws instead of
// aborting. Not for noexcept functions (the process would end) and not around Lua calls (Lua would swallow
// the exception).
//
//     ContractWatch watch;
//     CHECK_THROWS_AS(chunk.row(99), BrokenContract);
#pragma once

#include "ecs/base/contract.h"

#include <stdexcept>

namespace perigee {

/// what() is the text that the default handler would have printed.
struct BrokenContract : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class ContractWatch {
public:
    ContractWatch()
        : before_(set_contract_handler(
              [](const ContractFailure& failure) { throw BrokenContract(describe(failure)); })) {}
    ~ContractWatch() { set_contract_handler(before_); }
    ContractWatch(const ContractWatch&) = delete;
    ContractWatch& operator=(const ContractWatch&) = delete;

private:
    ContractHandler before_;
};

}  // namespace perigee
