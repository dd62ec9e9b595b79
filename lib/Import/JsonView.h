//===- JsonView.h - Looks into small JSON texts -----------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The document around the events is kept as JSON text in canonical spacing. These functions look
/// into it without building anything and without recursion. What is no JSON gives fewer members,
/// never an error: the text was read leniently before.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_LIB_IMPORT_JSONVIEW_H
#define HEDDLE_LIB_IMPORT_JSONVIEW_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace heddle::chrome {

/// Calls `f` for each member of an object, in order; nothing for other values.
void forEachMember(llvm::StringRef object,
                   llvm::function_ref<void(llvm::StringRef key, llvm::StringRef value)> f);
/// Calls `f` for each element of a list; nothing for other values.
void forEachElement(llvm::StringRef list, llvm::function_ref<void(llvm::StringRef value)> f);
/// The last member of this name, or "".
llvm::StringRef member(llvm::StringRef object, llvm::StringRef key);
/// An integer, also one in a string or with a fraction of zeros.
std::optional<int64_t> integer(llvm::StringRef value);
/// The bytes of a string, its escapes of ASCII decoded; "" for other values.
std::string text(llvm::StringRef value);

} // namespace heddle::chrome

#endif
