// Words that were probably meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tamis::text {

// In quotation marks, shortened when very long, without what a terminal would obey.
std::string quoted(std::string_view word);

// The known word that is nearest, if any is near enough.
std::optional<std::string_view> closest(std::string_view word,
                                        const std::vector<std::string>& known);

// The sentence `"bal" is not known; did you mean "ball"? (ball, nonneg)`.
std::string not_known(std::string_view word, const std::vector<std::string>& known);

}  // namespace tamis::text
