// A file that appears under its name only when it is complete and on the disk.
#pragma once

#include <functional>
#include <string>

namespace tamis {

// Calls write(temporary path) and renames the result to `path`. If anything fails, `path` is as it
// was and the temporary file is gone. Throws FileError.
void write_atomically(const std::string& path,
                      const std::function<void(const std::string&)>& write);

}  // namespace tamis
