#include "io/hdf5_disk.hpp"

#include <hdf5.h>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "io/byte_file.hpp"
#include "io/hdf5/header.hpp"
#include "tamis/error.hpp"

namespace tamis {

struct Hdf5Output::Disk {
  Disk(const std::string& path, ByteFile::Mode mode)
      : file(path, mode), forgiving(mode == ByteFile::Mode::create) {}

  // Does it, unless something went wrong before. Returns what the library is told: 0 for success.
  template <class Work>
  herr_t attempt(const Work& work) {
    if (problem.empty()) {
      try {
        work();
      } catch (const FileError& error) {
        problem = error.what();
      }
    }
    return problem.empty() || forgiving ? 0 : -1;
  }

  ByteFile file;
  bool forgiving;
  std::string problem;
};

namespace {

constexpr auto largest_address = haddr_t(std::numeric_limits<Index>::max());

// What the library sees of a file. It must begin with its own part.
struct DriverFile {
  H5FD_t own;
  std::shared_ptr<Hdf5Output::Disk> disk;
  haddr_t allocated = 0;
  haddr_t end = 0;
  hdf5::Headers headers;
  bool refused = false;  // something in it
};

// How a driver gets one to write to: as a plain pointer, which is copied. Without one it opens a
// file to read, by its name: it may also be one that the first refers to.
using DiskOfCaller = const std::shared_ptr<Hdf5Output::Disk>*;

DriverFile& of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open_file(const char* name, unsigned, hid_t access, haddr_t) try {
  const void* const info = H5Pget_driver_info(access);
  auto made = std::make_unique<DriverFile>();
  made->disk = info != nullptr ? **static_cast<const DiskOfCaller*>(info)
                               : std::make_shared<Hdf5Output::Disk>(name, ByteFile::Mode::read);
  made->end = haddr_t(made->disk->file.size());
  return &made.release()->own;
} catch (const std::exception&) {
  return nullptr;
}

herr_t close_file(H5FD_t* file) {
  delete &of(file);
  return 0;
}

// As of the library's own driver, so that equal contents give equal files. What is read does not go
// through its buffer for metadata, which can be misled by sizes in a damaged file.
herr_t query(const H5FD_t* file, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
  const bool written = file == nullptr || of(file).disk->forgiving;
  if (written) *flags |= H5FD_FEAT_ACCUMULATE_METADATA;
  return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; }
herr_t allocate(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  of(file).allocated = end;
  return 0;
}
haddr_t end_of(const H5FD_t* file, H5FD_mem_t) { return of(file).end; }

// Nothing that was not written here goes to the library without a look.
herr_t look_through(DriverFile& file, H5FD_mem_t kind, hdf5::Bytes bytes, haddr_t at) {
  if (kind == H5FD_MEM_SUPER) file.headers.learn_sizes(bytes, at);
  const haddr_t end = std::min(file.end, file.allocated);  // nor does the library read further
  const auto more = [&](haddr_t from, haddr_t size) {
    if (from > end || size > end - from) size = 0;
    std::vector<std::byte> found(size);
    const herr_t problem =
        file.disk->attempt([&] { file.disk->file.read(std::span(found), Index(from)); });
    if (problem != 0) found.clear();
    return found;
  };
  if (kind == H5FD_MEM_DRAW) return 0;
  const bool rest = kind == H5FD_MEM_OHDR && file.headers.is_rest(bytes, at);
  const bool sound = kind == H5FD_MEM_OHDR    ? file.headers.sound(bytes, at, more)
                     : kind == H5FD_MEM_LHEAP ? file.headers.sound_heap(bytes, at, more)
                     : kind == H5FD_MEM_SUPER ? !hdf5::is_cache_image(bytes)
                                              : true;
  return sound && (rest || file.headers.sound_index(bytes, at, more)) ? 0 : -1;
}

// What was refused may be in the library's memory all the same, in part: at the next try it would
// go on from there. So nothing more is read from that file.
herr_t read_sound(DriverFile& file, H5FD_mem_t kind, std::span<std::byte> bytes, haddr_t at) {
  if (file.refused) return -1;
  file.refused = true;  // also if memory does not suffice to look
  const herr_t result = file.disk->attempt([&] { file.disk->file.read(bytes, Index(at)); });
  if (result != 0 || look_through(file, kind, bytes, at) != 0) return -1;
  if (kind == H5FD_MEM_LHEAP) file.headers.end_names(bytes, at);
  file.refused = false;
  return 0;
}

// Only in a file that is being written may there be something behind the end: zeros, as in a hole.
// Nothing may be thrown through the library, also not for want of memory.
herr_t read(H5FD_t* from, H5FD_mem_t kind, hid_t, haddr_t at, std::size_t size, void* buffer) try {
  DriverFile& file = of(from);
  Hdf5Output::Disk& disk = *file.disk;
  const std::span bytes(static_cast<std::byte*>(buffer), size);
  const bool has_all = at <= file.end && size <= file.end - at;
  if (!disk.forgiving) return has_all ? read_sound(file, kind, bytes, at) : -1;
  if (!has_all) std::ranges::fill(bytes, std::byte(0));
  if (at >= file.end) return 0;
  return disk.attempt([&] {
    disk.file.read(bytes.first(std::size_t(std::min<haddr_t>(size, file.end - at))), Index(at));
  });
} catch (const std::exception&) {
  return -1;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* buffer) {
  Hdf5Output::Disk& disk = *of(file).disk;
  of(file).end = std::max(of(file).end, at + size);
  return disk.attempt([&] {
    disk.file.write({static_cast<const std::byte*>(buffer), size}, Index(at));
  });
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& own = of(file);
  if (std::exchange(own.end, own.allocated) == own.allocated) return 0;
  return own.disk->attempt([&] { own.disk->file.resize(Index(own.allocated)); });
}

// Another program may be writing what is to be read.
herr_t lock(H5FD_t* file, hbool_t to_write) {
  return to_write || of(file).disk->file.lock_shared() ? 0 : -1;
}
herr_t unlock(H5FD_t*) { return 0; }

hid_t driver() {
  static const hid_t registered = [] {
    H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
    driver.version = H5FD_CLASS_VERSION;
    driver.value = H5FD_class_value_t(512);  // of those left to everybody
#endif
    driver.name = "tamis";
    driver.maxaddr = largest_address;
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = sizeof(DiskOfCaller);
    driver.open = open_file;
    driver.close = close_file;
    driver.query = query;
    driver.get_eoa = allocated;
    driver.set_eoa = allocate;
    driver.get_eof = end_of;
    driver.read = read;
    driver.write = write;
    driver.truncate = truncate;
    driver.lock = lock;
    driver.unlock = unlock;
    constexpr H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;
    std::ranges::copy(kinds, driver.fl_map);
    return H5FDregister(&driver);
  }();
  return registered;
}

H5::FileAccPropList access_by_driver(const DiskOfCaller* info) {
  H5::FileAccPropList access;
  access.setDriver(driver(), static_cast<const void*>(info));
  return access;
}

H5::H5File create(const std::string& path, const std::shared_ptr<Hdf5Output::Disk>& disk) {
  const DiskOfCaller info = &disk;
  return {path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, access_by_driver(&info)};
}

}  // namespace

H5::H5File open_hdf5(const std::string& path) {
  const ByteFile readable(path, ByteFile::Mode::read);  // or says why not
  return {path, H5F_ACC_RDONLY, H5::FileCreatPropList::DEFAULT, access_by_driver(nullptr)};
}

Hdf5Output::Hdf5Output(const std::string& path)
    : disk_(std::make_shared<Disk>(path, ByteFile::Mode::create)), file_(create(path, disk_)) {}

void Hdf5Output::close() {
  file_.close();
  if (!disk_->problem.empty()) throw FileError(disk_->problem);
}

}  // namespace tamis
