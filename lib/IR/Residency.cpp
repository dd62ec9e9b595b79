//===- Residency.cpp - Ranks that are not in memory -----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/IR/Residency.h"
#include "heddle/IR/Trace.h"

#include <stdexcept>

using namespace heddle;

RankSource::~RankSource() = default;
RankStore::~RankStore() = default;

//===----------------------------------------------------------------------===//
// A rank
//===----------------------------------------------------------------------===//

template <typename T> static uint64_t sizeOf(const std::vector<T> &v) {
  return v.capacity() * sizeof(T);
}

uint64_t Rank::bytes() const {
  uint64_t n = stringTable ? stringTable->memory() : 0;
  n += sizeOf(trackList) + sizeOf(layoutList) + sizeOf(edgeList) + sizeOf(flowList) +
       sizeOf(looseList);
  for (const Track &t : trackList) {
    n += sizeOf(t.begin) + sizeOf(t.end) + sizeOf(t.names) + sizeOf(t.kinds) + sizeOf(t.layouts) +
         sizeOf(t.rows) + sizeOf(t.seq);
    for (const auto &[name, column] : t.derived)
      n += sizeOf(column.ints) + sizeOf(column.strings);
  }
  for (const LayoutStore &l : layoutList) {
    n += sizeOf(l.layout.entries) + sizeOf(l.columns);
    for (const Column &c : l.columns)
      n += sizeOf(c.ints) + sizeOf(c.bytes) + sizeOf(c.strings);
  }
  return n;
}

void Rank::throwAway() {
  throw std::logic_error("it reads the events of a rank that is put aside, and does not hold it");
}

void Rank::dropEvents() {
  takeEvents(Rank()); // a vector that {} is assigned to keeps its memory
  stringTable.reset();
  away = true;
}

void Rank::takeEvents(Rank &&from) {
  stringTable = std::move(from.stringTable);
  trackList = std::move(from.trackList);
  layoutList = std::move(from.layoutList);
  edgeList = std::move(from.edgeList);
  flowList = std::move(from.flowList);
  looseList = std::move(from.looseList);
  away = false;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

Residency::Residency(uint64_t maxBytes, std::unique_ptr<RankStore> store)
    : maxBytes(maxBytes), ranks(std::move(store)),
      resident(std::make_shared<std::atomic<uint64_t>>(0)) {}

void Residency::setSource(Rank &rank, std::shared_ptr<const RankSource> source) {
  rank.source = std::move(source);
}

void Residency::setAway(Rank &rank, std::shared_ptr<const RankSource> source) {
  setSource(rank, std::move(source));
  rank.dropEvents();
}

/// Brings what is known of the rank's memory up to date.
void Residency::count(Rank &rank) {
  rank.share = {}; // a rank counts once
  rank.share = MemoryShare(resident, rank.bytes());
}

llvm::Error Residency::acquire(Rank &rank) {
  if (!rank.resident()) {
    auto read = rank.source->read();
    if (!read)
      return read.takeError();
    rank.takeEvents(std::move(**read));
    ++readCount;
    count(rank);
  }
  ++rank.holds;
  return llvm::Error::success();
}

void Residency::release(Rank &rank) {
  if (--rank.holds)
    return;
  count(rank);
  if (*resident <= maxBytes || !store(rank))
    return;
  rank.dropEvents();
  rank.share = {};
  ++dropCount;
}

/// True once the rank has a source.
bool Residency::store(Rank &rank) {
  if (rank.source)
    return true;
  if (!trouble().empty())
    return false;
  auto source = ranks->put(rank);
  if (source) {
    rank.source = std::move(*source);
    return true;
  }
  std::string cause = llvm::toString(source.takeError());
  std::lock_guard lock(mutex);
  why = std::move(cause);
  return false;
}

std::string Residency::trouble() const {
  std::lock_guard lock(mutex);
  return why;
}

llvm::Expected<std::vector<RankHold>> heddle::holdAll(const Trace &trace) {
  std::vector<RankHold> all;
  for (size_t i = 0; i != trace.ranks.size(); ++i) {
    llvm::Expected<RankHold> rank = trace.hold(i);
    if (!rank)
      return rank.takeError();
    all.push_back(std::move(*rank));
  }
  return all;
}

llvm::Expected<RankHold> Trace::hold(size_t i) const {
  if (residency)
    if (llvm::Error e = residency->acquire(*ranks[i]))
      return e;
  return RankHold(*ranks[i], residency.get());
}
