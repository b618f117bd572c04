// A slow solver of the encoding problem for any penalty, to check the verifier and the solvers
// against.
//
// FISTA with restarts on (h, r) together. The proximal map of a block with a group norm uses
// c‖x‖ = min over n > 0 of c(‖x‖²/n + n)/2 and a search over n, which shares nothing with the
// library's closed forms.
#pragma once

#include "support/kkt.hpp"
#include "support/kkt_block.hpp"

namespace judge {

struct Code {
  tamis::Vector<double> h;
  tamis::Vector<double> r;  // 0 where v is missing
};

// argmin over the box of ½‖x − q‖² + step·penalty(x)
tamis::Vector<double> reference_prox(const tamis::Vector<double>& q, double step,
                                     const BlockPenalty& penalty, const Box& box);

Code reference_encode(const EncodeProblem& problem, int iterations);

}  // namespace judge
