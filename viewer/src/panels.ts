// The panel beside the view, one function per tab.
import type { App } from "./app";
import { button, choice, el, facts, number, seconds, section, slider, toggle } from "./controls";
import type { Frame } from "./frame";
import { kFateNames, kKindNames, type SceneColour } from "./scene_view";
import { kRampNames, rampCss, type RampName } from "./themes";
import type { PeopleColour } from "./people";
import type { ToolName } from "./tools";
import type { FloorColour } from "./world_view";

export function panels(app: App, frame: Frame): HTMLElement[] {
  const s = app.state;
  if (!s?.document) return [section("Nothing is open", el("p", { class: "hint" }, "Choose a demo world, or give files to wend view."))];
  const top = [documentFacts(app)];
  if (s.comparison) return [...top, comparison(app), lookOptions(app)];
  if (!s.world) return [...top, s.error ? el("p", { class: "bad" }, s.error) : "", ...(s.scene ? [sceneOptions(app), meshSettings(app, frame)] : [])].filter((x): x is HTMLElement => typeof x !== "string");
  switch (app.tab) {
    case "look":
      return [...top, lookOptions(app), layers(app), ...(s.scene ? [sceneOptions(app)] : []), marks(app)];
    case "mesh":
      return [meshSettings(app, frame), stages(app)];
    case "plan":
      return [plan(app)];
    case "edit":
      return [edit(app)];
    case "crowd":
      return [crowd(app, frame)];
  }
}

function documentFacts(app: App): HTMLElement {
  const s = app.state!;
  const rows: [string, string][] = [];
  if (s.scene) rows.push(["triangles", number(s.scene.triangles)]);
  if (s.world) {
    rows.push(["generator", s.world.generator], ["cells", number(s.world.cells)], ["walkable", `${number(s.world.area, 1)} m²`], ["components", number(s.world.components)], ["layers", number(s.world.layers.length)]);
    if (s.world.edited) rows.push(["changed by hand", `${s.items.length} things`]);
  }
  return section(s.scenario?.name || s.document!.name, facts(rows), ...s.notes.slice(0, 3).map((note) => el("p", { class: "hint" }, note)));
}

function lookOptions(app: App): HTMLElement {
  const o = app.options;
  const again = (): void => app.showState();
  const flag = (label: string, name: "showFloor" | "showPortals" | "showWalls" | "showAxis" | "showBends" | "showDisks", id?: string): HTMLElement =>
    toggle(label, o[name], (on) => { o[name] = on; again(); }, { id });
  return section(
    "Show",
    choice("Colour of the floor", [["cells", "cells"], ["components", "components"], ["layers", "layers"], ["height", "height"], ["plain", "plain"]], o.floor, (v) => { o.floor = v as FloorColour; again(); }, { id: "floor-colour" }),
    el("div", { class: "two" }, flag("floor", "showFloor"), flag("portals", "showPortals", "show-portals"), flag("walls", "showWalls"), app.state?.world?.axis ? flag("medial axis", "showAxis", "show-axis") : undefined, app.state?.world?.axis ? flag("bending points", "showBends", "show-bends") : undefined, app.state?.world?.axis ? flag("clearance disks", "showDisks", "show-disks") : undefined),
    slider("Height of walls", { min: 0, max: 3, step: 0.1, value: o.wallHeight, unit: "m" }, (v) => { o.wallHeight = v; again(); }).root,
    toggle("measure under the mouse", app.planner.inspect, (on) => { app.planner.inspect = on; if (!on) { app.probe = undefined; app.overlay.showProbe(undefined); app.frame.updateCards(); app.stage.wake(); } }, { id: "inspect", meaning: "cell, clearance, layer and density of the place under the mouse" }),
  );
}

