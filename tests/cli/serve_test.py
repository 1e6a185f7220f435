# SPDX-License-Identifier: MIT
"""holos serve over HTTP: values are the program's, bounds only narrow, nobody else may ask, and work ends when nobody
waits for it. docs/http.md lists what there is."""
import http.client
import json
import os
import re
import signal
import socket
import tempfile
import threading
import time
import urllib.parse

from tap import HARD, SOURCE, Skip, check, environment, equal, holos, main, start, test

FOLDER = tempfile.TemporaryDirectory()
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


class Server:
    """A server of its own, with a folder of its own."""

    def __init__(self, *args, folder=None):
        self.folder = folder or tempfile.mkdtemp(dir=FOLDER.name)
        self.process = start("serve", "--port", "0", "--json", "--folder", self.folder, *args)
        line = self.process.stdout.readline()
        if not line:
            raise Skip(self.process.stderr.read().decode())
        self.said = json.loads(line)
        self.port, self.token = self.said["port"], self.said["token"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate()

    def ask(self, method, path, body=None, headers=None):
        """Status, headers and JSON of a request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, response.headers, json.loads(data) if data and b"{" in data[:1] else data

    def get(self, path, **values):
        query = "?" + urllib.parse.urlencode(values) if values else ""
        return self.ask("GET", path + query)[2]

    def post(self, path, **body):
        return self.ask("POST", path, json.dumps(body), {"Content-Type": "application/json", "X-Holos-Token": self.token})[2]

    def events(self, path, **values):
        """Server-sent events, as they come."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", path + "?" + urllib.parse.urlencode(values))
        response = connection.getresponse()
        name = None
        try:
            for line in response:
                line = line.decode().rstrip("\n")
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    yield name, json.loads(line[6:])
        finally:
            connection.close()


ONE = Server()


def until(condition, what):
    for _ in range(1200):
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("waited in vain for " + what)


# ---- What there is ------------------------------------------------------------------------------------------------------


@test
def every_route_is_documented_and_nothing_else():
    with open(os.path.join(SOURCE, "docs", "http.md"), encoding="utf-8") as f:
        documented = re.findall(r"^### `(GET|POST) (/api[\w/]*)`", f.read(), re.MULTILINE)
    equal(sorted(documented), sorted((r["method"], r["path"]) for r in ONE.get("/api")["routes"]))


@test
def games_tell_their_notations_engines_and_jobs():
    games = {g["game"]: g for g in ONE.get("/api/games")["games"]}
    equal(sorted(games), sorted(g["game"] for g in holos("games", "--json").json))
    check("alphabeta" in games["connect4"]["engines"] and games["sudoku"]["puzzle"], games["connect4"])
    check([t for t in games["sudoku"]["techniques"] if t["technique"] == "x-wing"], "techniques")
    check("tables" in [j["kind"] for j in games["chess"]["jobs"]], games["chess"]["jobs"])


@test
def a_position_has_a_scene_and_a_path():
    p = ONE.get("/api/position", game="connect4", position="44", moves="5,3")
    equal((p["position"], p["side"], p["over"], [m["move"] for m in p["path"]]), ("4354", 0, None, ["5", "3"]))
    equal((p["scene"]["rows"], p["scene"]["columns"], p["scene"]["cells"].count("x")), (6, 7, 2))
    equal([m["cells"] for m in p["scene"]["moves"] if m["move"] == "4"], [[24]])
    over = ONE.get("/api/position", game="connect4", position="1212121")
    equal((over["over"]["outcome"], len(over["scene"]["lit"]), over["legal"]), ("loss", 4, []))


@test
def every_game_with_a_board_has_scenes_whose_moves_are_the_legal_ones():
    for game in ONE.get("/api/games")["games"]:
        for example in game["examples"]:
            p = ONE.get("/api/position", game=game["game"], position=example)
            check(game["scenes"] == (p["scene"] is not None), game["game"])
            if not game["scenes"]:
                continue
            scene = p["scene"]
            check(len(scene["cells"]) == scene["rows"] * scene["columns"], game["game"], example)
            if not game["puzzle"]:
                equal([m["move"] for m in scene["moves"]], p["legal"], game["game"], example)


