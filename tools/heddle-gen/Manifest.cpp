//===- Manifest.cpp - What the analyses should find -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Writers.h"

using namespace heddle::gen;

void heddle::gen::writeFacts(const JobTrace &job, llvm::raw_ostream &os) {
  os << "rank,device,step,fact,value\n";
  for (const RankTrace &rank : job.ranks)
    for (const Fact &fact : rank.facts) {
      os << rank.number << ',' << rank.device << ',';
      if (fact.step)
        os << *fact.step;
      os << ',' << fact.name << ',' << fact.value << '\n';
    }
}

void heddle::gen::writeManifest(const JobTrace &job, llvm::raw_ostream &os) {
  os << "rank,device,step,begin_ns,duration_ns,cause,part_ns,planted,lead_in\n";
  for (const RankTrace &rank : job.ranks)
    for (const Gap &gap : rank.gaps)
      for (unsigned i = 0; i < numCauses; ++i) {
        if (!gap.parts[i])
          continue;
        os << rank.number << ',' << rank.device << ',';
        if (gap.step)
          os << *gap.step;
        os << ',' << job.base + gap.begin << ',' << gap.length << ','
           << causeName(static_cast<Cause>(i)) << ',' << gap.parts[i] << ',';
        if (gap.planted)
          os << plantName(gap.planted->plant);
        os << ',' << (gap.leadIn ? 1 : 0) << '\n';
      }
}
