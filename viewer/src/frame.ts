// The page around the 3D view: top bar, panel, cards, the bar that plays, first screen, help, messages.
import type { App, TabName } from "./app";
import { drawChart, lineColour } from "./charts";
import { button, clock, el, facts, icon, number, seconds } from "./controls";
import { Animation, download, saveBytes, savePicture } from "./export";
import { panels } from "./panels";
import { kColours } from "./themes";

const kIcons = {
  look: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  mesh: "M3 7l9-4 9 4-9 4zM3 7v10l9 4 9-4V7M12 11v10",
  plan: "M5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM19 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 18h6a4 4 0 0 0 0-8h-2a4 4 0 0 1 0-4h6",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  crowd: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 20c0-4 3-6 6-6s6 2 6 6M17 11a2.5 2.5 0 1 0 0-5M16 14c3 0 6 2 6 6",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5v14M17 5v14",
  step: "M5 5l9 7-9 7zM18 5v14",
  stop: "M6 6h12v12H6z",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  top: "M12 3l9 9-9 9-9-9z",
  walk: "M13 5a1.6 1.6 0 1 0 0-3.2A1.6 1.6 0 0 0 13 5zM9 21l2.5-6L9 12.500 11 8l3 2 3 1M11.500 15l3 2 1 4M11 8l-3 2v3",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  save: "M12 3v12M7 11l5 5 5-5M4 20h16",
  help: "M9 9a3 3 0 1 1 4 2.800c-.7.3-1 .9-1 1.700M12 17v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  close: "M6 6l12 12M18 6L6 18",
  panel: "M4 5h16v14H4zM10 5v14",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
};

const kTabs: [TabName, string][] = [
  ["look", "Look"],
  ["mesh", "Mesh"],
  ["plan", "Plan"],
  ["edit", "Edit"],
  ["crowd", "Crowd"],
];

export class Frame {
  readonly view = el("main", { id: "view" });
  sourceCount = 100;
  sourceRate = 0;
  private bar = el("header", { id: "bar" });
  private panel = el("aside", { id: "panel", "aria-label": "Settings" });
  private tabs = el("nav", { id: "tabs", "aria-label": "What to do" });
  private body = el("div", { id: "panel-body" });
  private cards = el("div", { id: "cards" });
  private player = el("footer", { id: "player" });
  private toasts = el("div", { id: "toasts", role: "status", "aria-live": "polite" });
  private busy = el("div", { id: "busy", role: "status" });
  private statistics = el("div", { id: "statistics", "aria-hidden": "true" });
  private welcome?: HTMLElement;
  private dialog?: HTMLElement;
  private homeOpen = false;
  private signature = "";
  private open = true;
  private chartBox = el("div", { class: "charts" });
  private timeText = el("span", { id: "time" });
  private insideText = el("span", { id: "inside" });
  private timeline = el("input", { type: "range", id: "timeline", "aria-label": "Time of the recording", min: "0", step: "0.1", value: "0" });
  private seeking = false;

  constructor(private app: App, host: HTMLElement) {
    this.panel.append(this.tabs, this.body);
    this.view.append(this.cards, this.busy, this.statistics);
    host.append(this.bar, this.panel, this.view, this.player, this.toasts);
    this.timeline.addEventListener("input", () => {
      this.seeking = true;
      app.link.send("seek", { time: Number(this.timeline.value) });
    });
    this.timeline.addEventListener("change", () => (this.seeking = false));
  }

  setPanel(open: boolean): void {
    this.open = open;
    document.body.classList.toggle("no-panel", !open);
    this.app.stage?.resize();
  }

  update(): void {
    if (!this.app.tools) return;
    this.updateBar();
    this.updateTabs();
    this.updateBody();
    this.updateCards();
    this.updatePlayer();
    this.updateProgress();
    this.updateWelcome();
  }