function layers(app: App): HTMLElement {
  const list = app.state!.world!.layers;
  if (list.length < 2) return el("div", {});
  const o = app.options;
  const order = list.map((_, i) => i).sort((a, b) => list[b].height - list[a].height);
  const box = el("div", { class: "layers" });
  for (const i of order) {
    const name = list[i].name || `layer ${list[i].id}`;
    box.append(toggle(`${name} · ${number(list[i].height, 1)} m`, !o.hidden.has(i), (on) => { if (on) o.hidden.delete(i); else o.hidden.add(i); app.showState(); }, {}));
  }
  const all = (hide: boolean): void => {
    o.hidden = new Set(hide ? list.map((_, i) => i) : []);
    app.showState();
    app.frame.refreshPanel();
  };
  return section(
    "Layers",
    slider("Move layers apart", { min: 0, max: 20, step: 0.5, value: o.explode, unit: "m", id: "explode" }, (v) => { o.explode = v; app.showState(); }).root,
    el("div", { class: "row buttons" }, button("Show all", () => all(false), { kind: "small" }), button("Hide all", () => all(true), { kind: "small" })),
    box,
  );
}

function sceneOptions(app: App): HTMLElement {
  const o = app.sceneOptions;
  const again = (): void => app.showState();
  const scene = app.scene;
  const legend = o.colour === "kinds" ? el("p", { class: "hint" }, kKindNames.join(" · ")) : undefined;
  const found = (scene?.defectCounts ?? []).filter((d) => d.count > 0).map((d) => `${number(d.count)} ${d.name}`);
  return section(
    "Scene",
    slider("Opacity", { min: 0, max: 1, step: 0.05, value: o.opacity, id: "scene-opacity" }, (v) => { o.opacity = v; again(); }).root,
    choice("Colour", [["kinds", "what can be stood on"], ["facets", "facets"], ["labels", "labels of the file"], ["plain", "plain"]], o.colour, (v) => { o.colour = v as SceneColour; again(); app.frame.refreshPanel(); }, { id: "scene-colour" }),
    legend,
    o.colour === "facets" && scene && !scene.hasFacets ? el("p", { class: "hint" }, "Facets are not shown where bodies became boxes.") : undefined,
    toggle("free space of the facets", o.free, (on) => { o.free = on; again(); app.frame.refreshPanel(); }, { id: "free-space", meaning: "what is left of the floors where there is head room, before it becomes layers" }),
    o.free && scene ? el("p", { class: "hint" }, `${number(scene.pieces)} pieces. Soft colours: ${kFateNames[0]}; orange: ${kFateNames[1]}; pink: ${kFateNames[2]}.`) : undefined,
    app.state?.world ? toggle("beside the mesh", o.beside, (on) => { o.beside = on; again(); app.stage.fit(app.box()); }, { id: "beside", meaning: "the scene on the left, the mesh on the right, seen by one camera" }) : undefined,
    scene ? slider("Cut off above", { min: scene.box.min.z, max: scene.box.max.z + 0.1, step: 0.1, value: Math.min(o.ceiling, scene.box.max.z + 0.1), unit: "m" }, (v) => { o.ceiling = v >= scene.box.max.z + 0.05 ? 1e6 : v; again(); }).root : undefined,
    toggle("defects of the triangles", o.defects, (on) => { o.defects = on; again(); }, { id: "defects" }),
    found.length > 0 ? el("p", { class: "hint" }, found.join(", ")) : undefined,
    scene && scene.left > 0 ? el("p", { class: "bad" }, `${number(scene.left)} triangles are not drawn: the scene is too large for the page.`) : undefined,
  );
}

function marks(app: App): HTMLElement {
  const list = app.world?.markSentences ?? [];
  const s = app.state!;
  if (list.length === 0) return section("Checks", el("p", { class: "good" }, "No fault of the mesh or the environment."), s.extraction && s.extraction.dropped > 0 ? el("p", { class: "hint" }, `Extraction left out ${number(s.extraction.dropped)} components of at most ${number(s.extraction.droppedArea, 1)} m² in all.`) : undefined);
  const box = el("ul", { class: "marks" });
  list.slice(0, 50).forEach((sentence, i) => box.append(el("li", {}, el("button", { type: "button", class: "link", title: "Go there", onclick: () => app.stage.goTo(app.world!.markPlace(i)) }, `${app.world!.markKind(i)}: ${sentence}`))));
  return section("Checks", toggle(`${number(list.length)} places are marked`, app.options.showMarks, (on) => { app.options.showMarks = on; app.showState(); }), box);
}

