// The parts of an HDF5 object's header, "messages" in its file format: each begins with counts and
// lengths, which version 1.10 of the library believes. It copies as many bytes as they say, also
// from behind the end.
#pragma once

#include "io/hdf5/cursor.hpp"

namespace tamis::hdf5 {

namespace message {
inline constexpr std::uint64_t dataspace = 0x01;
inline constexpr std::uint64_t link_info = 0x02;
inline constexpr std::uint64_t datatype = 0x03;
inline constexpr std::uint64_t old_fill_value = 0x04;
inline constexpr std::uint64_t fill_value = 0x05;
inline constexpr std::uint64_t link = 0x06;
inline constexpr std::uint64_t external_files = 0x07;
inline constexpr std::uint64_t layout = 0x08;
inline constexpr std::uint64_t filters = 0x0b;
inline constexpr std::uint64_t continuation = 0x10;
inline constexpr std::uint64_t cache_image = 0x18;
inline constexpr std::uint64_t shared_flag = 0x02;
}  // namespace message

// Whether everything that a message says it has is in it. Only what the library reads for us is
// looked at, which is: what it needs to open a file, to find an array and to read it.
bool holds_what_it_says(std::uint64_t type, std::uint64_t flags, Bytes body, NumberSizes sizes);

// Of sound messages: how long a fill value is (0: there is none), how long an entry of a type is,
// and where the object is that has the message instead
std::uint64_t bytes_of_fill_value(std::uint64_t type, Bytes body);
std::uint64_t bytes_of_type(Bytes body);
std::uint64_t address_of_shared(Bytes body, NumberSizes sizes);

}  // namespace tamis::hdf5