  private updateBar(): void {
    const { app } = this;
    const state = app.state;
    const documents = el("div", { id: "documents", role: "tablist" });
    state?.documents.forEach((document, i) => {
      documents.append(
        el("button", { type: "button", role: "tab", class: i === state.active ? "chip on" : "chip", "aria-selected": i === state.active ? "true" : "false", title: `${document.kind}, ${document.format}`, onclick: () => app.link.send("open", { document: i }) }, document.name, el("small", {}, document.kind)),
      );
    });
    if (state?.document && state.active < 0) documents.append(el("span", { class: "chip on" }, state.document.name, el("small", {}, state.document.kind)));
    const bare = (label: string, name: keyof typeof kIcons, act: () => void, on = false, id?: string): HTMLElement => button(label, act, { kind: `bare${on ? " on" : ""}`, icon: kIcons[name], title: label, id });
    this.bar.replaceChildren(
      el("button", { type: "button", class: "brand", title: "First screen", id: "home", onclick: () => this.toggleHome() }, icon("M3 19 9 7l5 6 3-6 4 12"), el("b", {}, "wend")),
      documents,
      el(
        "div",
        { class: "tools" },
        bare("Fit the view (F)", "fit", () => app.stage.fit(app.box())),
        bare("From above (T)", "top", () => app.stage.setFlat(!app.stage.flat, app.box()), app.stage?.flat, "from-above"),
        bare("Walk (G): W A S D, drag to look, Esc ends it", "walk", () => { app.stage.setWalking(!app.stage.walking); this.update(); }, app.stage?.walking, "walk"),
        bare("Save and export", "save", () => this.showSave(), false, "save"),
        bare("Light or dark", "theme", () => app.setTheme(app.theme === "dark" ? "light" : "dark"), false, "theme"),
        bare("Help (?)", "help", () => this.showHelp(), false, "help"),
        bare("Show or hide the panel", "panel", () => this.setPanel(!this.open), this.open, "toggle-panel"),
      ),
    );
  }

  private updateTabs(): void {
    this.tabs.replaceChildren(
      ...kTabs.map(([name, label], i) =>
        el("button", { type: "button", class: this.app.tab === name ? "tab on" : "tab", id: `tab-${name}`, title: `${label} (${i + 1})`, "aria-pressed": this.app.tab === name ? "true" : "false", onclick: () => this.app.setTab(name) }, icon(kIcons[name]), label),
      ),
    );
  }

  // Rebuilt only when what it shows has changed, so that a slider is not taken out of the user's hand.
  private updateBody(): void {
    const { app } = this;
    const s = app.state;
    const signature = JSON.stringify([
      app.tab,
      app.catalogue?.version,
      s && { ...s, playing: 0, speed: 0, busy: "", documents: 0, error: "" },
      app.tools.tool,
      app.tools.selected,
      app.plan?.routes.map((r) => [r.method, r.status, r.length]),
      app.planner.methods,
      !!app.planner.from,
      !!app.planner.to,
      app.draftPlan,
      app.options.hidden.size,
      app.scene?.left,
      app.world?.markSentences.length,
      app.theme,
    ]);
    if (signature === this.signature) return;
    const active = document.activeElement as HTMLInputElement | null;
    if (active?.type === "range" && this.body.contains(active) && active.matches(":active")) return;
    this.signature = signature;
    const focus = active?.id;
    const scroll = this.body.scrollTop;
    this.body.replaceChildren(...panels(app, this));
    if (app.tab === "crowd") this.body.append(this.chartBox);
    this.body.scrollTop = scroll;
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    this.updateCrowd();
  }
  refreshPanel(): void {
    this.signature = "";
    this.updateBody();
  }