@test
def a_position_that_is_wrong_gets_the_reason_and_the_place():
    status, _, answer = ONE.ask("GET", "/api/position?game=connect4&position=4498")
    equal((status, answer["error"]["code"], answer["error"]["at"]), (400, "bad-position", 2))
    check("columns 1 to 7" in answer["error"]["message"], answer)
    equal(ONE.ask("GET", "/api/position?game=connect4&position=4498&check=yes")[0], 200)
    check("move 2" in ONE.get("/api/position", game="connect4", moves="4,8")["error"]["message"], "the move")
    equal(ONE.get("/api/position", game="xyz")["error"]["code"], "usage")
    equal(ONE.get("/api/position")["error"]["code"], "usage")


@test
def notations_and_pictures():
    line = ONE.get("/api/notation", game="sudoku", position=EASY, name="line")["text"]
    equal(line.strip(), EASY)
    check("no notation" in ONE.get("/api/notation", game="sudoku", position=EASY, name="x")["error"]["message"], "x")
    status, headers, picture = ONE.ask("GET", "/api/picture?game=chess&position=start")
    check(status == 200 and headers["Content-Type"] == "image/svg+xml" and picture.startswith(b"<svg"), picture[:80])


# ---- Values -------------------------------------------------------------------------------------------------------------


@test
def values_are_those_of_the_program():
    for game, position in [("connect4", "4453"), ("kalah:4,3", "start"), ("nim", "3,4,5 1"), ("connect4:5x4", "33")]:
        ours = ONE.get("/api/solve", game=game, position=position, seconds=30)
        theirs = holos("solve", game, "--json", "--moves", "--", position).json[0]
        for field in ("status", "lo", "hi", "outcome", "distance", "best"):
            equal(ours[field], theirs[field], game, field)
        equal([(m["move"], m["lo"], m["hi"]) for m in ours["moves"]], [(m["move"], m["lo"], m["hi"]) for m in theirs["moves"]])


@test
def bounds_only_narrow():
    bounds, seen = {}, 0
    for name, data in ONE.events("/api/solve/events", game="connect4", position="1", seconds=2):
        if name != "answer":
            equal(name, "end", data)
            break
        seen += 1
        for key, v in [("", data)] + [(m["move"], m) for m in data["moves"]]:
            lo, hi = bounds.get(key, (-99, 99))
            check(v["lo"] >= lo and v["hi"] <= hi, key, v, (lo, hi))
            bounds[key] = (v["lo"], v["hi"])
    check(seen >= 1, "no answer")
    hard = [d for n, d in ONE.events("/api/solve/events", game=HARD[0], position=HARD[1], seconds=0.5) if n == "answer"]
    check(len(hard) >= 2 and hard[-1]["status"] == "bounded", len(hard))


@test
def a_review_goes_from_the_end_to_the_beginning():
    plies = [d for n, d in ONE.events("/api/review", game="connect4", moves="4,4,4,4,1") if n == "ply"]
    equal([p["ply"] for p in plies], [5, 4, 3, 2, 1, 0])
    equal((plies[1]["lo"], plies[1]["played"]["move"], plies[1]["played"]["lo"]), (1, "1", -2))


@test
def an_engine_that_reads_its_search_tells_what_it_reads():
    found = list(ONE.events("/api/choose/events", game="reversi", engine="zeno", level="strong"))
    sensors = [d for n, d in found if n == "sensors"]
    equal(found[-1][0], "move", found[-1])
    check(sensors and all(0 <= s["H_v"] <= 1 and 0 <= s["G"] <= 1 and s["simulations"] % 50 == 0 for s in sensors), sensors)
    equal([n for n, _ in ONE.events("/api/choose/events", game="connect4", position="4444")], ["move"])


