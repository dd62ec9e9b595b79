//===- Communication.cpp - What a device works on -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Communication.h"

using namespace heddle;

WorkClassifier::WorkClassifier(const Rank &rank)
    : collective(rank, "Collective name"), group(rank, "Process Group Name"),
      names(rank.strings()) {}

WorkClass WorkClassifier::classify(const Track &t, uint32_t i, StringId launchName) {
  if (t.kinds[i] == EventKind::Memcpy)
    return WorkClass::Copy;
  if (t.kinds[i] == EventKind::Memset)
    return WorkClass::Compute;
  auto launched = [&](NameFact fact) {
    return launchName != StringId::None && names.is(fact, launchName);
  };
  StringId name = t.names[i];
  if (names.is(NameFact::CopyKernel, name) || launched(NameFact::Copies))
    return WorkClass::Copy;
  if (names.is(NameFact::FillKernel, name) || launched(NameFact::Fills))
    return WorkClass::Compute;
  if (names.is(NameFact::Communicates, name))
    return WorkClass::Communication;
  // A group's name may be a number where an early recorder wrote one.
  auto says = [&](const AttrReader &attribute) {
    auto text = attribute.getString(t, i);
    return text ? !text->empty() : attribute.getInt(t, i).has_value();
  };
  return says(collective) || says(group) ? WorkClass::Communication : WorkClass::Compute;
}
