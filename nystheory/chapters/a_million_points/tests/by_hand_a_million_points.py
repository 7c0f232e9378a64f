"""The bounds of this chapter, written down again from their statements on the page.

Each function takes the quantities of its bound by name; the tests of the engine hold
it against the calculator.
"""

BY_HAND = {
    ("modern:landmark-coordinates", "sum"): lambda n, trace_E: trace_E * n * 2,
    ("modern:landmark-coordinates", "leading"): lambda tail_trace, trace_E: (
        trace_E + tail_trace
    ),
}
