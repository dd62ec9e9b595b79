//===- heddle/Analysis/UserFrames.h - The frame that says where -*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Of a Python stack, what a person wants to read: the nn.Modules that it is in, and the innermost
/// frame that is neither of a library, of Python's own, generated, nor a wrapper that only passes
/// calls on. What is which is data (UserFrameData.cpp).
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_ANALYSIS_USERFRAMES_H
#define HEDDLE_ANALYSIS_USERFRAMES_H

#include "heddle/Analysis/PythonStacks.h"
#include <optional>
#include <string>

namespace heddle {

/// A frame's text "path/file.py(12): function", taken apart.
struct FrameText {
  llvm::StringRef file, function; ///< As recorded.
  llvm::StringRef line;           ///< Digits.
};
/// nullopt for what is no Python function: C functions, modules, other texts.
std::optional<FrameText> parseFrame(llvm::StringRef frame);
/// The class and number of "nn.Module: Linear_3": "Linear_3"; "" for other frames.
llvm::StringRef moduleOfFrame(llvm::StringRef frame);

/// What a frame is.
enum class FrameClass : uint8_t {
  Module,    ///< An nn.Module.
  Native,    ///< A C function.
  Generated, ///< Code that no person wrote: compiled graphs, frozen modules.
  Library,   ///< Of a library, or of Python.
  Wrapper,   ///< Passes calls on.
  User,      ///< What remains.
};

/// True for a function of a library that only calls the one that it was put around.
bool isDecorator(llvm::StringRef frame);

/// What is user code.
class FrameRule {
public:
  /// By the lists alone.
  FrameRule();
  ~FrameRule();
  FrameRule(FrameRule &&) noexcept;
  /// And frames whose file matches a regular expression, whatever the lists say: of a stack with
  /// such frames the innermost of them counts. A usage error if it is no expression.
  static llvm::Expected<FrameRule> create(llvm::StringRef userCode);

  /// By the lists. O(length).
  FrameClass classify(llvm::StringRef frame) const;
  /// True if the frame's file matches the expression.
  bool chosen(llvm::StringRef frame) const;

private:
  struct Lists;
  std::unique_ptr<Lists> lists;
};

/// By node of PythonStacks. O(nodes + length of the distinct frames).
struct UserFrames {
  static constexpr uint32_t kNone = PythonStacks::kNone; ///< Stands for "no node".
  /// Of all stacks, by a rule.
  static UserFrames find(const PythonStacks &stacks, const FrameRule &rule);

  std::vector<uint32_t> user;   ///< The node of the user frame of a stack.
  std::vector<uint32_t> module; ///< The node of its innermost nn.Module.

  /// Of a place: of its own stack, else of the forward op's; kNone where neither has one.
  uint32_t userOf(const CodePlace &p) const { return either(user, p); }
  /// Likewise.
  uint32_t moduleOf(const CodePlace &p) const { return either(module, p); }

private:
  static uint32_t either(const std::vector<uint32_t> &of, const CodePlace &p) {
    uint32_t node = p.stack == kNone ? kNone : of[p.stack];
    return node != kNone || p.forward == kNone ? node : of[p.forward];
  }
};

/// "forward, models/net.py (function at line 12)"; of a statement's line "(line 12)". Other frames
/// as recorded.
std::string describeFrame(llvm::StringRef frame, bool statement);
/// "forward, models/net.py:15 (inferred)", of a frame that has a file.
std::string describeInferred(llvm::StringRef frame, uint32_t line);

} // namespace heddle

#endif
