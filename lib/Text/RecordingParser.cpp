//===- RecordingParser.cpp - Parses what the head of a rank says ----------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Escape.h"
#include "Parser.h"
#include "heddle/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using namespace heddle::text;
using llvm::StringRef;

bool Parser::sourceId(SourceId &out) {
  char c = peek();
  StringRef text;
  if (c == '"') {
    if (!string(text))
      return false;
    out = {SourceId::String, 0, r->builder.intern(text)};
    return true;
  }
  if (c == '#') {
    ++p;
    if (!string(text))
      return false;
    out = {SourceId::Raw, 0, r->builder.intern(text)};
    return true;
  }
  if (acceptWord("none")) {
    out = {};
    return true;
  }
  if (c != '-' && !isDigit(c))
    return failExpected("an id: an integer, a quoted string or none");
  int64_t n;
  if (!integer(n))
    return false;
  out = SourceId::integer(n);
  return true;
}

static constexpr Vendor kVendors[] = {Vendor::None, Vendor::Cuda, Vendor::Rocm,
                                      Vendor::Xpu,  Vendor::Mtia, Vendor::Other};

bool Parser::recording() {
  Recording &rec = r->rank->recording;
  return facts([&](const char *at, StringRef key) {
    if (key == "format")
      return string(rec.format);
    if (key == "producer")
      return string(rec.producer);
    if (key == "part")
      return string(rec.part);
    if (key == "origin")
      return origin(rec.origin);
    if (key == "base") {
      int64_t base;
      bool ok = integer(base);
      rec.base = base;
      return ok;
    }
    if (key == "absolute")
      return boolean(rec.absolute);
    if (key == "unpadded_fraction")
      return boolean(rec.unpaddedFraction);
    if (key == "integer_microseconds")
      return boolean(rec.integerMicroseconds);
    if (key == "external_ids_broken")
      return boolean(rec.externalIdsBroken);
    if (key == "partial")
      return boolean(rec.partial);
    if (key == "truncated_at")
      return natural(rec.truncatedAt);
    if (key == "source_events")
      return natural(rec.sourceEvents);
    if (key != "vendor")
      return failUnknown(at, "fact of a recording", key,
                         {"format", "producer", "part", "vendor", "origin", "base", "absolute",
                          "unpadded_fraction", "integer_microseconds", "external_ids_broken",
                          "partial", "truncated_at", "source_events"});
    skip();
    const char *nameAt = p;
    StringRef vendor = word();
    llvm::SmallVector<StringRef, 8> names;
    for (Vendor v : kVendors) {
      names.push_back(vendorName(v));
      if (vendor == vendorName(v)) {
        rec.vendor = v;
        return r->hasVendor = true;
      }
    }
    return vendor.empty() ? failExpected("a vendor") : failUnknown(nameAt, "vendor", vendor, names);
  });
}

bool Parser::origin(int64_t &out) {
  skip();
  const char *at = p;
  return integer(out) && ((out <= kMaxAbsTimeNs && out >= -kMaxAbsTimeNs) ||
                          fail(at, "text-time", "the origin is no time within 146 years"));
}

bool Parser::clock() {
  skip();
  const char *at = p;
  int64_t number;
  if (!integer(number))
    return false;
  if (number != static_cast<int64_t>(clocks.size() - firstClock))
    return fail(at, "text-clock",
                "clocks count from 0; this one is " + llvm::Twine(clocks.size() - firstClock));
  ClockDomain c;
  if (!facts([&](const char *at, StringRef key) {
        if (key == "reference")
          return integer(c.reference);
        if (key == "offset")
          return integer(c.offset);
        if (key == "drift")
          return integer(c.drift);
        if (key != "error")
          return failUnknown(at, "fact of a clock", key, {"reference", "offset", "drift", "error"});
        int64_t error;
        bool ok = integer(error);
        c.error = error;
        return ok;
      }))
    return false;
  if (!isPossible(c))
    return fail(at, "text-clock",
                "the clock has a reference, offset, drift or error that none can have");
  clocks.push_back(c);
  return true;
}

bool Parser::placed() {
  Placement place;
  const char *start = p;
  uint64_t clock = 0;
  if (!facts([&](const char *at, StringRef key) {
        uint64_t ids;
        int64_t stated;
        if (key == "clock")
          return natural(clock, UINT32_MAX);
        if (key == "ids")
          return natural(ids, UINT32_MAX) && (place.ids = static_cast<uint32_t>(ids), true);
        if (key == "origin")
          return origin(place.origin);
        if (key == "assumed")
          return boolean(place.assumed);
        if (key == "stated")
          return integer(stated) && (place.stated = stated, true);
        return failUnknown(at, "fact of a place", key,
                           {"clock", "ids", "origin", "assumed", "stated"});
      }))
    return false;
  if (clock >= clocks.size() - firstClock)
    return fail(start, "text-clock", "there is no clock " + llvm::Twine(clock) + " before");
  place.clock = static_cast<uint32_t>(clock + firstClock);
  r->rank->placement = place;
  return true;
}

bool Parser::counts(std::map<std::string, uint64_t, std::less<>> &out) {
  return facts([&](const char *at, StringRef key) {
    auto [it, isNew] = out.try_emplace(key.str(), 0);
    return isNew ? natural(it->second)
                 : fail(at, "text-duplicate", "'" + shown(key) + "' was counted before");
  });
}

bool Parser::document() {
  Document &d = r->rank->recording.document;
  const char *at = p;
  if (!(d == Document()))
    return fail(at, "text-duplicate", "the rank has a document before");
  d.isArray = acceptWord("array");
  return expect('{') && block([&] {
           Document::Member m;
           StringRef name;
           if (!key(name))
             return false;
           m.key = name.str();
           llvm::SmallString<256> value;
           if (accept('=') && !json(value, /*scalars=*/true))
             return false;
           m.value = value.str().str();
           d.members.push_back(std::move(m));
           return true;
         });
}

bool Parser::device(bool inHead) {
  Device d;
  if (!integer(d.id) || (peek() == '"' && !string(d.name)))
    return false;
  if (!inHead && peek() == '{' && !facts([&](const char *at, StringRef key) {
        if (key == "sms")
          return integer(d.numSms);
        if (key == "memory")
          return integer(d.totalMemory);
        if (key == "compute_major")
          return integer(d.computeMajor);
        if (key == "compute_minor")
          return integer(d.computeMinor);
        return failUnknown(at, "fact of a device", key,
                           {"sms", "memory", "compute_major", "compute_minor"});
      }))
    return false;
  r->rank->recording.devices.push_back(std::move(d));
  return true;
}
