#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "interrupt.hpp"

namespace tamis {
namespace {

using namespace std::chrono_literals;
constexpr auto redraw_every = 100ms;
constexpr auto line_every = 5s;
constexpr int widest_bar = 30;

int terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;  // NOLINT(*-vararg)
  return known && size.ws_col > 0 ? size.ws_col : 80;
}

std::string clock_time(double seconds) {
  const long long s = std::llround(seconds);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string bar(double share, int width) {
  const int done = std::clamp(int(share * width), 0, width);
  return fmt::format("[{}{}]", std::string(std::size_t(done), '#'),
                     std::string(std::size_t(width - done), '.'));
}

}  // namespace

ProgressMeter::ProgressMeter(const Common& common, std::string work, std::string unit)
    : quiet_(common.quiet),
      terminal_(::isatty(STDERR_FILENO) == 1),
      work_(std::move(work)),
      unit_(std::move(unit)),
      next_(start_ + (terminal_ ? 0s : line_every)) {}

ProgressMeter::~ProgressMeter() { clear(); }

double ProgressMeter::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::string ProgressMeter::line(Index samples, std::optional<Index> total,
                                std::optional<double> objective) const {
  const double rate = double(samples) / std::max(seconds(), 1e-9);
  std::string text = with_commas(samples);
  if (total) text += "/" + with_commas(*total);
  text += fmt::format(" {}  {}/s", unit_, with_commas(static_cast<long long>(rate)));
  if (total && rate > 0)
    text += "  ETA " + clock_time(double(std::max<Index>(*total - samples, 0)) / rate);
  if (objective) text += fmt::format("  objective {:.4g}", *objective);
  return text;
}

void ProgressMeter::show(Index samples, std::optional<Index> total,
                         std::optional<double> objective) {
  if (quiet_ || Clock::now() < next_) return;
  std::string text = line(samples, total, objective);
  if (!terminal_) {
    next_ = Clock::now() + line_every;
    print_error(fmt::format("{}: {}\n", work_, text));
    return;
  }
  next_ = Clock::now() + redraw_every;
  const int width = terminal_width() - 1;
  if (total && *total > 0) {
    const int room = std::min(widest_bar, width - int(text.size() + work_.size()) - 5);
    if (room >= 5) text = bar(double(samples) / double(*total), room) + " " + text;
  }
  text = fmt::format("{} {}", work_, text);
  print_error("\r\x1b[K" + text.substr(0, std::size_t(std::max(width, 1))));
  drawn_ = true;
}

void ProgressMeter::clear() {
  if (!drawn_) return;
  print_error("\r\x1b[K");
  drawn_ = false;
}

bool FitProgress::on_batch(const Progress& progress) {
  meter_.show(progress.samples, progress.total, progress.objective);
  return !interrupt_requested();
}

}  // namespace tamis
