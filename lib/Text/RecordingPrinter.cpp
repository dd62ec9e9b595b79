//===- RecordingPrinter.cpp - The head of a rank --------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Escape.h"
#include "RankPrinter.h"

using namespace heddle;
using namespace heddle::text;

namespace {
/// A list of facts in braces on a line of its own; nothing if there are none.
class FactLine {
public:
  FactLine(Out &out, llvm::StringRef head) : out(out), head(head) {}
  ~FactLine() {
    if (any)
      out << " }\n";
  }
  Out &fact(llvm::StringRef key) {
    out << (any ? llvm::StringRef(", ") : head);
    any = true;
    appendKey(out, key);
    return out << " = ";
  }
  void text(llvm::StringRef key, llvm::StringRef value, llvm::StringRef usual = "") {
    if (value != usual)
      appendQuoted(fact(key), value);
  }
  void number(llvm::StringRef key, int64_t value, int64_t usual) {
    if (value != usual)
      fact(key) << value;
  }
  void flag(llvm::StringRef key, bool value) {
    if (value)
      fact(key) << "true";
  }

private:
  Out &out;
  llvm::StringRef head;
  bool any = false;
};
} // namespace

void text::printClocks(Out &out, llvm::ArrayRef<ClockDomain> clocks) {
  for (size_t i = 0; i != clocks.size(); ++i) {
    const ClockDomain &c = clocks[i];
    out << "  clock " << static_cast<int64_t>(i);
    if (c == ClockDomain()) {
      out << " {}\n";
      continue;
    }
    FactLine line(out, " { ");
    line.number("reference", c.reference, 0);
    line.number("offset", c.offset, 0);
    line.number("drift", c.drift, 0);
    if (c.error)
      line.fact("error") << *c.error;
  }
}

void RankPrinter::placed() {
  if (!rank.placement)
    return;
  const Placement &place = *rank.placement;
  FactLine line(out, "    placed { ");
  line.fact("clock") << int64_t{place.clock};
  line.number("ids", place.ids, 0);
  line.number("origin", place.origin, 0);
  line.flag("assumed", place.assumed);
  if (place.stated)
    line.fact("stated") << *place.stated;
}

void RankPrinter::chooseDefaults() {
  hostPid = kUsualHostPid;
  for (const Track &t : rank.tracks())
    if (isThread(t.key.family) && t.key.pid.form == SourceId::Int) {
      hostPid = t.key.pid.value;
      break;
    }
  for (const Track &t : rank.tracks())
    if (isStream(t.key.family))
      usualVendor = Vendor::Cuda;
}

static bool isShort(const Device &d) {
  return d.numSms == -1 && d.totalMemory == -1 && d.computeMajor == -1 && d.computeMinor == -1;
}

void RankPrinter::device(const Device &d) {
  out << "device " << d.id << ' ';
  quoted(d.name);
}

void RankPrinter::counts(llvm::StringRef word,
                         const std::map<std::string, uint64_t, std::less<>> &counts) {
  FactLine line(out, word);
  for (const auto &[kind, count] : counts)
    line.fact(kind).number(count);
}

void RankPrinter::recording() {
  const Recording &r = rank.recording;
  FactLine line(out, "    recording { ");
  if (!strip)
    line.text("format", r.format, kTextFormat);
  line.text("producer", r.producer);
  line.text("part", r.part);
  if (r.vendor != usualVendor)
    line.fact("vendor") << vendorName(r.vendor);
  if (!strip) {
    line.number("origin", r.origin, 0);
    if (r.base)
      line.fact("base") << *r.base;
    line.flag("absolute", r.absolute);
    line.flag("unpadded_fraction", r.unpaddedFraction);
  }
  line.flag("integer_microseconds", r.integerMicroseconds);
  line.flag("external_ids_broken", r.externalIdsBroken);
  line.flag("partial", r.partial);
  if (!strip) {
    if (r.truncatedAt)
      line.fact("truncated_at").number(r.truncatedAt);
    if (r.sourceEvents)
      line.fact("source_events").number(r.sourceEvents);
  }
}

void RankPrinter::document() {
  const Document &d = rank.recording.document;
  if (d == Document())
    return;
  out << "    document " << (d.isArray ? "array {\n" : "{\n");
  for (const Document::Member &m : d.members) {
    out << "      ";
    key(m.key);
    if (!m.value.empty()) {
      out << " = ";
      llvm::SmallString<256> canonical;
      JsonFault fault;
      JsonForm form = jsonForm(m.value);
      if (form == JsonForm::Spaced)
        appendSpaced(out, m.value);
      else if (form == JsonForm::AsIs)
        out << m.value;
      else if (isPrintable(m.value) && scanJson(m.value, 1, canonical, fault) &&
               canonical == m.value)
        out << m.value; // A number, a string, true, false or null.
      else
        appendQuoted(out << "#json", m.value);
    }
    out << '\n';
    out.flushIfFull();
  }
  out << "    }\n";
}

void RankPrinter::header() {
  const Recording &r = rank.recording;
  out << "  rank";
  if (rank.number)
    out << ' ' << *rank.number;
  if (rank.worldSize)
    out << " of " << *rank.worldSize;
  if (rank.cycle)
    out << " cycle " << *rank.cycle;
  if (!rank.host.empty())
    appendQuoted(out << " host ", rank.host);
  if (!rank.backend.empty())
    appendQuoted(out << " backend ", rank.backend);
  if (hostPid != kUsualHostPid)
    out << " pid " << hostPid;
  bool oneShort = r.devices.size() == 1 && isShort(r.devices[0]);
  if (oneShort) {
    out << ' ';
    device(r.devices[0]);
  }
  out << " {\n";
  recording();
  placed();
  counts("    repairs { ", r.repairs);
  counts("    notes { ", r.notes);
  for (const Device &d : r.devices) {
    if (oneShort)
      break;
    out << "    ";
    device(d);
    if (!isShort(d)) {
      FactLine line(out, " { ");
      line.number("sms", d.numSms, -1);
      line.number("memory", d.totalMemory, -1);
      line.number("compute_major", d.computeMajor, -1);
      line.number("compute_minor", d.computeMinor, -1);
    } else {
      out << '\n';
    }
  }
  if (!strip)
    document();
}