  updateCards(): void {
    const { app } = this;
    const cards: HTMLElement[] = [];
    const plan = app.plan;
    if (plan && app.tab === "plan") {
      const colours = kColours[app.theme].route;
      const list = el("div", { class: "card", id: "plan-card" });
      plan.routes.forEach((route, i) => {
        list.append(
          el(
            "div",
            { class: "route" },
            el("i", { style: `background:${colours[i % colours.length]}` }),
            el("b", {}, route.method),
            route.status === "found" ? el("span", {}, `${number(route.length ?? 0, 2)} m · clearance ${number(route.clearance ?? 0, 2)} m · ${route.cells} cells · ${number(route.microseconds, 1)} µs`) : el("span", { class: "bad" }, route.sentence),
          ),
        );
      });
      if (plan.narrowest) list.append(el("p", { class: "hint" }, `The narrowest place is marked: a radius up to ${number(plan.narrowest.radius, 2)} m gets through.`));
      cards.push(list);
    }
    const person = app.person;
    if (person) {
      cards.push(
        el(
          "div",
          { class: "card", id: "person-card" },
          el("div", { class: "row" }, el("b", {}, `Person ${person.id}`), button("Close", () => app.link.send("person", {}), { kind: "bare small", icon: kIcons.close })),
          el("p", {}, person.doing[0].toUpperCase() + person.doing.slice(1) + "."),
          facts([
            ["speed", `${number(person.speed, 2)} of ${number(person.freeSpeed, 2)} m/s`],
            ["density", `${number(person.density, 1)} per m²`],
            ["waited", `${number(person.waited, 0)} s`],
            ["neighbours within 3 m", `${person.neighbours.length}`],
            ["profile", person.profile],
            ["goal", person.goalName || "none"],
          ]),
        ),
      );
    }
    const probe = app.probe;
    if (probe?.on && (app.planner.inspect || app.planner.sight)) {
      const rows: [string, string][] = [
        ["place", `${number(probe.at[0], 2)}, ${number(probe.at[1], 2)}, ${number(probe.height ?? 0, 2)}`],
        ["clearance", `${number(probe.clearance ?? 0, 3)} m`],
        ["cell", `${probe.cell}, ${number(probe.area ?? 0, 2)} m², ${probe.sides} sides`],
        ["layer", `${probe.layer}${probe.layerName ? ` (${probe.layerName})` : ""}`],
      ];
      if (probe.density !== undefined) rows.push(["density", `${number(probe.density, 2)} per m²`]);
      cards.push(el("div", { class: "card", id: "probe-card" }, facts(rows)));
    }
    this.cards.replaceChildren(...cards);
  }

  private updatePlayer(): void {
    const { app } = this;
    const s = app.state;
    const shown = !!s?.world && !s.comparison;
    document.body.classList.toggle("no-player", !shown);
    if (!s || !shown) return;
    const active = document.activeElement;
    if (active === this.timeline && this.seeking) return;
    const speeds = [0.25, 0.5, 1, 2, 4, 8, 16];
    const speed = el("select", { id: "speed", "aria-label": "Speed", onchange: (e: Event) => app.link.send("speed", { factor: Number((e.target as HTMLSelectElement).value) }) });
    for (const value of speeds) {
      const option = el("option", { value: `${value}` }, `${value} ×`);
      option.selected = Math.abs(value - s.speed) < 1e-9;
      speed.append(option);
    }
    const show = s.show;
    this.timeline.max = `${show?.duration ?? 0}`;
    const people = s.scenario?.persons || s.crowd.sources.reduce((n, one) => n + one.count, 0) || (s.scenario ? 0 : 200);
    this.player.replaceChildren(
      button(s.playing ? "Pause" : "Play", () => app.togglePlay(), { kind: "bare primary", icon: s.playing ? kIcons.pause : kIcons.play, id: "play", title: s.playing ? "Pause (space)" : "Start (space)" }),
      button("Step", () => app.link.send("run", { action: "step" }), { kind: "bare", icon: kIcons.step, id: "step", title: "One step (.)" }),
      button("Reset", () => app.link.send("run", { action: "reset" }), { kind: "bare", icon: kIcons.stop, id: "reset", title: s.recording ? "Back to the beginning" : "End the run" , disabled: !show }),
      speed,
      this.timeText,
      s.recording ? this.timeline : el("span", { class: "grow" }, show ? (show.over ? "the run is over" : "") : `press play: ${number(people)} people${s.crowd.exits.length === 0 && !s.scenario ? " walk about" : ""}`),
      this.insideText,
    );
    this.updateTime();
  }