@test
def an_engine_chooses_at_every_level():
    for level in ("beginner", "casual", "club", "strong", "perfect"):
        move = ONE.get("/api/choose", game="connect4", position="4444", level=level, seed=3)
        check(move["move"] in "1234567", move)
    equal(ONE.get("/api/choose", game="connect4", level="perfect")["move"], "4")
    check("choose from" in ONE.get("/api/choose", game="connect4", level="x")["error"]["message"], "x")
    check("unknown engine" in ONE.get("/api/choose", game="connect4", engine="x")["error"]["message"], "x")
    check("over" in ONE.get("/api/choose", game="connect4", position="1212121")["error"]["message"], "over")


# ---- Puzzles ------------------------------------------------------------------------------------------------------------


@test
def a_hint_comes_in_three_stages_and_leads_to_the_end():
    puzzle = "....1..69.4......583...9.4....1....338..249....2.9..5.7..65....95...7.....3......"
    first = ONE.get("/api/hint", game="sudoku", position=puzzle, stage="vague")
    check("where" in first and "technique" not in first, first)
    check("summary" in ONE.get("/api/hint", game="sudoku", position=puzzle, stage="technique"), "technique")
    moves, struck, eliminations = [], [], 0
    for _ in range(200):
        step = ONE.get("/api/hint", game="sudoku", position=puzzle, moves=",".join(moves), struck=",".join(struck))
        if step["status"] == "done":
            break
        equal(step["status"], "hint", step)
        check(step["explanation"] and (step["placements"] or set(step["eliminations"]) - set(struck)), step)
        moves += step["placements"]
        struck += step["eliminations"]
        eliminations += len(step["eliminations"])
    equal(step["status"], "done")
    check(eliminations > 0, "the x-wing")


@test
def checks_ratings_candidates():
    equal(ONE.get("/api/check", game="sudoku", position=EASY, moves="r1c3=4,r1c4=2")["wrong"], ["r1c4=2"])
    equal(ONE.get("/api/rate", game="sudoku", position=EASY)["level"], "easy")
    equal(ONE.get("/api/candidates", game="sudoku", position=EASY, cell="r1c3")["candidates"], ["1", "2", "4"])
    check("not a puzzle" in ONE.get("/api/check", game="connect4")["error"]["message"], "connect4")


@test
def a_puzzle_is_made_by_difficulty_and_seed():
    body = {"game": "hidato", "difficulty": "easy", "seed": 7, "options": {"size": "5x5"}}
    one, two = ONE.post("/api/generate", **body), ONE.post("/api/generate", **body)
    equal(one, two)
    equal(one["puzzles"][0]["level"], "easy")
    check("size" in ONE.post("/api/generate", game="hidato", options={"size": "x"})["error"]["message"], "size")
    check("zzz" in ONE.post("/api/generate", game="hidato", options={"zzz": "x"})["error"]["message"], "zzz")


# ---- Who may ask --------------------------------------------------------------------------------------------------------


@test
def other_hosts_origins_and_sites_are_refused():
    equal(ONE.ask("GET", "/api", headers={"Host": "evil.example"})[0], 421)
    equal(ONE.ask("GET", "/", headers={"Host": f"evil.example:{ONE.port}"})[0] in (404, 421), True)
    equal(ONE.ask("GET", "/api", headers={"Origin": "http://evil.example"})[0], 403)
    equal(ONE.ask("GET", "/api", headers={"Origin": f"http://127.0.0.1:{ONE.port}"})[0], 200)
    equal(ONE.ask("GET", "/api", headers={"Host": f"localhost:{ONE.port}"})[0], 200)


