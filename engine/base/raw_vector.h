// A vector whose resize does not write the new elements: for memory that is filled right afterwards.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace perigee {

template <typename T> struct DefaultInitAllocator : std::allocator<T> {
    template <typename Other> struct rebind { using other = DefaultInitAllocator<Other>; };
    DefaultInitAllocator() = default;
    template <typename Other> DefaultInitAllocator(const DefaultInitAllocator<Other>&) noexcept {}

    template <typename Element> void construct(Element*) noexcept {}
    template <typename Element, typename... Arguments> void construct(Element* at, Arguments&&... arguments) {
        std::construct_at(at, std::forward<Arguments>(arguments)...);
    }
};

/// Elements that resize adds have unspecified values. For trivially copyable types.
template <typename T> using RawVector = std::vector<T, DefaultInitAllocator<T>>;

}  // namespace perigee
