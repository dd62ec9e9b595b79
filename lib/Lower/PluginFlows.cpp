//===- PluginFlows.cpp - Backward work under modules ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// Where a recording has modules, torch-tb-profiler hangs backward work under them, by the flows
// from forward to backward. It looks for the ends of flows by time alone, below the roots of
// backward work, and gives up, and loses the file, if two flows lead to one root, if the first root
// only accumulates a gradient, or if a module without modules inside has no backward work. What
// follows walks as it does.
//
//===----------------------------------------------------------------------===//
#include "ChromeRows.h"
#include "PluginView.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::chrome {
namespace {

constexpr StringLiteral kRoot = "autograd::engine::evaluate_function:";
constexpr StringLiteral kAccumulate =
    "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad";
constexpr uint32_t kNone = 0xffffffff;

/// A node of the plugin's tree.
struct Node {
  EventRef event;
  uint32_t parent = kNone; ///< Index of the node around it.
  uint32_t top = kNone;    ///< The outermost root of backward work around it or itself.
  uint32_t root = kNone;   ///< The innermost.
  uint32_t module = kNone; ///< The innermost module around it, not itself.
  bool atTop = false;      ///< Around it are steps only.
  bool inner = false;      ///< A module with modules inside.
  bool counts = false;     ///< A module, or in one, that lies in no op.
};

/// The nodes of one thread in the order of their begins, so that what a node holds follows it.
std::vector<Node> treeOf(const Rank &rank, ArrayRef<uint32_t> tracks) {
  std::vector<Node> nodes;
  std::vector<uint32_t> around;
  forEachInOrder(rank, tracks, [&](uint32_t track, uint32_t i) {
    const Track &t = rank.track(track);
    if (!PluginView::isNode(rank, t, i))
      return;
    while (!around.empty() && rank.interval(nodes[around.back()].event).end <= t.begin[i])
      around.pop_back();
    Node n;
    n.event = {track, i};
    uint32_t self = static_cast<uint32_t>(nodes.size());
    bool module = t.kinds[i] == EventKind::Python;
    if (!around.empty()) {
      Node &outer = nodes[around.back()];
      bool inModule = rank.kind(outer.event) == EventKind::Python;
      n.parent = around.back();
      n.top = outer.top;
      n.root = outer.root;
      n.module = inModule ? n.parent : outer.module;
      n.atTop = outer.atTop && rank.name(outer.event).starts_with("ProfilerStep#");
      n.counts = outer.counts;
      if (module && n.module != kNone)
        nodes[n.module].inner = true;
    } else {
      n.atTop = true;
    }
    n.counts |= n.atTop && module;
    if (rank.name(n.event).starts_with(kRoot)) {
      n.root = self;
      if (n.top == kNone)
        n.top = self;
    }
    around.push_back(self);
    nodes.push_back(n);
  });
  return nodes;
}

} // namespace

void PluginView::judgeFlows() {
  std::vector<const Edge *> flows;
  for (const Edge &e : rank.edges())
    if (e.kind == EdgeKind::FwdBwd)
      flows.push_back(&e);
  std::map<std::pair<SourceId, SourceId>, std::vector<uint32_t>> threads;
  for (auto [track, t] : enumerate(rank.tracks()))
    if (isThread(t.key.family))
      threads[{t.key.pid, t.key.tid}].push_back(static_cast<uint32_t>(track));
  if (flows.empty())
    return;
  std::vector<std::vector<Node>> trees;
  for (auto &[key, tracks] : threads)
    if (std::vector<Node> tree = treeOf(rank, tracks); !tree.empty())
      trees.push_back(std::move(tree));
  auto begin = [&](const Node &n) { return rank.interval(n.event).begin; };
  stable_sort(trees, [&](const auto &a, const auto &b) { return begin(a[0]) < begin(b[0]); });

  // Where the plugin looks: by the time at which a node below a root begins, the root, and where to
  // end a flow to a root so that it is found.
  using Place = std::pair<size_t, uint32_t>; // tree and node
  std::map<Time, Place> rootAt;
  std::map<EventRef, Time> inside;
  std::optional<EventRef> firstRoot;
  bool modules = false;
  for (auto [tree, nodes] : enumerate(trees))
    for (const Node &n : nodes) {
      modules |= n.counts && rank.kind(n.event) == EventKind::Python;
      if (n.top == kNone || !nodes[n.top].atTop)
        continue;
      if (!firstRoot)
        firstRoot = nodes[n.top].event;
      if (n.parent == kNone || nodes[n.parent].root == kNone)
        continue;
      rootAt.try_emplace(begin(n), Place{tree, nodes[n.parent].root});
      inside.try_emplace(nodes[n.parent].event, begin(n));
    }
  if (!modules || !firstRoot)
    return;
  noBackward = rank.name(*firstRoot) == kAccumulate;

  // Of several forward ops of one backward op the last is the one that made its input.
  stable_sort(flows, [&](const Edge *a, const Edge *b) {
    return rank.interval(a->from).begin > rank.interval(b->from).begin;
  });
  std::set<Place> used;
  std::set<Time> starts;
  for (const Edge *e : flows) {
    Time end = rank.interval(e->to).begin;
    if (auto it = inside.find(e->to); it != inside.end() && rank.name(e->to).starts_with(kRoot))
      end = it->second;
    auto it = rootAt.find(end);
    Time start = rank.interval(e->from).begin;
    const Node *root = it == rootAt.end() ? nullptr : &trees[it->second.first][it->second.second];
    bool fails = root && (!root->atTop || rank.name(root->event) == kAccumulate ||
                          starts.contains(start) || !used.insert(it->second).second);
    if (fails || (!root && starts.contains(start))) {
      refused.insert(*e);
      continue;
    }
    ends[*e] = end;
    if (root)
      starts.insert(start);
  }

  for (const std::vector<Node> &nodes : trees) {
    std::vector<bool> covered(nodes.size());
    for (const Node &n : nodes)
      if (n.module != kNone && rank.kind(n.event) == EventKind::CpuOp && starts.contains(begin(n)))
        covered[n.module] = true;
    for (auto [i, n] : enumerate(nodes))
      noBackward |= n.counts && !n.inner && !covered[i] && rank.kind(n.event) == EventKind::Python;
  }
}

} // namespace heddle::chrome