@test
def what_costs_needs_the_token():
    plain = {"Content-Type": "application/json"}
    for route in ONE.get("/api")["routes"]:
        if route["token"]:
            equal(ONE.ask(route["method"], route["path"], "{}", plain)[0], 403, route)
            wrong = {**plain, "X-Holos-Token": "0" * 32}
            equal(ONE.ask(route["method"], route["path"], "{}", wrong)[0], 403, route)
    right = {"X-Holos-Token": ONE.token}
    equal(ONE.ask("POST", "/api/generate", "{}", {**right, "Content-Type": "text/plain"})[0], 400)
    equal(ONE.ask("POST", "/api/generate", "{}", {**right, **plain, "Sec-Fetch-Site": "cross-site"})[0], 403)


@test
def every_reply_has_the_policy():
    for path in ("/", "/api", "/nowhere"):
        headers = ONE.ask("GET", path, headers={"Accept-Encoding": "gzip"})[1]
        check("default-src 'none'" in headers["Content-Security-Policy"], path)
        equal(headers["X-Content-Type-Options"], "nosniff")


@test
def requests_are_bounded():
    token = {"Content-Type": "application/json", "X-Holos-Token": ONE.token}
    equal(ONE.ask("POST", "/api/generate", "{" + " " * 70000 + "}", token)[0], 413)
    equal(ONE.ask("POST", "/api/generate", "[1]", token)[0], 400)
    equal(ONE.ask("POST", "/api/generate", "{oops", token)[0], 400)
    equal(ONE.ask("POST", "/api/games", "{}", token)[0], 405)
    equal(ONE.ask("GET", "/api/nowhere")[0], 404)
    equal(ONE.ask("GET", "/api?" + "&".join(f"a{i}=1" for i in range(40)))[0], 400)
    equal(ONE.ask("GET", "/api?a=%00")[0], 400)
    check(ONE.ask("GET", "/api?" + "x" * 100000)[0] in (414, 431), "a long head")
    check("a number" in ONE.get("/api/solve", game="nim", seconds="soon")["error"]["message"], "seconds")


@test
def no_name_leaves_the_folder():
    secret = os.path.join(FOLDER.name, "build.json")
    with open(secret, "w", encoding="utf-8") as f:
        f.write("secret")
    for name in ("..", "../" + os.path.basename(FOLDER.name), "/etc", ".hidden", "a/b", "", "%2e%2e", "x" * 65, "a\\b"):
        status, _, answer = ONE.ask("GET", "/api/record?name=" + urllib.parse.quote(name))
        check(status == 404 and "secret" not in str(answer), name, answer)
        answer = ONE.post("/api/jobs/start", game="nim", kind="graph", name=name)
        check("a name has letters" in answer["error"]["message"], name, answer)
    for path in ("/../../etc/passwd", "/assets/../../x", "//etc/passwd", "/%2e%2e/x"):
        equal(ONE.ask("GET", path)[0], 404, path)
    answer = ONE.post("/api/jobs/start", game="nim", kind="graph", name="spilled", options={"spill": FOLDER.name})
    check("names a file" in answer["error"]["message"], answer)


# ---- Load ---------------------------------------------------------------------------------------------------------------


def open_hard():
    """A question that nobody can answer, on a connection of its own."""
    s = socket.create_connection(("127.0.0.1", ONE.port))
    s.sendall(f"GET /api/solve/events?game={HARD[0]}&seconds=60 HTTP/1.1\r\nHost: 127.0.0.1:{ONE.port}\r\n\r\n".encode())
    return s


@test
def a_hundred_tabs_do_not_stop_it():
    tabs = [open_hard() for _ in range(100)]
    try:
        answer = ONE.get("/api/solve", game="nim", position="3,4,5 1", seconds=60)
        equal(answer["status"], "solved")
        equal(ONE.get("/api/position", game="chess")["side"], 0)
    finally:
        for tab in tabs:
            tab.close()


