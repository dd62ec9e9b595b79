//===- heddle/Plugin/Abi.h - Which Heddle a module was built for *- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Two guards stand between a module and a Heddle that it was not built for; both act before any
/// of its code runs.
///  - All symbols of libheddle have the version node `HEDDLE_<id>`, where the id is a hash of the
///    public headers, LLVM's version and the settings below. The dynamic linker refuses a module
///    that was linked against another node.
///  - The anchor is a symbol of libheddle whose *name* spells what the compiler of the module saw:
///    other LLVM headers or another standard library lead to a name that libheddle does not have.
///    HEDDLE_PLUGIN refers to it, so that no module escapes either guard.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_PLUGIN_ABI_H
#define HEDDLE_PLUGIN_ABI_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Config/abi-breaking.h"
#include "llvm/Config/llvm-config.h"
#include <string>

#if !defined(__cpp_rtti) || !defined(__cpp_exceptions)
#error "libheddle is built with RTTI and exceptions: compile without -fno-rtti and -fno-exceptions"
#endif

#if defined(_LIBCPP_VERSION)
#define HEDDLE_ABI_STDLIB libcpp
#elif defined(_GLIBCXX_DEBUG)
#define HEDDLE_ABI_STDLIB gnudebug
#elif _GLIBCXX_USE_CXX11_ABI
#define HEDDLE_ABI_STDLIB gnu11
#else
#define HEDDLE_ABI_STDLIB gnu98
#endif

#define HEDDLE_ABI_PASTE2(major, minor, checks, stdlib)                                            \
  heddle_abi_llvm_##major##_##minor##_checks_##checks##_##stdlib
#define HEDDLE_ABI_PASTE(major, minor, checks, stdlib)                                             \
  HEDDLE_ABI_PASTE2(major, minor, checks, stdlib)
/// The name of the anchor, say heddle_abi_llvm_19_1_checks_0_gnu11: LLVM's version, whether its
/// ABI-breaking checks are on, and the standard library.
#define HEDDLE_ABI_ANCHOR                                                                          \
  HEDDLE_ABI_PASTE(LLVM_VERSION_MAJOR, LLVM_VERSION_MINOR, LLVM_ENABLE_ABI_BREAKING_CHECKS,        \
                   HEDDLE_ABI_STDLIB)

/// The ABI id of libheddle, "HEDDLE_" and sixteen hexadecimal digits.
extern "C" const char HEDDLE_ABI_ANCHOR[];

namespace heddle {

/// The ABI id of the libheddle that runs: its symbols' version node.
llvm::StringRef abiId();

/// The name of the anchor as libheddle has it.
llvm::StringRef abiAnchorName();

} // namespace heddle

#endif
