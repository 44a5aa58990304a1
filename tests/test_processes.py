"""Processes that work for another one: none is left when that one is no more, and it is told when one of them is."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fupan.refusals import said
from ingest.bulk.processes import ProcessEnded, ahead, processes

STARTS_TWO = """
import os, time
from ingest.bulk.processes import processes
with processes(2) as pool:
    [*pool.map(time.sleep, [0.2, 0.2])]
    print(*pool._processes, flush=True)
    time.sleep(600)
"""


def runs(process: int) -> bool:
    """Whether a process is there, and not only as what nobody asked after yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_nobody_is_left_when_the_parent_is_killed(how: signal.Signals):
    with subprocess.Popen([sys.executable, "-c", STARTS_TWO], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        children = [int(number) for number in parent.stdout.readline().split()]
        assert len(children) == 2
        assert all(map(runs, children))
        parent.send_signal(how)
        end = time.monotonic() + 30
        while any(map(runs, children)) and time.monotonic() < end:
            time.sleep(0.05)
        assert not any(map(runs, children))


def test_a_process_that_was_ended_is_told():
    with processes(1) as pool, pytest.raises(ProcessEnded) as told:
        [*ahead(iter([("asked", pool.submit(os._exit, 1))]), 1)]
    assert "--jobs" in said(told.value, "en")
    assert "进程" in said(told.value, "zh")
