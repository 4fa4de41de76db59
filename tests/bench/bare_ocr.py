"""What filing is compared with: RapidOCR as its own documentation shows it, in a process of its own.

Reads paths on standard input, one a line; answers each with `seconds cpu_seconds lines`. With an argument, that many
threads an operator instead of RapidOCR's own choice.
"""

from __future__ import annotations

import sys
import time


def main() -> None:
    """Serve until standard input ends."""
    from rapidocr import RapidOCR

    params = {"Global.log_level": "critical"}
    if len(sys.argv) > 1:
        threads = int(sys.argv[1])
        params |= {
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,  # type: ignore[dict-item]
            "EngineConfig.onnxruntime.inter_op_num_threads": threads,  # type: ignore[dict-item]
        }
    engine = RapidOCR(params=params)
    print("ready", flush=True)
    for path in sys.stdin:
        began, cpu = time.perf_counter(), time.process_time()
        found = engine(path.strip())
        took, worked = time.perf_counter() - began, time.process_time() - cpu
        print(f"{took} {worked} {len(getattr(found, 'txts', None) or ())}", flush=True)


if __name__ == "__main__":
    main()
