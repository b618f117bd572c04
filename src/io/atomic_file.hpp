// A file that appears under its name only when it is complete and on the disk.
#pragma once

#include <functional>
#include <string>

namespace tamis {

// Calls write(temporary path) and renames the result to `path`. If anything fails, `path` is as it
// was and the temporary file is gone. Throws FileError.
void write_atomically(const std::string& path,
                      const std::function<void(const std::string&)>& write);

// Removes what processes that are gone (killed, out of power) had begun to write there.
void remove_abandoned(const std::string& path);

// Waits until a file or folder is on the disk. Throws FileError.
void sync_to_disk(const std::string& path);
// The same for the names in the folder that a path is in, where the file system can do that.
void sync_names(const std::string& path);

// The folder that a path is in.
std::string folder_of(const std::string& path);

}  // namespace tamis