  updateTime(): void {
    const { app } = this;
    const s = app.state;
    if (!s) return;
    this.timeText.textContent = clock(app.people.time) + (s.recording && s.show ? ` / ${clock(s.show.duration)}` : "");
    this.insideText.textContent = s.show ? `${number(app.people.inside)} inside${app.crowd ? ` · ${number(app.crowd.left)} left` : ""}` : "";
    if (!this.seeking) this.timeline.value = `${app.people.time}`;
  }

  updateCrowd(): void {
    const { app } = this;
    this.updateTime();
    if (app.tab !== "crowd" || !this.chartBox.isConnected) return;
    const names = app.state?.show?.lines ?? [];
    const data = app.charts;
    const wanted = data.times.length > 1 ? 1 + (names.length > 0 ? 1 : 0) : 0;
    const now = app.state?.recording ? app.people.time : undefined;
    if (this.chartBox.childElementCount !== wanted) {
      this.chartBox.replaceChildren();
      const chart = (title: string, id: string, legend: [string, string][]): void => {
        this.chartBox.append(el("figure", {}, el("figcaption", {}, title, ...legend.map(([name, colour]) => el("span", { class: "legend" }, el("i", { style: `background:${colour}` }), name))), el("canvas", { class: "chart", id })));
      };
      if (wanted > 0) chart("People", "chart-people", [["inside", lineColour(0)], ["left", lineColour(2)]]);
      if (wanted > 1) chart("Flow over lines, persons per minute", "chart-flow", names.map((name, i) => [name, lineColour(i)]));
    }
    const people = document.getElementById("chart-people") as HTMLCanvasElement | null;
    if (people) drawChart(people, data.times, [{ name: "inside", values: data.inside, colour: lineColour(0) }, { name: "left", values: data.left, colour: lineColour(2) }], "time", now);
    const flow = document.getElementById("chart-flow") as HTMLCanvasElement | null;
    if (flow) drawChart(flow, data.times, data.crossed.map((_, i) => ({ name: names[i] ?? "", values: data.flow(i), colour: lineColour(i) })), "time", now);
  }

  updateProgress(): void {
    const { app } = this;
    const what = !app.connected ? "" : app.state?.busy ?? "";
    this.busy.classList.toggle("on", !!what);
    if (!what) return;
    const p = app.progress;
    const share = p ? Math.max(0, Math.min(1, p.fraction)) : 0;
    if (!this.busy.firstChild) {
      this.busy.append(el("span", { class: "what" }), el("progress", { max: "1", "aria-label": "Progress" }), button("Cancel", () => app.link.send("cancel"), { kind: "small", id: "cancel" }));
    }
    this.busy.querySelector(".what")!.textContent = `${what}${p?.stage ? `: ${p.stage}` : ""}`;
    const bar = this.busy.querySelector("progress")!;
    if (p) bar.value = share;
    else bar.removeAttribute("value");
  }

  updateStatistics(rate: number): void {
    const { app } = this;
    const d = app.people.drawn;
    const info = app.stage.renderer.info.render;
    const parts = [`${app.fps.toFixed(0)} fps`, `${number(info.triangles)} triangles`];
    if (app.people.count > 0) parts.push(`${number(d.figures)} figures`, `${number(d.impostors)} pictures`, `${number(d.points)} points`);
    if (rate > 2000) parts.push(`${(rate / 1e6).toFixed(1)} MB/s`);
    if (app.crowd && app.state?.playing) parts.push(`engine ${app.crowd.engineMs.toFixed(1)} ms + ${app.crowd.frameMs.toFixed(1)} ms`);
    this.statistics.textContent = parts.join(" · ");
  }

  // --- first screen

  private toggleHome(): void {
    this.homeOpen = !this.homeOpen;
    this.updateWelcome();
  }

