#include "io/hdf5_output.hpp"

#include <hdf5.h>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "io/byte_file.hpp"
#include "tamis/error.hpp"

namespace tamis {

struct Hdf5Output::Disk {
  explicit Disk(const std::string& path) : file(path, ByteFile::Mode::create) {}

  // Does it, unless something went wrong before.
  template <class Work>
  void attempt(const Work& work) {
    if (!problem.empty()) return;
    try {
      work();
    } catch (const FileError& error) {
      problem = error.what();
    }
  }

  ByteFile file;
  std::string problem;
};

namespace {

constexpr auto largest_address = haddr_t(std::numeric_limits<Index>::max());

// What the library sees of a file. It must begin with its own part.
struct DriverFile {
  H5FD_t own;
  Hdf5Output::Disk* disk;
  haddr_t allocated;
  haddr_t end;
};

DriverFile& of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const void* const info = H5Pget_driver_info(access);
  if (info == nullptr) return nullptr;
  auto* const made = new DriverFile{};
  std::memcpy(&made->disk, info, sizeof(made->disk));
  return &made->own;
}

herr_t close_file(H5FD_t* file) {
  delete &of(file);
  return 0;
}

// As of the library's own driver, so that equal contents give equal files
herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
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
  if (at < end) {
    Hdf5Output::Disk& disk = *of(file).disk;
    disk.attempt([&] {
      disk.file.read(bytes.first(std::size_t(std::min<haddr_t>(size, end - at))), Index(at));
    });
  }
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* buffer) {
  Hdf5Output::Disk& disk = *of(file).disk;
  disk.attempt([&] { disk.file.write({static_cast<const std::byte*>(buffer), size}, Index(at)); });
  of(file).end = std::max(of(file).end, at + size);
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& own = of(file);
  if (own.end != own.allocated)
    own.disk->attempt([&] { own.disk->file.resize(Index(own.allocated)); });
  own.end = own.allocated;
  return 0;
}

hid_t driver() {
  static const hid_t registered = [] {
    H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
    driver.version = H5FD_CLASS_VERSION;
    driver.value = H5FD_class_value_t(512);  // of those left to everybody
#endif
    driver.name = "tamis";
    driver.maxaddr = largest_address;
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(Hdf5Output::Disk*);
    driver.open = open_file;
    driver.close = close_file;
    driver.query = query;
    driver.get_eoa = allocated;
    driver.set_eoa = allocate;
    driver.get_eof = end_of;
    driver.read = read;
    driver.write = write;
    driver.truncate = truncate;
    constexpr H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;
    std::ranges::copy(kinds, driver.fl_map);
    return H5FDregister(&driver);
  }();
  return registered;
}

H5::FileAccPropList access_to(Hdf5Output::Disk* disk) {
  H5::FileAccPropList access;
  access.setDriver(driver(), static_cast<const void*>(&disk));
  return access;
}

}  // namespace

Hdf5Output::Hdf5Output(const std::string& path)
    : disk_(std::make_unique<Disk>(path)),
      file_(path, H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT, access_to(disk_.get())) {}

Hdf5Output::~Hdf5Output() = default;

void Hdf5Output::close() {
  file_.close();
  if (!disk_->problem.empty()) throw FileError(disk_->problem);
}

}  // namespace tamis