function meshSettings(app: App, frame: Frame): HTMLElement {
  const s = app.state!;
  const catalogue = app.catalogue;
  if (!catalogue) return el("div", {});
  const settings = s.settings;
  const generator = catalogue.generators.find((g) => g.name === settings.generator);
  const fixed = s.recording;
  const root = section("Generator", fixed ? el("p", { class: "hint" }, "The world of a recording cannot be made anew.") : undefined);
  const bake = (options: Record<string, string | number>, name = settings.generator): void => app.link.send("bake", { generator: name, options });
  root.append(choice("Method", catalogue.generators.filter((g) => !g.missing).map((g) => [g.name, g.name]), settings.generator, (v) => bake({}, v), { id: "generator", meaning: generator?.meaning }));
  if (generator?.source) root.append(el("p", { class: "hint" }, generator.source));
  const values: Record<string, string | number> = {};
  for (const option of generator?.options ?? []) values[option.name] = settings.options[option.name] ?? option.default;
  for (const option of generator?.options ?? []) {
    if (option.choices.length > 0) {
      root.append(choice(option.name, option.choices.map((c) => [c, c]), String(values[option.name]), (v) => { values[option.name] = v; bake(values); }, { id: `option-${option.name}`, meaning: option.meaning }));
    } else {
      const step = option.max - option.min > 20 ? 1 : (option.max - option.min) / 100 || 0.01;
      root.append(slider(option.name, { min: option.min, max: option.max, step, value: Number(values[option.name]), meaning: option.meaning, id: `option-${option.name}` }, (v, done) => { values[option.name] = v; if (done) bake(values); }).root);
    }
  }
  if (s.scene) {
    root.append(el("h2", {}, "Extraction"));
    root.append(choice("Method", [["exact", "exact: the model's own polygons"], ["voxel", "voxel: for scans and dirty soups"]], settings.extractMethod, (v) => app.link.send("bake", { extractMethod: v }), { id: "extract-method" }));
    for (const one of catalogue.extract) {
      if (one.voxel && settings.extractMethod !== "voxel") continue;
      const value = settings.extract[one.name] ?? one.default;
      const send = (v: number): void => app.link.send("bake", { extract: { ...app.state!.settings.extract, [one.name]: v } });
      root.append(one.flag ? toggle(one.meaning, value !== 0, (on) => send(on ? 1 : 0)) : slider(one.name === "minArea" ? "smallest area" : one.name, { ...one, value, id: `extract-${one.name}` }, (v, done) => done && send(v)).root);
    }
  }
  void frame;
  return root;
}

function stages(app: App): HTMLElement {
  const s = app.state!;
  const total = s.stages.reduce((sum, one) => sum + one.seconds, 0);
  const list = el("div", { class: "stages", id: "stages" });
  for (const stage of s.stages) {
    list.append(el("div", { class: "stage" }, el("span", {}, stage.name), el("i", { style: `width:${Math.max(1, (100 * stage.seconds) / (total || 1))}%` }), el("b", {}, seconds(stage.seconds))));
  }
  const w = s.world!;
  return section("Time of each stage", list, facts([["cells", number(w.cells)], ["portals", number(w.portals)], ["vertices", number(w.vertices)], ["boundaries", number(w.boundaries)], ["genus", number(w.genus)], ["hash", w.hash]]));
}

