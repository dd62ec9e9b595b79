"""The rules of a Chrome JSON file for viewers; lint-chrome-viewer checks each."""

RULES = {
    # the file
    "suffix": "the name ends in .gz where the file is packed, and only there",
    "utf-8": "the text is UTF-8, without a byte order mark",
    "json": "the text is strict JSON",
    "duplicate-key": "no object has a key twice",
    "colon-space": "a colon follows its key at once, and a space follows the colon (HTA finds the rank by that)",
    "line-ends": "lines end with LF alone",
    "surrogate-escape": "no \\ud83d: one such escape makes Perfetto refuse the file",
    "number": "a number is finite as a double, an integer within 64 bits with sign (Perfetto wraps others)",
    # the document
    "object": "the document is an object with an array traceEvents that holds an event",
    "head": "schemaVersion 1 stands before the events, and an integer baseTimeNanoseconds where 0 has a time",
    "display-unit": "displayTimeUnit is \"ns\": chrome://tracing rounds to it before it nests",
    "events-text": "the first text '\"traceEvents\": [' of the file is the one that opens the events",
    "tail": "no bracket follows the events",
    "leftovers": "no samples, stack frames or ftrace text beside the events",
    # events
    "event": "an event is an object with a phase of one letter",
    "phase": "the phase is one of M X B E i C b n e s t f",
    "key": "no key of an older or wider form: id2, bind_id, flow_in, flow_out, scope, sf, esf, stack, estack",
    "time-text": "ts and dur are digits with three decimals",
    "time-range": "ts and ts + dur are below 2^53 ns, so that a double keeps them",
    "x-keys": "X has name and cat (strings), pid and tid (numbers), ts, dur, and args (an object)",
    "names": "every event has a name, a string; E may lack it",
    "pid": "a pid is an integer from 1 to 2^31 - 1; 0 only for a GPU",
    "tid": "a tid is an integer from 1 to 2^31 - 1",
    "id": "an id is an integer from 0 to 2^32 - 1",
    "instant": "i has a scope, s: t, p or g",
    # devices
    "gpu-pid": "kernels, copies and fills are on a pid below 64 (of several ranks: while there is one), where nothing of the host is",
    "gpu-args": "kernels, copies and fills have the integers device and stream in args",
    "correlation": "a correlation is an integer from 1 to 2^32 - 1, and no two launches share one",
    "external-id": "an External id of an op is an integer from 1 to 2^53, and no two ops share one",
    # rows
    "row-unused": "M stands for rows that something is on",
    "row-unnamed": "a process has a name and a sort index, a thread that slices or instants are on too",
    "row-twice": "a row has one name and one sort index",
    "row-form": "M is one of the five of processes and threads, with its argument in the right type",
    "gpu-row": "a process with kernels is labelled 'GPU n' and (of one rank) sorted at 5000000 + n, others are not; one with ops is labelled 'CPU'",
    "rank": "of several ranks (heddle.members) each process is of one, bears its title, and is sorted by rank, hosts with ops before GPUs by number",
    # slices
    "nesting": "slices of one thread lie in each other or apart",
    "ties": "of slices that begin together the longer one stands first",
    "begin-end": "B and E of a thread stand in order of time, E names the innermost open B, none stays open",
    "async": "an id of b, n and e is one span: one b and one e, alike in name, cat and pid, n in between",
    "counter": "every sample of a counter has the same series, all of them numbers",
    # flows
    "flow-pair": "a flow is one s and one f (with t between), alike in cat and name; f has bp e",
    "flow-order": "s is not after t, nor t after f, in time and then in the file",
    "flow-slice": "both ends of a flow lie on a slice",
    "flow-backward": "one fwdbwd flow ends at a backward root",
    # markers
    "markers": "markers lie within the spans; with ops or kernels 'Iteration Start: PyTorch Profiler' is there, and 'Record Window End' is the last event",
    # what viewers make of it
    "perfetto-time": "Perfetto, which multiplies doubles by 1000, gets the same nanoseconds",
    "perfetto-track": "Perfetto keeps tracks apart: a pid or tid below 0 or from 2^32 is 0 there, a tid 0 the pid",
    "perfetto-slice": "Perfetto drops and spills no slice: no partial overlap, no depth over 512",
    "perfetto-end": "Perfetto ends each B with its own E (at equal times it takes E first, then X, the longer before, then all else)",
    "perfetto-flow": "Perfetto loses no flow: each end finds a slice, and each f its s",
    "perfetto-bind": "Perfetto binds both ends of a flow to slices that are there at their time, not to one that has ended or an instant",
    "perfetto-counter": "Perfetto, which calls a series 'name key', keeps counters apart",
    "chrome-slice": "chrome://tracing draws no slice over another one and nests none into its neighbour, after rounding to displayTimeUnit",
}
