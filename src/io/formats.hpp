// Every format that can be read or written: one line each. Adding one is a new file with an open
// function and a line here.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/io/reader.hpp"
#include "tamis/io/writer.hpp"

namespace tamis {

// A sample is a dense column in memory: a damaged header must not make us ask for any amount.
inline constexpr Index most_features = Index(1) << 28;

template <class T>
std::unique_ptr<Reader<T>> open_npy(const std::string& path, const OpenOptions& options);
template <class T>
std::unique_ptr<Reader<T>> open_npy_stream(const std::string& path, const OpenOptions& options);
template <class T>
std::unique_ptr<Reader<T>> open_text_table(const std::string& path, const OpenOptions& options);
template <class T>
std::unique_ptr<Reader<T>> open_hdf5(const std::string& name, const OpenOptions& options);
template <class T>
std::unique_ptr<Reader<T>> open_matrix_market(const std::string& path, const OpenOptions& options);
template <class T>
std::unique_ptr<Reader<T>> open_video(const std::string& path, const OpenOptions& options);
template <class T>
std::unique_ptr<Reader<T>> open_images(const std::string& input, const OpenOptions& options);
template <class T>
std::unique_ptr<Reader<T>> open_generator(const std::string& input, const OpenOptions& options);
bool names_generator(const std::string& input);  // "synthetic:…" and the like
template <class T>
std::unique_ptr<Reader<T>> open_several_files(const std::string& input, const OpenOptions& options);
bool names_several_files(const std::string& input);  // "part*.npy" and the like, not images

template <class T>
std::unique_ptr<Writer<T>> create_npy(const std::string& path, const WriterOptions& options);
template <class T>
std::unique_ptr<Writer<T>> create_npy_stream(const std::string& path, const WriterOptions& options);
template <class T>
std::unique_ptr<Writer<T>> create_text_table(const std::string& path, const WriterOptions& options);
template <class T>
std::unique_ptr<Writer<T>> create_hdf5(const std::string& name, const WriterOptions& options);
template <class T>
std::unique_ptr<Writer<T>> create_matrix_market(const std::string& path,
                                                const WriterOptions& options);
template <class T>
std::unique_ptr<Writer<T>> create_video(const std::string& path, const WriterOptions& options);
template <class T>
std::unique_ptr<Writer<T>> create_images(const std::string& path, const WriterOptions& options);

bool names_video(const std::string& input);
bool names_stream(const std::string& input);  // a camera, or an address such as rtsp://…
bool names_images(const std::string& input);
bool names_video_output(const std::string& path);
bool names_image_output(const std::string& path);

// Does the name end in one of these, in capitals or not?
bool has_ending(std::string_view name, std::initializer_list<std::string_view> endings);
inline bool is_text_table_name(const std::string& name) {
  return has_ending(name, {".csv", ".tsv"});
}
// "file.h5", "file.hdf5", perhaps with ":/dataset"
bool is_hdf5_name(const std::string& name);
// The file that an input or output of this name is in: without ":/dataset"
std::string file_of(const std::string& name);

template <class T>
struct ReaderFormat {
  std::string_view written_as;  // for messages
  bool (*matches)(const std::string& input);
  std::unique_ptr<Reader<T>> (*open)(const std::string& input, const OpenOptions& options);
};

template <class T>
const std::vector<ReaderFormat<T>>& reader_formats() {
  static const std::vector<ReaderFormat<T>> formats{
      {"-", [](const std::string& name) { return name == "-"; }, open_npy_stream<T>},
      {"synthetic:, swimmer:, video:", names_generator, open_generator<T>},
      {"a pattern of .npy, .csv, .tsv, .h5, .mtx files", names_several_files,
       open_several_files<T>},
      {".npy", [](const std::string& name) { return has_ending(name, {".npy"}); }, open_npy<T>},
      {".csv, .tsv", is_text_table_name, open_text_table<T>},
      {".h5:/dataset", is_hdf5_name, open_hdf5<T>},
      {".mtx", [](const std::string& name) { return has_ending(name, {".mtx"}); },
       open_matrix_market<T>},
      {"/dev/video0, rtsp://", names_stream, open_video<T>},
      {"a video (.mp4, .avi, .mkv, .mov, .webm, …)", names_video, open_video<T>},
      {"an image or a folder or pattern of images (.png, .jpg, .pgm, …)", names_images,
       open_images<T>},
  };
  return formats;
}

template <class T>
struct WriterFormat {
  std::string_view written_as;
  bool (*matches)(const std::string& path);
  std::unique_ptr<Writer<T>> (*create)(const std::string& path, const WriterOptions& options);
  bool in_order_only = false;  // rows can only be appended
  bool resumable = true;       // a stopped run can go on with it
  bool pictures = false;       // entries are gray values
};

template <class T>
const std::vector<WriterFormat<T>>& writer_formats() {
  static const std::vector<WriterFormat<T>> formats{
      {"-", [](const std::string& name) { return name == "-"; }, create_npy_stream<T>, true, false},
      {".npy", [](const std::string& name) { return has_ending(name, {".npy"}); }, create_npy<T>},
      {".csv, .tsv", is_text_table_name, create_text_table<T>, true},
      {".h5:/dataset", is_hdf5_name, create_hdf5<T>},
      {".mtx", [](const std::string& name) { return has_ending(name, {".mtx"}); },
       create_matrix_market<T>},
      {"a video (.mp4, .avi, .mkv)", names_video_output, create_video<T>, true, false, true},
      {"an image (.png, …) or a folder of images (a name without ending)", names_image_output,
       create_images<T>, false, true, true},
  };
  return formats;
}

// The format that open_writer would choose; null if there is none.
template <class T>
const WriterFormat<T>* find_writer_format(const std::string& path) {
  for (const WriterFormat<T>& format : writer_formats<T>())
    if (format.matches(path)) return &format;
  return nullptr;
}

}  // namespace tamis
