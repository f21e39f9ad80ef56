"""The same five scenarios with wend and with JuPedSim, both measured by PedPy: one table.

  peers.py WEND FOLDER        runs all and writes FOLDER/peers.csv and FOLDER/peers.md
  peers.py --check FILE       loads a recording of wend with PedPy's own loaders and analyses; exit 1 if one fails

JuPedSim gets the persons of wend's first frame: the same places, radii and free speeds.
"""
import csv
import inspect
import json
import math
import pathlib
import resource
import sqlite3
import subprocess
import sys
import time
import tomllib

import jupedsim as jps
import pedpy
import shapely

HERE = pathlib.Path(__file__).parent
CASES = [("bottleneck", "bottleneck", {})]
CASES += [(f"corridor {d} /m2", "corridor", {"density": d}) for d in (0.5, 1, 2, 3)]
CASES += [("corner", "corner", {}), ("counter-flow", "counter_flow", {}), ("rooms", "rooms", {})]


def run_wend(wend, case, parameters, file):
    command = [wend, "simulate", str(HERE / f"{case}.toml"), "-o", str(file), "--json", "--threads", "1"]
    for name, value in parameters.items():
        command += ["--set", f"{name}={value}"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # CPU time of the whole program: mesh, simulation and recording. JuPedSim's is that of its loop and recording.
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    with sqlite3.connect(file) as db:
        rows = db.execute("SELECT count(*) FROM trajectory_data").fetchone()[0]
    return {"seconds": seconds, "agent_steps": rows, "left": result["left"], "persons": result["persons"]}


def scenario_of(file):
    with sqlite3.connect(file) as db:
        text = db.execute("SELECT value FROM metadata WHERE key = 'wend_scenario'").fetchone()[0]
        people = db.execute(
            "SELECT t.pos_x, t.pos_y, p.radius, p.free_speed, p.journey FROM trajectory_data t "
            "JOIN wend_person p ON p.id = t.id WHERE t.frame = 0 ORDER BY t.id").fetchall()
        wkt = db.execute("SELECT wkt FROM geometry").fetchone()[0]
    return tomllib.loads(text), people, shapely.from_wkt(wkt)


def run_jupedsim(scenario, people, geometry, file):
    dt = 0.05
    writer = jps.SqliteTrajectoryWriter(output_file=file, every_nth_frame=2)
    simulation = jps.Simulation(model=jps.CollisionFreeSpeedModel(), geometry=geometry, dt=dt, trajectory_writer=writer)
    exits = {s["id"]: (simulation.add_exit_stage(s["area"]), shapely.Polygon(s["area"])) for s in scenario["stage"]}
    journeys = {name: simulation.add_journey(jps.JourneyDescription([stage])) for name, (stage, _) in exits.items()}
    stages_of = {j["id"]: j["stages"] for j in scenario["journey"]}
    parameters = jps.CollisionFreeSpeedModelAgentParameters
    speed = "desired_speed" if "desired_speed" in inspect.signature(parameters).parameters else "v0"
    for x, y, radius, free_speed, journey in people:
        nearest = min(stages_of[journey], key=lambda name: exits[name][1].distance(shapely.Point(x, y)))
        simulation.add_agent(parameters(journey_id=journeys[nearest], stage_id=exits[nearest][0], position=(x, y),
                                        radius=radius, **{speed: free_speed}))
    steps = 0
    start = time.process_time()
    while simulation.agent_count() > 0 and simulation.iteration_count() * dt < scenario["end_time"]:
        steps += simulation.agent_count()
        simulation.iterate()
    # The last rows are written when the writer closes.
    writer.close()
    return {"seconds": time.process_time() - start, "agent_steps": steps,
            "left": len(people) - simulation.agent_count(), "persons": len(people)}


def measure(file, scenario):
    """Flow over the line, density and speed in the region, evacuation time: PedPy's loaders and methods."""
    trajectory = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=pathlib.Path(file))
    pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=pathlib.Path(file))
    line = scenario["line"][0]
    region = pedpy.MeasurementArea(scenario["region"][0]["area"])
    n_t, _ = pedpy.compute_n_t(traj_data=trajectory, measurement_line=pedpy.MeasurementLine([line["from"], line["to"]]))
    times = n_t["time"].to_numpy()
    counts = n_t["cumulative_pedestrians"].to_numpy()
    flow = math.nan
    if counts.max() >= 5:
        first, last = times[(counts > 0).argmax()], times[(counts == counts.max()).argmax()]
        flow = (counts.max() - 1) / (last - first) if last > first else math.nan
    density = pedpy.compute_classic_density(traj_data=trajectory, measurement_area=region)
    occupied = density[density["density"] > 0]
    speeds = pedpy.compute_individual_speed(traj_data=trajectory, frame_step=5,
                                            speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED)
    inside = trajectory.data[shapely.within(trajectory.data.point, region.polygon)][["id", "frame"]]
    in_region = speeds.merge(inside, on=["id", "frame"])
    length = math.dist(line["from"], line["to"])
    return {"flow": flow, "specific_flow": flow / length, "density": occupied["density"].mean(),
            "speed": in_region["speed"].mean(), "evacuation": trajectory.data["frame"].max() / trajectory.frame_rate}


def check(file):
    trajectory = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=pathlib.Path(file))
    area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=pathlib.Path(file))
    assert pedpy.is_trajectory_valid(traj_data=trajectory, walkable_area=area), "positions outside the walkable area"
    scenario, _, _ = scenario_of(file)
    values = measure(file, scenario)
    cells = pedpy.compute_individual_voronoi_polygons(traj_data=trajectory, walkable_area=area,
                                                      cut_off=pedpy.Cutoff(radius=1.0, quad_segments=3))
    density, _ = pedpy.compute_voronoi_density(individual_voronoi_data=cells,
                                               measurement_area=pedpy.MeasurementArea(scenario["region"][0]["area"]))
    values["voronoi_density"] = density["density"][density["density"] > 0].mean()
    print(json.dumps(values))


def main(wend, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, case, parameters in CASES:
        stem = name.replace(" ", "_").replace("/", "_")
        own = folder / f"{stem}.wend.sqlite"
        other = folder / f"{stem}.jupedsim.sqlite"
        other.unlink(missing_ok=True)
        runs = {"wend": (own, run_wend(wend, case, parameters, own))}
        scenario, people, geometry = scenario_of(own)
        runs["jupedsim"] = (other, run_jupedsim(scenario, people, geometry, other))
        for program, (file, run) in runs.items():
            rows.append({"scenario": name, "program": program, "persons": run["persons"], "left": run["left"],
                         **measure(file, scenario),
                         "agent_steps_per_second": run["agent_steps"] / max(run["seconds"], 1e-9)})
            print({k: round(v, 3) if isinstance(v, float) else v for k, v in rows[-1].items()}, flush=True)
    with open(folder / "peers.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    head = ["scenario", "program", "left of", "specific flow, 1/(m s)", "density, 1/m2", "speed, m/s", "out after, s",
            "agent-steps per s"]
    text = "| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|\n"
    for r in rows:
        text += (f"| {r['scenario']} | {r['program']} | {r['left']} of {r['persons']} | {r['specific_flow']:.2f} | "
                 f"{r['density']:.2f} | {r['speed']:.2f} | {r['evacuation']:.1f} | {r['agent_steps_per_second']:,.0f} |\n")
    (folder / "peers.md").write_text(text)
    print(text)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        check(sys.argv[2])
    elif len(sys.argv) == 3:
        main(sys.argv[1], sys.argv[2])
    else:
        sys.exit(__doc__)