@test
def closing_a_tab_ends_its_work():
    tab = open_hard()
    tab.recv(1)
    tab.close()

    def idle():
        with open(f"/proc/{ONE.process.pid}/stat", encoding="ascii") as f:
            before = sum(int(x) for x in f.read().rsplit(")", 1)[1].split()[11:13])
        time.sleep(0.5)
        with open(f"/proc/{ONE.process.pid}/stat", encoding="ascii") as f:
            return sum(int(x) for x in f.read().rsplit(")", 1)[1].split()[11:13]) - before <= 2

    until(idle, "an idle server")


@test
def many_ask_at_once():
    expected = ONE.get("/api/solve", game="connect4:5x4", position="33", seconds=30)["moves"]
    found, threads = [], []
    for _ in range(16):
        threads.append(threading.Thread(
            target=lambda: found.append(ONE.get("/api/solve", game="connect4:5x4", position="33", seconds=30)["moves"])))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(found, [expected] * 16)


# ---- Jobs ---------------------------------------------------------------------------------------------------------------


def job(server, number):
    return next(j for j in server.get("/api/jobs")["jobs"] if j["id"] == number)


def ended(server, number):
    return until(lambda: job(server, number)["state"] != "running" and job(server, number), "the job")


@test
def a_job_is_started_stopped_and_resumed_to_the_same_end():
    with Server() as s:
        wish = {"game": "kalah:4,4", "kind": "database", "name": "k", "threads": 1}
        plan = s.post("/api/jobs/plan", **wish)
        check(plan["known"] and plan["memory"] > 0, plan)
        number = s.post("/api/jobs/start", **wish)["id"]
        until(lambda: job(s, number)["progress"]["done"] > 0 or job(s, number)["state"] != "running", "progress")
        s.post("/api/jobs/stop", id=number)
        check(ended(s, number)["state"] in ("stopped", "done"), job(s, number))
        again = s.post("/api/jobs/start", **wish, start="resume")["id"]
        done = ended(s, again)
        equal(done["state"], "done", done)
        check(s.get("/api/record", name="k")["game"] == "kalah:4,4", "the record")
        equal([x["name"] for x in s.get("/api/jobs")["stores"]], ["k"])
        # What it found is known from now on.
        answer = s.get("/api/solve", game="kalah:4,4")
        equal((answer["engine"], answer["source"]), ("lookup", "table"))
        theirs = holos("solve", "kalah:4,4", "start", "--json", "--moves", "--store", "file:" + os.path.join(s.folder, "k")).json[0]
        equal([m["lo"] for m in answer["moves"]], [m["lo"] for m in theirs["moves"]])


@test
def an_exploration_and_a_training_are_stopped_and_go_on():
    small = {"games-per-iteration": "4", "simulations": "8", "channels": "16", "blocks": "1", "batch": "8", "min-buffer": "16", "exact-root": "4",
             "exact-tree": "2", "opening": "2", "rating-every": "0"}
    wishes = (({"game": "connect4:5x5", "kind": "wave", "name": "w"}, {}),
              ({"game": "reversi:4", "kind": "training", "name": "t", "options": {**small, "iterations": "100000"}}, {"options": {"iterations": "3"}}))
    with Server() as s:
        for wish, change in wishes:
            number = s.post("/api/jobs/start", **wish)["id"]
            until(lambda: job(s, number)["progress"]["done"] > 0, "progress")
            s.post("/api/jobs/stop", id=number)
            equal(ended(s, number)["state"], "stopped", job(s, number))
            again = s.post("/api/jobs/start", **{**wish, **change}, start="resume", seconds=1)["id"]
            check(ended(s, again)["state"] in ("stopped", "done"), job(s, again))


@test
def a_job_that_cannot_be_says_why():
    check("already" in str(_twice()), "twice")
    check("no kind of job" in str(ONE.post("/api/jobs/start", game="nim", kind="xyz", name="x")) or
          ended(ONE, ONE.get("/api/jobs")["jobs"][0]["id"])["state"] == "failed", "xyz")
    check("there is no job" in ONE.post("/api/jobs/stop", id=9999)["error"]["message"], "stop")


