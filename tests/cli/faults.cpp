// Preloaded into the program by tests: notes what it does to the files of one folder, and kills it,
// stops it or lets calls fail at a chosen moment.
//
//   TAMIS_FAULT_FOLDER  only files below it count
//   TAMIS_FAULT_LOG     a line for every change: "write PATH", "fsync PATH", "rename FROM TO", …
//   TAMIS_FAULT         kill:write:N      SIGKILL instead of the N-th change
//                       half:write:N      the same, after half of it if it is a write
//                       stop:write:N      SIGSTOP before the N-th change
//                       fail:write:N:E    changes that take room fail with errno E from the N-th on
//                       fail:read:N:E     so do reads
//                       fail:sync:N:E     and fsync
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

// NOLINTBEGIN: stands between a program and the system, whose names and manners it has to keep
namespace {

struct Plan {
  std::string folder, log;
  char action[8] = "", kind[8] = "";
  long number = 0;
  int error = 0;
};

const Plan& plan() {
  static const Plan* const made = [] {
    auto* plan = new Plan;
    const auto text = [](const char* name) {
      const char* value = std::getenv(name);
      return std::string(value == nullptr ? "" : value);
    };
    plan->folder = text("TAMIS_FAULT_FOLDER");
    plan->log = text("TAMIS_FAULT_LOG");
    std::sscanf(text("TAMIS_FAULT").c_str(), "%7[^:]:%7[^:]:%ld:%d", plan->action, plan->kind,
                &plan->number, &plan->error);
    return plan;
  }();
  return *made;
}

bool counts(const std::string& path) {
  return !plan().folder.empty() && path.compare(0, plan().folder.size(), plan().folder) == 0;
}

// A thread may have a table of open files of its own.
std::string path_of(int file) {
  char name[64], path[PATH_MAX];
  std::snprintf(name, sizeof(name), "/proc/thread-self/fd/%d", file);
  const ssize_t n = ::readlink(name, path, sizeof(path));
  return n > 0 ? std::string(path, std::size_t(n)) : std::string();
}

std::string absolute(const char* path) {
  if (path[0] == '/') return path;
  char here[PATH_MAX];
  return ::getcwd(here, sizeof(here)) == nullptr ? std::string(path)
                                                 : std::string(here) + "/" + path;
}

void note(const std::string& line) {
  if (plan().log.empty()) return;
  const long file = syscall(SYS_openat, AT_FDCWD, plan().log.c_str(),
                            O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  syscall(SYS_write, file, line.data(), line.size());
  syscall(SYS_close, file);
}

void send_itself(int signal) { syscall(SYS_kill, syscall(SYS_getpid), signal); }
void die() { send_itself(SIGKILL); }

bool planned(const char* action, const char* kind) {
  return std::strcmp(plan().action, action) == 0 && std::strcmp(plan().kind, kind) == 0;
}

enum class Verdict { go_on, half, fail };

// Counts a change; the program may not survive it.
Verdict change(const char* what, const std::string& path, bool takes_room) {
  static std::atomic<long> changes = 0;
  if (!counts(path)) return Verdict::go_on;
  const long number = ++changes;
  const bool now = number == plan().number;
  if (now && planned("kill", "write")) die();
  if (now && planned("stop", "write")) send_itself(SIGSTOP);
  note(std::string(what) + " " + path + "\n");
  if (planned("fail", "write") && number >= plan().number && takes_room) return Verdict::fail;
  return now && planned("half", "write") ? Verdict::half : Verdict::go_on;
}

bool fails(const char* kind, const std::string& path, std::atomic<long>& calls) {
  if (!planned("fail", kind) || !counts(path) || ++calls < plan().number) return false;
  errno = plan().error;
  return true;
}

int refuse() {
  errno = plan().error;
  return -1;
}

template <class Write>
ssize_t write_with(int file, std::size_t size, const Write& write) {
  switch (change("write", path_of(file), true)) {
    case Verdict::go_on:
      return write(size);
    case Verdict::half:
      write(size / 2);
      die();
      break;
    case Verdict::fail:
      break;
  }
  return refuse();
}

template <class Do>
int do_with(const char* what, const std::string& path, const Do& action) {
  const Verdict verdict = change(what, path, false);
  const auto result = int(action());
  if (verdict == Verdict::half) die();  // it happened, but nobody was told
  return result;
}

ssize_t read_at(int file, void* bytes, std::size_t size, off_t offset) {
  static std::atomic<long> calls = 0;
  if (fails("read", path_of(file), calls)) return -1;
  return syscall(SYS_pread64, file, bytes, size, offset);
}

ssize_t read_next(int file, void* bytes, std::size_t size) {
  static std::atomic<long> calls = 0;
  if (fails("read", path_of(file), calls)) return -1;
  return syscall(SYS_read, file, bytes, size);
}

int sync_with(const char* what, int file, long call) {
  static std::atomic<long> calls = 0;
  const std::string path = path_of(file);
  if (fails("sync", path, calls)) return -1;
  return do_with(what, path, [&] { return syscall(call, file); });
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  return write_with(file, size, [&](size_t n) { return syscall(SYS_write, file, bytes, n); });
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  return write_with(file, size,
                    [&](size_t n) { return syscall(SYS_pwrite64, file, bytes, n, offset); });
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
  return pwrite(file, bytes, size, offset);
}

ssize_t read(int file, void* bytes, size_t size) { return read_next(file, bytes, size); }
ssize_t pread(int file, void* bytes, size_t size, off_t offset) {
  return read_at(file, bytes, size, offset);
}
ssize_t pread64(int file, void* bytes, size_t size, off64_t offset) {
  return read_at(file, bytes, size, offset);
}
// As a hardened program calls them
ssize_t __read_chk(int file, void* bytes, size_t size, size_t) {
  return read_next(file, bytes, size);
}
ssize_t __pread_chk(int file, void* bytes, size_t size, off_t offset, size_t) {
  return read_at(file, bytes, size, offset);
}
ssize_t __pread64_chk(int file, void* bytes, size_t size, off64_t offset, size_t) {
  return read_at(file, bytes, size, offset);
}

int fsync(int file) { return sync_with("fsync", file, SYS_fsync); }
int fdatasync(int file) { return sync_with("fdatasync", file, SYS_fdatasync); }

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  return do_with("rename", absolute(from) + " " + absolute(to),
                 [&] { return syscall(SYS_renameat2, from_folder, from, to_folder, to, flags); });
}
int rename(const char* from, const char* to) noexcept {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  const std::string whole = folder == AT_FDCWD ? absolute(path) : path_of(folder) + "/" + path;
  return do_with("unlink", whole, [&] { return syscall(SYS_unlinkat, folder, path, flags); });
}
int unlink(const char* path) noexcept { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char* path) noexcept { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char* path) noexcept {
  const int result = unlink(path);
  return result != 0 && (errno == EISDIR || errno == EPERM) ? rmdir(path) : result;
}

int ftruncate(int file, off_t size) noexcept {
  return do_with("truncate", path_of(file), [&] { return syscall(SYS_ftruncate, file, size); });
}
int ftruncate64(int file, off64_t size) noexcept { return ftruncate(file, size); }
int truncate(const char* path, off_t size) noexcept {
  return do_with("truncate", absolute(path), [&] { return syscall(SYS_truncate, path, size); });
}
int truncate64(const char* path, off64_t size) noexcept { return truncate(path, size); }

}  // extern "C"
// NOLINTEND
