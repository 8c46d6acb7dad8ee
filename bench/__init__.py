"""Measurements. Every figure is a ratio or a rate of things that ran side by side in this run.

A bench is a function in a module of this package. It returns its samples, the sides of each sample measured one
after the other; their median is the value:

    from bench.registry import bench

    @bench("handover_1_vs_floor", "ratio", "higher", must=0.18, goal=0.30)
    def handover_1_vs_floor() -> list[float]:
        return [gate / floor for gate, floor in …]

Return `Samples(values, note)` to say something beside the value. `python -m bench` runs all of them, `python -m
bench NAME…` those named (a name's beginning is enough); each module may use Django on the database
`muniment_bench`, new in every run, whose servers `python -m ops exec --state bench --` starts.
"""