function plan(app: App): HTMLElement {
  const p = app.planner;
  const axis = app.state!.world!.axis;
  const methods: [string, string][] = [["best", "best for this mesh"], ["polyanya", "Polyanya: shortest for a point"], ["astar", "A* and funnel, for a point"], ["disk", "disk: cells and portals"], ["corridor", "corridor: medial axis"]];
  const sentence = !p.from ? "Click the start." : !p.to ? "Click the goal." : "Drag the pins, or click a new start.";
  const root = section(
    "Plan by hand",
    el("p", { class: "lead-hint", id: "plan-hint" }, sentence),
    slider("Radius of the body", { min: 0, max: 3, step: 0.01, value: p.radius, unit: "m", id: "radius" }, (v) => { p.radius = v; app.sendPlan(); app.options.radius = v; app.world?.apply(app.options, app.theme); app.stage.wake(); }).root,
    slider("Clearance to keep where there is space", { min: 0, max: 5, step: 0.05, value: p.clearance, unit: "m", id: "clearance" }, (v) => { p.clearance = v; app.sendPlan(); }).root,
  );
  if (axis) {
    root.append(
      toggle("keep to a side instead of the shortest", p.side !== undefined, (on) => { p.side = on ? 0 : undefined; app.sendPlan(); app.frame.refreshPanel(); }, { id: "side-on" }),
    );
    if (p.side !== undefined) root.append(slider("Side", { min: -1, max: 1, step: 0.1, value: p.side, id: "side", show: (v) => (v < 0 ? `${-v} left` : v > 0 ? `${v} right` : "middle") }, (v) => { p.side = v; app.sendPlan(); }).root);
  }
  root.append(el("h2", {}, "Planners beside each other"));
  for (const [name, label] of methods) {
    if (name === "corridor" && !axis) continue;
    root.append(toggle(label, p.methods.includes(name), (on) => { p.methods = on ? [...p.methods, name] : p.methods.filter((m) => m !== name); if (p.methods.length === 0) p.methods = ["best"]; app.sendPlan(); app.frame.refreshPanel(); }, { id: `method-${name}` }));
  }
  root.append(
    el("h2", {}, "Show"),
    toggle("shrunk portals", p.portals, (on) => { p.portals = on; app.showPlan(); }),
    toggle("arcs around corners", p.arcs, (on) => { p.arcs = on; app.showPlan(); }),
    toggle("what this body can reach from the start", p.reach, (on) => { p.reach = on; app.sendReach(); }, { id: "reach" }),
    toggle("what is seen from under the mouse", p.sight, (on) => { p.sight = on; if (!on) { app.probe = undefined; app.overlay.showProbe(undefined); app.stage.wake(); } }, { id: "sight" }),
    axis ? toggle("medial axis: too narrow parts in red", app.options.showAxis, (on) => { app.options.showAxis = on; app.showState(); }) : "",
    el("div", { class: "row buttons" }, button("Clear", () => app.forgetPlan(), { kind: "small", id: "clear-plan" })),
  );
  return root;
}

function toolButtons(app: App, tools: [ToolName, string, string][]): HTMLElement {
  const box = el("div", { class: "tool-buttons", role: "radiogroup" });
  for (const [name, label, title] of tools) {
    box.append(el("button", { type: "button", id: `tool-${name}`, class: app.tools.tool === name ? "tool on" : "tool", title, role: "radio", "aria-checked": app.tools.tool === name ? "true" : "false", onclick: () => app.tools.use(name) }, label));
  }
  return box;
}

