# SPDX-License-Identifier: MIT
"""The package covers every public function: a function that a header declares tomorrow fails here until it is wrapped, or
stands below with a reason. Structs that become dataclasses have the same members."""
import dataclasses
import pathlib
import re

from here import SOURCE, check, equal, main, test
from holos import _headers, meta, options, playing, progress, solving, stores, waves
from holos._library import ffi, lib

HEADERS = pathlib.Path(SOURCE, "include", "holos")

# Functions that the package does without, and why.
EXEMPT = {
    "holos_report_root": "a report becomes a dictionary, by holos_report_json",
    "holos_report_find": "a report becomes a dictionary, by holos_report_json",
}
# Functions that headers define, which the library does not export, and what has their place.
INLINE = {
    "holos_value_is_solved": "Value.solved",
    "holos_guess_precision": "Guess.precision",
    "holos_stop_set": "Stop.set",
    "holos_stop_clear": "Stop.clear",
    "holos_stop_asked": "Stop.asked",
    "holos_measure_efficiency": "Measure.efficiency",
}


def used():
    text = "".join(p.read_text(encoding="utf-8") for p in pathlib.Path(SOURCE, "python", "holos").glob("*.py"))
    return set(re.findall(r"\blib\.(holos_\w+)", text))


@test
def every_public_function_is_wrapped_or_exempt():
    declared = _headers.functions(HEADERS)
    check(len(declared) > 200, len(declared))
    missing = [name for name in declared if name not in used() and name not in EXEMPT]
    check(not missing, "neither wrapped nor exempt:", *missing)


@test
def exemptions_are_no_more_than_needed():
    declared = set(_headers.functions(HEADERS))
    for name in EXEMPT:
        check(name in declared, f"{name} is not declared any more")
        check(name not in used(), f"{name} is wrapped, and exempt")


@test
def everything_that_is_used_is_declared():
    unknown = used() - set(_headers.functions(HEADERS))
    check(not unknown, *unknown)
    for name in _headers.functions(HEADERS):
        check(hasattr(lib, name), f"the library does not export {name}")


@test
def functions_in_headers_have_a_place():
    equal(sorted(_headers.inline_functions(HEADERS)), sorted(INLINE))
    places = {"Value": solving.Value, "Guess": solving.Guess, "Stop": solving.Stop, "Measure": meta.Measure}
    for place in INLINE.values():
        name, member = place.split(".")
        check(hasattr(places[name], member), place)


@test
def the_list_of_functions_is_that_of_the_test_of_null():
    """Two readers of the headers agree."""
    text = "".join(re.sub(r"/\*.*?\*/", "", p.read_text(encoding="utf-8"), flags=re.S) for p in HEADERS.glob("*.h"))
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    other = re.findall(r"HOLOS_API\s+[^;{}()]*?\b(holos_\w+)\s*\([^;{}]*\)\s*;", text, re.S)
    equal(sorted(_headers.functions(HEADERS)), sorted(other))


@test
def dataclasses_have_the_members_of_their_structs():
    for kind, name, left_out in (
            (waves.WaveStatistics, "holos_wave_statistics", ()),
            (waves.Layer, "holos_wave_layer", ()),
            (waves.HologramSummary, "holos_hologram_summary", ()),
            (waves.Checked, "holos_hologram_checked", ()),
            (waves.Round, "holos_round", ()),
            (waves.Frontier, "holos_frontier", ()),
            (waves.ModeSuccess, "holos_mode_success", ()),
            (progress.Progress, "holos_progress", ()),
            (stores.StoreFacts, "holos_store_facts", ()),
            (stores.StoreType, "holos_store_type", ()),
            (playing.Elo, "holos_elo", ()),
            (playing.Score, "holos_score", ()),
            (meta.Measure, "holos_measure", ()),
            (solving.Value, "holos_value", ()),
            (solving.Guess, "holos_guess", ()),
    ):
        fields = [f.name for f in dataclasses.fields(kind)]
        members = [m for m, _ in ffi.typeof(name).fields if m not in left_out]
        equal(fields, members, name)


@test
def options_of_structs_can_be_given():
    """Every member of an options struct is set by the package: a new one fails here until it is."""
    text = {p.name: p.read_text(encoding="utf-8") for p in pathlib.Path(SOURCE, "python", "holos").glob("*.py")}
    for name, file in (("holos_solver_options", "solving.py"), ("holos_player_options", "playing.py"),
                       ("holos_job_options", "jobs.py"), ("holos_store_options", "stores.py"),
                       ("holos_wave_options", "waves.py"), ("holos_generator_options", "puzzles.py"),
                       ("holos_experiment_options", "lab.py"), ("holos_meta_options", "meta.py"),
                       ("holos_knowledge_options", "knowing.py"), ("holos_custom", "own.py")):
        known = {"progress", "progress_context", "progress_seconds", "gauges", "gauges_context", "log_context",
                 "tick_context", "context"}
        # A game in Python has no use for these words; its methods say what they say.
        known |= {"position_help", "score_help", "close"} if name == "holos_custom" else set()
        for member, _ in ffi.typeof(name).fields:
            said = re.search(rf'(\bc\.{member}\b|\bhow\.{member}\b|"{member}")', text[file])
            check(said or member in known, f"{file} does not set {member} of {name}")
    check(options.Settings is not None)


main()
