// tamis: online nonnegative matrix factorization with outliers, V ≈ WH + R.
#pragma once

#include "tamis/error.hpp"
#include "tamis/io/matrix_source.hpp"
#include "tamis/io/sink.hpp"
#include "tamis/io/source.hpp"
#include "tamis/model.hpp"
#include "tamis/observer.hpp"
#include "tamis/result.hpp"
#include "tamis/settings.hpp"
#include "tamis/solvers.hpp"
#include "tamis/trainer.hpp"
#include "tamis/types.hpp"
#include "tamis/version.hpp"
