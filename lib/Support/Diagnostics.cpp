//===- Diagnostics.cpp - What readers and passes say ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Support/Diagnostics.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace heddle;

char DiagnosticError::ID = 0;

void Diagnostics::report(Diagnostic d) {
  errors += d.severity == Severity::Error;
  diagnostics.push_back(std::move(d));
}

void Diagnostics::repaired(llvm::StringRef kind, Place where, uint64_t n) {
  auto it = repairCounts.find(kind);
  if (it == repairCounts.end())
    it = repairCounts.emplace(kind.str(), Repair{0, std::move(where)}).first;
  it->second.count += n;
}

void Diagnostics::append(const Diagnostics &other) {
  for (const Diagnostic &d : other.diagnostics)
    report(d);
  for (const auto &[kind, r] : other.repairCounts)
    repaired(kind, r.first, r.count);
}

void DiagnosticError::log(llvm::raw_ostream &os) const {
  const Place &p = diagnostic.place;
  if (!p.file.empty()) {
    os << p.file << ':';
    if (p.line)
      os << p.line << ':' << p.column << ':';
    else if (p.offset)
      os << " offset " << p.offset << ':';
    os << ' ';
  }
  os << diagnostic.message;
}

static llvm::Error makeError(llvm::StringRef id, const llvm::Twine &message, Place place,
                             ExitCode code) {
  return llvm::make_error<DiagnosticError>(
      Diagnostic{Severity::Error, id.str(), message.str(), std::move(place)}, code);
}

llvm::Error heddle::inputError(llvm::StringRef id, const llvm::Twine &message, Place place) {
  return makeError(id, message, std::move(place), ExitCode::BadInput);
}

llvm::Error heddle::usageError(llvm::StringRef id, const llvm::Twine &message, Place place) {
  return makeError(id, message, std::move(place), ExitCode::Usage);
}

llvm::Error heddle::internalError(llvm::StringRef id, const llvm::Twine &message, Place place) {
  return makeError(id, message, std::move(place), ExitCode::Internal);
}
