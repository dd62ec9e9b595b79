"""Launches, suspects and classes: rules 8, 10 to 14 and 29 of docs/Definitions.md."""
import collections

from names import (
    CALLS,
    INSIDE,
    LAUNCHING,
    PROBE,
    SEVERAL,
    blocks,
    call_name,
    device_class,
    true_kind,
)
from reading import Event


def link(trace):
    """Rules 10 to 12: sets `launch` of each activity."""
    candidates = collections.defaultdict(lambda: collections.defaultdict(list))
    for host in trace.hosts:
        if host.kind in CALLS and host.correlation and not PROBE.match(call_name(host.name)):
            candidates[host.correlation][host.pid].append(host)
    owners = set()
    for activity in sorted(trace.activities, key=Event.order):
        if not activity.correlation or activity.correlation < 0:
            continue
        processes = candidates.get(activity.correlation, {}).values()
        chosen = [best_call(calls, activity) for calls in processes]
        if len(chosen) > 1:
            chosen = [call for call in chosen if call.begin <= activity.begin]
        if len(chosen) != 1:
            continue
        if SEVERAL.search(call_name(chosen[0].name)) or chosen[0] not in owners:
            activity.launch = chosen[0]
            owners.add(chosen[0])
    link_by_flows(trace)


def best_call(calls, activity):
    """Rule 11: of one process."""
    calls = [call for call in calls if LAUNCHING.search(call_name(call.name))] or calls
    before = [call for call in calls if call.begin <= activity.begin]
    if before:
        return max(before, key=lambda call: (call.begin, call.seq))
    return min(calls, key=lambda call: (call.begin, call.seq))


def link_by_flows(trace):
    """Rule 12: what no correlation linked."""
    calls, activities = {}, {}  # by where they begin; of several there the last in event order
    threads = collections.defaultdict(list)
    for host in sorted(trace.hosts, key=Event.order):
        threads[host.pid, host.tid].append(host)
        if host.kind in CALLS and not PROBE.match(call_name(host.name)):
            calls[host.pid, host.tid, host.begin] = host
    for activity in sorted(trace.activities, key=Event.order):
        activities[activity.pid, activity.tid, activity.begin] = activity
    starts = collections.defaultdict(list)
    ends = collections.defaultdict(list)  # by where they are
    for flow in trace.flows:
        if flow.phase == "s":
            starts[flow.category, flow.id].append(flow.place)
        else:
            ends[flow.place].append((flow.category, flow.id))
    for place, activity in activities.items():
        if activity.launch or not activity.timed:
            continue
        for flow in ends[place]:
            begins = sorted(starts[flow], key=lambda start: start[2])
            before = [start for start in begins if start[2] <= activity.begin]
            if begins:
                start = before[-1] if before else begins[0]
                call = around(threads, start) if flow[0] == INSIDE else calls.get(start)
                activity.launch = activity.launch or call


def around(threads, place):
    """Rule 55: the innermost event of a thread around a place, if that is a call that may launch."""
    pid, tid, at = place
    found = [host for host in threads[pid, tid] if host.begin <= at <= host.end]
    call = found and found[-1].kind in CALLS and not PROBE.match(call_name(found[-1].name))
    return found[-1] if call else None


def host_range(trace):
    """Rule 13: [begin, end) of all host events, or None."""
    if not trace.hosts:
        return None
    return min(host.begin for host in trace.hosts), max(host.end for host in trace.hosts)


def find_far(trace):
    """Rule 13: sets `far`."""
    span = host_range(trace)
    if span is None:
        return
    begin, end = span
    for activity in trace.activities:
        if activity.timed and activity.launch is None:
            distance = max(begin - activity.end, activity.begin - end)
            activity.far = distance > end - begin


def cut_suspects(trace):
    """Rule 14: judged on recorded times, cut at once."""
    durations, rows = collections.defaultdict(list), collections.defaultdict(list)
    for activity in trace.activities:
        if activity.timed and not activity.far:
            durations[activity.device, activity.name].append(activity.duration())
            rows[activity.device, activity.stream].append(activity)
    for values in durations.values():
        values.sort()
    cuts = []
    for row in rows.values():
        row.sort(key=Event.order)
        for event, following in zip(row, row[1:]):
            named_alike = durations[event.device, event.name]
            if len(named_alike) < 2 or event.end <= following.begin:
                continue
            longest = named_alike[-1] if event.duration() < named_alike[-1] else named_alike[-2]
            if event.end - following.begin > longest:
                cuts.append((event, max(event.begin, following.begin)))
    for event, end in cuts:
        event.end = end


def classify(trace):
    """Rules 8 and 29: sets `device_class` of activities and `blocking` of calls."""
    for host in trace.hosts:
        host.blocking = host.kind in CALLS and blocks(host)
    for activity in trace.activities:
        activity.kind = true_kind(activity)
        activity.device_class = device_class(activity)
        to_pageable = "DtoH" in activity.name and "Pageable" in activity.name
        if activity.kind == "memcpy" and activity.launch and to_pageable:
            activity.launch.blocking = True


def prepare(trace):
    link(trace)
    find_far(trace)
    cut_suspects(trace)
    classify(trace)
