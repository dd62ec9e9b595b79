//===- Predictor.h - Reads events as earlier ones were spelled --*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Recorders print events from a few templates. The predictor learns them as a trie: an edge is
/// the text between two values (keys, phase, category, white space), a node a value. Reading an
/// event is then a comparison of bytes and a scan of a value, in turns. What does not match, or is
/// not plain, is left to the lexer: a prediction is only taken where the lexer would read the
/// same, since the same bytes between the same kinds of values were read by it before.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_PREDICTOR_H
#define HEDDLE_LIB_IMPORT_PREDICTOR_H

#include "Lexer.h"
#include "Plan.h"
#include "TextCache.h"
#include <memory>

namespace heddle::chrome {

class Predictor {
public:
  Predictor(Lexer &lexer, const TextCache &cache) : lexer(lexer), cache(cache) {
    nodes.emplace_back();
  }

  /// Learns the template of an event that the lexer read without a mend. `values` are the tokens
  /// that have a target in `plan`, in the same order.
  void learn(llvm::StringRef event, llvm::ArrayRef<Token> values, Plan *plan);
  /// Reads an event; p at '{'. On success p is after it and `values` are its values; otherwise
  /// null and p is unchanged.
  Plan *match(const char *&p, const char *end, llvm::SmallVectorImpl<Value> &values);

private:
  struct Edge {
    const char *text; ///< Padded to 16 bytes.
    uint32_t size;
    uint32_t to; ///< Node, or plan with kLeaf set.
    uint8_t code;
  };
  struct Node {
    llvm::SmallVector<Edge, 2> edges;
    bool isTime = false; ///< The value is ts or dur.
  };
  static constexpr uint32_t kLeaf = 0x80000000;
  static constexpr size_t kMaxNodes = 1 << 16, kMaxEdges = 48, kMaxText = 16 << 20;

  static uint8_t codeOf(ValueType type, bool isTime, uint8_t scale) {
    return isTime ? static_cast<uint8_t>(0x80 | scale) : static_cast<uint8_t>(type);
  }
  /// Reads a value; false if the lexer must.
  bool read(const char *&p, const char *end, bool isTime, Value &v);

  Lexer &lexer;
  const TextCache &cache;
  std::vector<Node> nodes;
  std::vector<Plan *> plans;
  llvm::BumpPtrAllocator texts;
};

} // namespace heddle::chrome

#endif