  private updateWelcome(): void {
    const { app } = this;
    const lost = !app.connected && !!app.state;
    const empty = !app.state?.document && !app.state?.busy;
    const wanted = lost || empty || this.homeOpen;
    document.body.classList.toggle("home", wanted);
    if (!wanted) {
      this.welcome?.remove();
      this.welcome = undefined;
      return;
    }
    const card = el("div", { class: "welcome-card" });
    if (lost || !app.connected) {
      card.append(el("h1", {}, lost ? "The program has ended" : "Connecting…"), el("p", {}, lost ? "Start wend view again and open the address that it prints. This page joins again by itself if the address is the same." : "Waiting for wend view."));
    } else {
      card.append(
        el("h1", {}, "See where one can walk."),
        el("p", { class: "lead" }, "wend turns a building, a map or a 3D model into a navigation mesh, plans routes on it for any body, and fills it with people; here you look at all of that and change it by hand."),
        el("h2", {}, "Begin with a world"),
      );
      const grid = el("div", { class: "demos" });
      for (const demo of app.catalogue?.demos ?? []) {
        grid.append(
          el("button", { type: "button", class: "demo", id: `demo-${demo.name}`, onclick: () => { this.homeOpen = false; app.link.send("open", { demo: demo.name }); this.updateWelcome(); } }, picture(demo.name), el("b", {}, demo.title), el("span", {}, demo.sentence)),
        );
      }
      card.append(grid, el("p", { class: "hint" }, "Or give files on the command line: ", el("code", {}, "wend view level.glb station.toml run.sqlite"), " — scenes, environments, worlds, scenarios, recordings and folders of wend compare."));
      if (app.state?.document) card.append(button("Back to the world", () => this.toggleHome(), { kind: "primary", id: "back" }));
    }
    const next = el("div", { id: "welcome" }, card);
    if (this.welcome) this.welcome.replaceWith(next);
    else this.view.append(next);
    this.welcome = next;
  }

  // --- dialogs and messages

  closeDialogs(): void {
    this.dialog?.remove();
    this.dialog = undefined;
    if (this.homeOpen && this.app.state?.document) this.toggleHome();
  }

  private showDialog(title: string, ...children: (Node | string)[]): void {
    this.closeDialogs();
    const close = button("Close", () => this.closeDialogs(), { kind: "bare small", icon: kIcons.close });
    this.dialog = el("div", { class: "dialog-back", onclick: (e: Event) => e.target === this.dialog && this.closeDialogs() }, el("div", { class: "dialog", role: "dialog", "aria-modal": "true", "aria-label": title }, el("div", { class: "row" }, el("h1", {}, title), close), ...children));
    document.body.append(this.dialog);
    close.focus();
  }

  showSave(): void {
    const { app } = this;
    const name = (app.state?.document?.name ?? "wend").replace(/\.[^.]*$/, "");
    const save = (what: string) => (): void => {
      app.link.send("save", { as: what });
      this.closeDialogs();
    };
    const canvas = app.stage.renderer.domElement;
    const row = (text: string, what: HTMLElement): HTMLElement => el("div", { class: "save-row" }, what, el("span", {}, text));
    this.showDialog(
      "Save and export",
      row("The view as a picture", button("PNG", () => { app.stage.renderWhole(); savePicture(canvas, `${name}.png`); this.closeDialogs(); }, { id: "save-png" })),
      row("The mesh and the routes as a drawing", button("SVG", save("svg"), { id: "save-svg" })),
      row(app.animation.running ? "Ends the animation and saves it" : "An animation of the view, until you press it again", button(app.animation.running ? "Stop WebM" : "WebM", () => {
        if (app.animation.running) app.animation.stop();
        else if (Animation.possible) app.animation.start(canvas, `${name}.webm`);
        else this.toast("This browser cannot record WebM.", "error");
        this.closeDialogs();
      }, { id: "save-webm" })),
      row(app.gif.running ? "Ends the animation and saves it" : "The same as GIF, of at most ten seconds", button(app.gif.running ? "Stop GIF" : "GIF", () => {
        app.gif.onDone = (file) => { saveBytes(file, "image/gif", `${name}.gif`); this.toast(`${name}.gif is saved where your browser puts downloads.`); };
        if (app.gif.running) app.gif.stop();
        else app.gif.start(canvas);
        this.closeDialogs();
      }, { id: "save-gif" })),
      row("The environment, with what was put into it", button("ENV", save("env"), { id: "save-env" })),
      row("The world with its mesh, for wend path and wend simulate", button("WEND", save("wend"), { id: "save-wend" })),
      row("The scenario: sources, exits, lines, profile", button("TOML", save("toml"), { id: "save-toml" })),
      row("The recording of the crowd, for wend report and PedPy (ends the run)", button("SQLite", save("sqlite"), { id: "save-sqlite" })),
    );
  }

