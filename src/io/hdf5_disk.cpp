#include "io/hdf5_disk.hpp"

#include <hdf5.h>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "io/byte_file.hpp"
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
};

// How a driver gets it: as a plain pointer, which is copied.
using DiskOfCaller = const std::shared_ptr<Hdf5Output::Disk>*;

DriverFile& of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const void* const info = H5Pget_driver_info(access);
  if (info == nullptr) return nullptr;
  const DiskOfCaller disk = *static_cast<const DiskOfCaller*>(info);
  auto* const made = new DriverFile{.own = {}, .disk = *disk};
  made->end = haddr_t(made->disk->file.size());
  return &made->own;
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

// What was never written is zero, as in a file with holes.
herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* buffer) {
  const std::span bytes(static_cast<std::byte*>(buffer), size);
  std::ranges::fill(bytes, std::byte(0));
  const haddr_t end = of(file).end;
  if (at >= end) return 0;
  Hdf5Output::Disk& disk = *of(file).disk;
  return disk.attempt([&] {
    disk.file.read(bytes.first(std::size_t(std::min<haddr_t>(size, end - at))), Index(at));
  });
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

H5::FileAccPropList access_to(const std::shared_ptr<Hdf5Output::Disk>& disk) {
  const DiskOfCaller info = &disk;
  H5::FileAccPropList access;
  access.setDriver(driver(), static_cast<const void*>(&info));
  return access;
}

}  // namespace

H5::H5File open_hdf5(const std::string& path) {
  const auto disk = std::make_shared<Hdf5Output::Disk>(path, ByteFile::Mode::read);
  return {path, H5F_ACC_RDONLY, H5::FileCreatPropList::DEFAULT, access_to(disk)};
}

Hdf5Output::Hdf5Output(const std::string& path)
    : disk_(std::make_shared<Disk>(path, ByteFile::Mode::create)),
      file_(path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, access_to(disk_)) {}

void Hdf5Output::close() {
  file_.close();
  if (!disk_->problem.empty()) throw FileError(disk_->problem);
}

}  // namespace tamis