function edit(app: App): HTMLElement {
  const s = app.state!;
  const root = section("Edit by hand");
  if (s.recording) {
    root.append(el("p", { class: "hint" }, "A recording cannot be changed."));
    return root;
  }
  root.append(
    toolButtons(app, [["select", "Select", "click a thing, drag it"], ["obstacle", "Obstacle", "drag a rectangle"], ["door", "Door", "drag a line across a passage"]]),
    el("p", { class: "hint" }, { select: "Click a thing; drag moves it, R turns it, Delete removes it.", obstacle: "Drag a rectangle on the floor.", door: "Drag a line from post to post. A shut door is a wall.", room: "Drag rectangles: rooms join where they overlap.", wall: "Drag rectangles: walls cut rooms." }[app.tools.tool as string] ?? "Choose what to do."),
    el("div", { class: "row buttons" }, button("Undo", () => app.link.send("edit", { edit: "undo" }), { kind: "small", id: "undo", disabled: s.undo === 0 }), button("Redo", () => app.link.send("edit", { edit: "redo" }), { kind: "small", id: "redo", disabled: s.redo === 0 })),
  );
  const list = el("div", { class: "items" });
  for (const item of s.items) {
    const chosen = item.id === app.tools.selected;
    const row = el("div", { class: chosen ? "item on" : "item" }, el("button", { type: "button", class: "link", onclick: () => { app.tools.use("select"); app.tools.select(item.id); } }, item.id));
    if (item.door) row.append(toggle(item.open ? "open" : "shut", item.open, (on) => app.link.send("edit", { edit: "set-door", id: item.id, open: on })));
    if (chosen && !item.door) row.append(button("Turn", () => app.tools.turn(15), { kind: "small", id: "turn" }));
    row.append(button("Remove", () => { app.link.send("edit", { edit: "remove", id: item.id }); app.tools.select(undefined); }, { kind: "small" }));
    list.append(row);
  }
  root.append(list);
  const draft = app.draftPlan;
  root.append(
    el("h2", {}, "A floor plan from nothing"),
    toolButtons(app, [["room", "Room", "drag a rectangle of floor"], ["wall", "Wall", "drag a rectangle that is not walkable"]]),
    el("div", { class: "row buttons" },
      button(`Build ${draft.rooms.length} rooms, ${draft.walls.length} walls`, () => { app.link.send("edit", { edit: "plan", rooms: draft.rooms, walls: draft.walls }); app.draftPlan = { rooms: [], walls: [] }; app.overlay.showPlanDraft([], []); app.frame.refreshPanel(); }, { kind: "small primary", id: "build-plan", disabled: draft.rooms.length === 0 }),
      button("Clear", () => { app.draftPlan = { rooms: [], walls: [] }; app.overlay.showPlanDraft([], []); app.stage.wake(); app.frame.refreshPanel(); }, { kind: "small" }),
    ),
    el("h2", {}, "Save"),
    el("div", { class: "row buttons" }, button("ENV", () => app.link.send("save", { as: "env" }), { kind: "small" }), button("WEND", () => app.link.send("save", { as: "wend" }), { kind: "small" })),
  );
  return root;
}

