//===- Communication.cpp - What a device works on -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Communication.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;

bool heddle::isCommunicationName(llvm::StringRef name) {
  static constexpr llvm::StringLiteral words[] = {"nccl",     "rccl",     "hccl",
                                                  "oneccl",   "mscclpp",  "nvshmem",
                                                  "deepep",   "deep_ep",  "cross_device_reduce",
                                                  "one_shot", "two_shot", "symm_mem",
                                                  "multimem"};
  llvm::SmallString<128> lower;
  for (char c : name)
    lower.push_back(llvm::toLower(c));
  llvm::StringRef text(lower);
  return llvm::any_of(words, [&](llvm::StringRef w) { return text.contains(w); });
}

WorkClassifier::WorkClassifier(const Rank &rank)
    : rank(rank), collective(rank, "Collective name"), group(rank, "Process Group Name"),
      byName(rank.strings().size(), Unknown) {}

WorkClass WorkClassifier::classify(const Track &t, uint32_t i, llvm::StringRef launchName) {
  if (t.kinds[i] == EventKind::Memcpy)
    return WorkClass::Copy;
  if (t.kinds[i] == EventKind::Memset)
    return WorkClass::Compute;
  NameClass &c = byName[static_cast<uint32_t>(t.names[i])];
  if (c == Unknown) {
    llvm::StringRef name = rank.str(t.names[i]);
    c = name.contains("__amd_rocclr_copy")   ? Copies
        : name.contains("__amd_rocclr_fill") ? Fills
        : isCommunicationName(name)          ? Communicates
                                             : Plain;
  }
  if (c == Copies || launchName.contains("Memcpy"))
    return WorkClass::Copy;
  if (c == Fills || launchName.contains("Memset"))
    return WorkClass::Compute;
  if (c == Communicates)
    return WorkClass::Communication;
  // A group's name may be a number where an early recorder wrote one.
  auto names = [&](const AttrReader &attribute) {
    auto text = attribute.getString(t, i);
    return text ? !text->empty() : attribute.getInt(t, i).has_value();
  };
  return names(collective) || names(group) ? WorkClass::Communication : WorkClass::Compute;
}