def _twice():
    with Server() as s:
        wish = {"game": "kalah:6,2", "kind": "database", "name": "big", "threads": 1}
        s.post("/api/jobs/start", **wish)
        return s.post("/api/jobs/start", **wish)


@test
def the_progress_of_jobs_comes_as_events():
    with Server() as s:
        states = []
        number = s.post("/api/jobs/start", game="nim:3,4", kind="graph", name="n")["id"]
        for name, data in s.events("/api/jobs/events"):
            equal(name, "jobs")
            states += [j["state"] for j in data["jobs"] if j["id"] == number]
            if states[-1:] == ["done"]:
                break
        equal(states[-1], "done")


@test
def an_experiment_leaves_its_tables():
    with Server() as s:
        name = s.get("/api/lab")["experiments"][0]["name"]
        equal(ended(s, s.post("/api/lab/run", name=name, quick=True)["id"])["state"], "done")
        tables = s.get("/api/lab", name=name)["tables"]
        check(tables and "," in tables[0]["csv"], tables)
        check("unknown experiment" in s.post("/api/lab/run", name="xyz")["error"]["message"], "xyz")


@test
def kinds_and_options():
    kind = ONE.get("/api/kind", game="chess", kind="KQvKR")
    check("KQvK" in kind["known"] + kind["unknown"] and kind["position"], kind)
    equal(ONE.get("/api/position", game="chess", position=kind["position"])["kind"], "KQvKR")
    groups = ONE.get("/api/options", use="job")["groups"]
    check(any(o["name"] == "book-depth" for g in groups for o in g["options"]), [g["owner"] for g in groups])


# ---- The verb -----------------------------------------------------------------------------------------------------------


@test
def it_ends_with_ctrl_c_and_when_it_is_idle():
    s = Server()
    s.process.send_signal(signal.SIGINT)
    s.process.communicate()
    equal(s.process.returncode, 0)
    equal(holos("serve", "--port", "0", "--idle", "200ms").status, 0)


@test
def open_calls_the_browser_with_the_token():
    tools, seen = tempfile.mkdtemp(dir=FOLDER.name), os.path.join(FOLDER.name, "seen")
    browser = os.path.join(tools, "xdg-open")
    with open(browser, "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\nprintf %s \"$1\" > {seen}\n")
    os.chmod(browser, 0o755)
    result = holos("serve", "--port", "0", "--idle", "500ms", "--open", "--no-book", "--quiet",
                   env=environment(PATH=tools + ":" + os.environ["PATH"]))
    equal(result.status, 0, result)
    with open(seen, encoding="utf-8") as f:
        url = f.read()
    check(url in result.out and "#token=" in url, url, result)
    result = holos("serve", "--port", "0", "--idle", "200ms", "--open", env=environment(PATH="/nowhere"))
    check("no browser was found" in result.err and result.status == 0, result)


@test
def a_port_that_is_taken_is_an_error():
    result = holos("serve", "--port", str(ONE.port))
    equal(result.status, 5, result)
    check("is taken" in result.err and "--port 0" in result.err, result)


@test
def a_store_that_is_not_there_is_an_error():
    result = holos("serve", "--port", "0", "--store", "file:" + os.path.join(FOLDER.name, "nothing"), "--idle", "1s")
    check(result.status in (3, 5) and "nothing" in result.err, result)


@test
def the_page_is_there_or_says_why_not():
    status, headers, body = ONE.ask("GET", "/", headers={"Accept-Encoding": "gzip"})
    if ONE.said["page"]:
        equal((status, headers["Content-Encoding"]), (200, "gzip"))
        equal(ONE.ask("GET", "/")[0], 406)
    else:
        check(status == 404 and "no page" in body["error"]["message"], body)


main_status = 0
try:
    main()
except SystemExit as end:
    main_status = end.code
ONE.__exit__()
raise SystemExit(main_status)