function crowd(app: App, frame: Frame): HTMLElement {
  const s = app.state!;
  const c = s.crowd;
  const root = section("Crowd");
  if (!s.recording) {
    root.append(toolButtons(app, [["look", "Look", "click a person"], ["source", "Source", "drag a rectangle where people enter"], ["exit", "Exit", "drag a rectangle where people leave"], ["line", "Line", "drag a line; who crosses it is counted"]]));
    if (app.tools.tool === "source") {
      root.append(
        slider("People at the start", { min: 0, max: 5, step: 0.1, value: Math.log10(Math.max(1, frame.sourceCount)), id: "source-count", show: (v) => number(Math.round(10 ** v)) }, (v) => (frame.sourceCount = Math.round(10 ** v))).root,
        slider("Then per second", { min: 0, max: 20, step: 0.5, value: frame.sourceRate, id: "source-rate" }, (v) => (frame.sourceRate = v)).root,
      );
    }
    const list = el("div", { class: "items" });
    const row = (id: string, text: string, remove: () => void): void => {
      list.append(el("div", { class: "item" }, el("span", {}, `${id}${text}`), button("Remove", remove, { kind: "small" })));
    };
    c.sources.forEach((one, i) => row(one.id, ` · ${number(one.count)}${one.rate ? ` + ${one.rate}/s` : ""}${one.area.length === 0 ? ", everywhere" : ""}`, () => app.sendCrowd((x) => x.sources.splice(i, 1))));
    c.exits.forEach((one, i) => row(one.id, "", () => app.sendCrowd((x) => x.exits.splice(i, 1))));
    c.lines.forEach((one, i) => row(one.id, "", () => app.sendCrowd((x) => x.lines.splice(i, 1))));
    root.append(list);
    const everywhere = c.sources.find((one) => one.area.length === 0);
    if (!s.scenario) {
      root.append(
        slider("People everywhere", { min: 0, max: 5, step: 0.05, value: Math.log10(Math.max(1, everywhere?.count ?? 1)), id: "people", show: (v) => number(10 ** v < 1.5 ? 0 : Math.round(10 ** v)) }, (v, done) => {
          if (!done) return;
          const count = 10 ** v < 1.5 ? 0 : Math.round(10 ** v);
          app.sendCrowd((x) => {
            x.sources = x.sources.filter((one) => one.area.length > 0);
            if (count > 0) x.sources.push({ id: "everywhere", layer: 0, area: [], count, rate: 0 });
          });
        }).root,
        slider("Mean free speed", { min: 0.3, max: 3, step: 0.05, value: c.speed, unit: "m/s" }, (v, done) => done && app.sendCrowd((x) => (x.speed = v))).root,
        choice("Avoidance", (app.catalogue?.avoid ?? []).map((name) => [name, name]), c.avoid, (v) => app.sendCrowd((x) => (x.avoid = v)), { id: "avoid" }),
        choice("Route following", (app.catalogue?.follow ?? []).map((name) => [name, name]), c.follow, (v) => app.sendCrowd((x) => (x.follow = v)), { id: "follow" }),
      );
    }
    root.append(toggle("record the next run", app.record, (on) => (app.record = on), { id: "record" }), s.live ? el("p", { class: "hint" }, "Changes of sources and exits take effect with the next run; obstacles and doors at once.") : "");
  }
  root.append(
    el("h2", {}, "Colour"),
    choice("Colour by", [["speed", "speed: 0 to 2 m/s"], ["density", "density: 0 to 5 per m²"], ["waiting", "time stood still: 0 to 60 s"], ["profile", "profile"], ["goal", "goal"]], app.colour, (v) => { app.colour = v as PeopleColour; app.showState(); app.frame.refreshPanel(); }, { id: "people-colour" }),
    choice("Palette", kRampNames, app.ramp, (v) => { app.ramp = v as RampName; app.showState(); app.frame.refreshPanel(); }, { id: "ramp" }),
    app.colour === "profile" || app.colour === "goal" ? "" : el("div", { class: "ramp", style: `background:${rampCss(app.ramp)}` }),
    toggle("density on the floor", s.map, (on) => app.link.send("map", { on }), { id: "map" }),
    toggle("as levels of service A to F", app.service, (on) => { app.service = on; app.link.send("map", { on: true }); app.frame.refreshPanel(); }, { id: "service" }),
  );
  if (app.service && app.catalogue) {
    const legend = el("div", { class: "levels" });
    app.catalogue.serviceColours.forEach((colour, i) => legend.append(el("span", { style: `background:rgb(${colour.join(",")})`, title: i === 0 ? `below ${app.catalogue!.serviceLimits[0].toFixed(2)} per m²` : `from ${app.catalogue!.serviceLimits[i - 1].toFixed(2)} per m²` }, "ABCDEF"[i])));
    root.append(legend);
  }
  return root;
}

function comparison(app: App): HTMLElement {
  const c = app.state!.comparison!;
  const metrics = ["cells", "build_ms", "coverage", "incorrect_area", "overlap", "components"];
  const known = [...new Set(c.meshes.flatMap((mesh) => Object.keys(mesh.metrics)))];
  const columns = [...metrics.filter((m) => known.includes(m)), ...known.filter((m) => !metrics.includes(m))].slice(0, 6);
  const table = el("table", { class: "compare" }, el("tr", {}, el("th", {}, "generator"), ...columns.map((m) => el("th", {}, m.replaceAll("_", " ")))));
  for (const mesh of c.meshes) table.append(el("tr", {}, el("td", {}, mesh.generator), ...columns.map((m) => el("td", {}, mesh.metrics[m] === undefined ? "–" : number(mesh.metrics[m], mesh.metrics[m] % 1 ? 2 : 0)))));
  return section("Comparison", choice("World", c.worlds.map((name, i) => [`${i}`, name]), `${c.world}`, (v) => app.link.send("compare", { world: Number(v) }), { id: "compare-world" }), el("div", { class: "scroll" }, table), el("p", { class: "hint" }, "All meshes are seen by one camera: turn one, and all turn."));
}
