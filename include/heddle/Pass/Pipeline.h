//===- heddle/Pass/Pipeline.h - Pipelines and their text --------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Pipeline text is LLVM's: `health,rank(idle-gaps<min=5us>,kernels)`. On a command line
/// `-p idle-gaps:min=5us,top=3` is the same without quotes. A rank pass at trace level opens
/// rank(...) implicitly. Errors carry the text and a column for a caret, and offer the nearest
/// name.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PASS_PIPELINE_H
#define HEDDLE_PASS_PIPELINE_H

#include "heddle/Pass/Pass.h"
#include "llvm/ADT/StringMap.h"

namespace heddle {

/// The passes that exist, by name. Filled before any pipeline is parsed.
class PassRegistry {
public:
  /// Fails if the name is taken.
  llvm::Error add(const PassInfo &info);
  /// The pass of this name, or null.
  const PassInfo *find(llvm::StringRef name) const;
  std::vector<const PassInfo *> all() const; ///< Sorted by name.
  /// A named pipeline such as `default`; its text is parsed where it is used.
  llvm::Error addPipeline(llvm::StringRef name, llvm::StringRef text, llvm::StringRef summary);
  /// What a name stands for.
  struct NamedPipeline {
    std::string text, summary; ///< What is parsed, and a line of help.
  };
  /// By name.
  const llvm::StringMap<NamedPipeline> &pipelines() const { return named; }

private:
  llvm::StringMap<const PassInfo *> passes;
  llvm::StringMap<NamedPipeline> named;
};

/// One pass of a pipeline with its parameters.
struct PassInstance {
  const PassInfo *info = nullptr;       ///< Never null in a parsed pipeline.
  ParamValues params;                   ///< Defaults filled in.
  std::shared_ptr<const PassBase> pass; ///< Made with them.
  /// "idle-gaps<min=5us>"; `hideTexts`: without values that are free text.
  std::string print(bool hideTexts = false) const;
};

/// Passes in order. Neighbouring rank passes form one fan-out.
struct Pipeline {
  std::vector<PassInstance> passes; ///< In the order in which they run.
  /// The explicit form, which parses back to the same pipeline, secret values aside.
  std::string print(bool hideTexts = false) const;
  /// A pass takes texts away (ColumnId::Results), so that those of parameters must not be told.
  bool hidesTexts() const;
};

/// Reads both spellings and makes the passes.
class PipelineParser {
public:
  explicit PipelineParser(const PassRegistry &registry) : registry(registry) {}
  /// `--passes=TEXT`. A named pipeline may stand for its passes.
  llvm::Error parse(llvm::StringRef text, Pipeline &out) const;
  /// `-p NAME[:PARAMS]`; NAME may be a named pipeline.
  llvm::Error parseOne(llvm::StringRef text, Pipeline &out) const;

private:
  class Reader;
  const PassRegistry &registry;
};

} // namespace heddle

#endif
