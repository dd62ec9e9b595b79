//===- heddle/IR/Commented.h - For a test ---------------------*- C++ -*-===//
/// \file
/// A comment of the file is none of its first entity.
//===--------------------------------------------------------------------===//
#ifndef HEDDLE_IR_COMMENTED_H
#define HEDDLE_IR_COMMENTED_H
#include <functional>

namespace heddle {
class Forward;

struct Bare {
  int value = 0;
  int twice() const { return 2 * value; }
  enum class Colour { Red, Green };
  std::function<void(int)> callback;
  template <typename T> T templated(T t);
  Bare();
  ~Bare();
  bool operator==(const Bare &) const = default;
  friend bool operator<(const Bare &, const Bare &);

private:
  int hidden = 0;
};

/// With a comment for each member.
class Whole : public Bare {
public:
  explicit Whole(int value) : a(value), b{0} {}
  /// Above.
  int above() const;
  int beside = 0;                 ///< Beside.
  int a, b;                       ///< Of both.
  std::function<void(int)> below; ///< Where the declaration ends,
                                  ///< and goes on.
  /// A value in braces.
  int braces{3};
  int function() const override;
  int after = 0;
};

/// A comment that a blank line parts from what follows.

int farAway(int x);
/// Right above.
int near(int x);
using Number = int;

/// An analysis: its contract is documented elsewhere.
struct Analysis {
  static constexpr int name = 1;
  static constexpr int inputs = 2;
  static Analysis compute(int);
};

} // namespace heddle
#endif
