//===- ActivityKinds.h - Kinds of device work by name -----------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A plain list of name patterns that sorts activities into kinds that people know. It only groups
/// what the report shows: nothing depends on it but the rows of `summary-activities`.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGINS_SUMMARY_ACTIVITYKINDS_H
#define HEDDLE_PLUGINS_SUMMARY_ACTIVITYKINDS_H

#include "heddle/Analysis/Communication.h"
#include "heddle/IR/Kind.h"

namespace heddle::summary {

/// What people call the kind of an activity; a string that lives for ever. The event's kind and
/// class outrank its name: a kernel that copies is a copy. Names that no pattern knows are
/// "other kernels" ("other communication", "other copies"). O(length x patterns).
llvm::StringRef activityKind(EventKind kind, WorkClass work, llvm::StringRef name);

} // namespace heddle::summary

#endif
