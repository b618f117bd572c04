#include "kernels/panel.hpp"

#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/panel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/back_tile-inl.hpp"
#include "kernels/samples-inl.hpp"
#include "kernels/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tamis::kernels::HWY_NAMESPACE {

template <class T>
struct Store {
  Panel<T> P;
  template <class D, class Rows>
  HWY_INLINE void operator()(D d, const Rows& rows, Index i, Index j, hn::Vec<D> p) const {
    rows.store(d, p, P.col(j) + i);
  }
};

template <class T, class Storage>
struct Clean {
  Storage V;
  Shrinkage<T> s;
  Panel<T> Y;
  template <class D, class Rows>
  HWY_INLINE void operator()(D d, const Rows& rows, Index i, Index j, hn::Vec<D> p) const {
    const auto v = V.load(d, rows, i, j);
    rows.store(d, split<Storage::may_be_missing>(d, s, v, p).y, Y.col(j) + i);
  }
};

template <class T>
struct CleanedProduct {
  Panel<const T> W, X;
  Shrinkage<T> s;
  Panel<T> Y;
  template <class Storage>
  HWY_INLINE void operator()(const Storage& V) const {
    multiply(hn::ScalableTag<T>(), W, X, Clean<T, Storage>{V, s, Y});
  }
};

template <class T>
struct Absorb {
  double keep, add;
  Panel<double> B;
  template <class D, class Rows>
  HWY_INLINE void operator()(D d, const Rows& rows, Index i, Index k, hn::Vec<D> sum) const {
    HWY_ALIGN T sums[HWY_MAX_BYTES / sizeof(T)] = {};
    hn::Store(sum, d, sums);
    double* b = B.col(k) + i;
    for (Index lane = 0, n = rows.count(d); lane < n; ++lane)
      b[lane] = keep * b[lane] + add * double(sums[lane]);
  }
};

template <class T>
void product_for(const Panel<const T>& W, const Panel<const T>& X, const Panel<T>& P) {
  multiply(hn::ScalableTag<T>(), W, X, Store<T>{P});
}

template <class T>
void cleaned_product_for(const Panel<const T>& W, const Panel<const T>& X, const Samples<T>& V,
                         const Index* columns, const Shrinkage<T>& s, const Panel<T>& Y) {
  with_storage(V, columns, CleanedProduct<T>{W, X, s, Y});
}

template <class T>
void back_product_for(const Panel<const T>& W, const Panel<const T>& Y, bool add,
                      const Panel<T>& S) {
  multiply_back(hn::ScalableTag<T>(), W, Y, false, add, S);
}

template <class T>
void gram_for(const Panel<const T>& W, bool add, const Panel<T>& G) {
  multiply_back(hn::ScalableTag<T>(), W, W, true, add, G);
}

// The roles in W·X: Y for W, H for the transpose of X.
template <class T>
void absorb_product_for(const Panel<const T>& Y, const Panel<const T>& H, double keep, double add,
                        const Panel<double>& B) {
  multiply(hn::ScalableTag<T>(), Y, H, Absorb<T>{keep, add, B});
}

#define TAMIS_INSTANTIATE(T)                                                                      \
  void product_##T(const Panel<const T>& W, const Panel<const T>& X, const Panel<T>& P) {         \
    product_for<T>(W, X, P);                                                                      \
  }                                                                                               \
  void cleaned_##T(const Panel<const T>& W, const Panel<const T>& X, const Samples<T>& V,         \
                   const Index* columns, const Shrinkage<T>& s, const Panel<T>& Y) {              \
    cleaned_product_for<T>(W, X, V, columns, s, Y);                                               \
  }                                                                                               \
  void back_##T(const Panel<const T>& W, const Panel<const T>& Y, bool add, const Panel<T>& S) {  \
    back_product_for<T>(W, Y, add, S);                                                            \
  }                                                                                               \
  void gram_##T(const Panel<const T>& W, bool add, const Panel<T>& G) { gram_for<T>(W, add, G); } \
  void absorb_##T(const Panel<const T>& Y, const Panel<const T>& H, double keep, double add,      \
                  const Panel<double>& B) {                                                       \
    absorb_product_for<T>(Y, H, keep, add, B);                                                    \
  }
TAMIS_INSTANTIATE(float)
TAMIS_INSTANTIATE(double)
#undef TAMIS_INSTANTIATE

}  // namespace tamis::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::kernels {

#define TAMIS_DISPATCH(T)                                                                  \
  HWY_EXPORT(product_##T);                                                                 \
  HWY_EXPORT(cleaned_##T);                                                                 \
  HWY_EXPORT(back_##T);                                                                    \
  HWY_EXPORT(gram_##T);                                                                    \
  HWY_EXPORT(absorb_##T);                                                                  \
  template <>                                                                              \
  void product(Panel<const T> W, Panel<const T> X_transposed, Panel<T> P) {                \
    HWY_DYNAMIC_DISPATCH(product_##T)(W, X_transposed, P);                                 \
  }                                                                                        \
  template <>                                                                              \
  void cleaned_product(Panel<const T> W, Panel<const T> X_transposed, const Samples<T>& V, \
                       const Index* columns, const Shrinkage<T>& shrinkage, Panel<T> Y) {  \
    HWY_DYNAMIC_DISPATCH(cleaned_##T)(W, X_transposed, V, columns, shrinkage, Y);          \
  }                                                                                        \
  template <>                                                                              \
  void back_product(Panel<const T> W, Panel<const T> Y, bool add, Panel<T> S_transposed) { \
    HWY_DYNAMIC_DISPATCH(back_##T)(W, Y, add, S_transposed);                               \
  }                                                                                        \
  template <>                                                                              \
  void gram(Panel<const T> W, bool add, Panel<T> G) {                                      \
    HWY_DYNAMIC_DISPATCH(gram_##T)(W, add, G);                                             \
  }                                                                                        \
  template <>                                                                              \
  void absorb_product(Panel<const T> Y, Panel<const T> H, double keep, double add,         \
                      Panel<double> B) {                                                   \
    HWY_DYNAMIC_DISPATCH(absorb_##T)(Y, H, keep, add, B);                                  \
  }
TAMIS_DISPATCH(float)
TAMIS_DISPATCH(double)
#undef TAMIS_DISPATCH

}  // namespace tamis::kernels
#endif
