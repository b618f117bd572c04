// Registry of the algorithms' names and settings. Their work is in src/algorithm/. See
// docs/extending.md.
#pragma once

#include <variant>

#include "tamis/algorithm/badmm.hpp"
#include "tamis/algorithm/bpgd.hpp"
#include "tamis/algorithm/fast.hpp"
#include "tamis/algorithm/oadmm.hpp"
#include "tamis/algorithm/onmf.hpp"
#include "tamis/algorithm/opgd.hpp"
#include "tamis/algorithm/orpca.hpp"

namespace tamis {

using Algorithm = std::variant<Fast, Opgd, Oadmm, Bpgd, Badmm, Orpca, Onmf>;

}  // namespace tamis