  showHelp(): void {
    const keys: [string, string][] = [
      ["drag, wheel", "turn and zoom; right button moves"],
      ["one finger, two fingers", "turn; zoom and move"],
      ["1 to 5", "Look, Mesh, Plan, Edit, Crowd"],
      ["space, .", "start or pause the crowd; one step"],
      ["F, T, G", "fit; from above; walk with W A S D, Esc ends it"],
      ["Plan", "click the start, then the goal; drag the pins"],
      ["Edit", "drag a rectangle; select and drag; R turns, Delete removes"],
      ["Ctrl-Z, Ctrl-Shift-Z", "undo, redo"],
      ["click a person", "its route, goal, and why it stands"],
    ];
    this.showDialog("Help", facts(keys), el("p", { class: "hint" }, `wend ${this.app.catalogue?.version ?? ""}. All windows with this address show the same world; each has its own camera.`));
  }

  toast(text: string, kind: "error" | "info" = "info"): void {
    const toast = el("div", { class: `toast ${kind}` }, text[0]?.toUpperCase() + text.slice(1), button("Close", () => toast.remove(), { kind: "bare small", icon: kIcons.close }));
    this.toasts.append(toast);
    while (this.toasts.childElementCount > 4) this.toasts.firstElementChild!.remove();
    setTimeout(() => toast.remove(), kind === "error" ? 12000 : 5000);
  }

  download(address: string, name: string): void {
    download(address, name);
    this.toast(`${name} is saved where your browser puts downloads.`);
  }

  static seconds = seconds;
}

// Small drawings of the demo worlds.
function picture(name: string): SVGSVGElement {
  const drawings: Record<string, string> = {
    station: '<path d="M8 40h84v14H8z" fill="var(--soft1)"/><path d="M18 22h64v10H18z" fill="var(--soft2)"/><path d="M30 32l-8 8M70 32l8 8" stroke="var(--accent)" stroke-width="3"/><path d="M50 27H34l-8 13v8H12" fill="none" stroke="var(--warm)" stroke-width="2.500"/>',
    city: '<path d="M8 10h84v46H8z" fill="var(--soft1)"/><path d="M14 15h18v14H14zM38 15h22v10H38zM66 15h20v18H66zM14 36h24v14H14zM44 32h16v18H44zM66 40h20v10H66z" fill="var(--solid)"/><path d="M11 53l24-20 6-5 22 2 3-17" fill="none" stroke="var(--warm)" stroke-width="2.500"/>',
    house: '<path d="M18 56V30l32-20 32 20v26z" fill="var(--soft1)"/><path d="M18 56V30l32-20 32 20v26M18 42h64M50 42v14" fill="none" stroke="var(--solid)" stroke-width="3"/><path d="M26 54h16M56 54h20M30 40h38" stroke="var(--accent)" stroke-width="3"/>',
    maze: '<path d="M20 8h60v50H20z" fill="var(--soft1)"/><path d="M20 58V8h60v50M32 58V20h12v26h12V8M68 58V20M80 32H68" fill="none" stroke="var(--solid)" stroke-width="3"/><path d="M26 54V14h24v38h12V14h12v8" fill="none" stroke="var(--warm)" stroke-width="2.500"/>',
    empty: '<path d="M14 12h72v42H14z" fill="var(--soft1)" stroke="var(--solid)" stroke-width="3"/><path d="M58 30l14-14 5 5-14 14-7 2z" fill="var(--warm)"/>',
  };
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 64");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = drawings[name] ?? "";
  return svg;
}
