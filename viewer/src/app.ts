// The page as a whole: what the program says goes to the views, what the user does goes to the program.
import * as THREE from "three";
import { ChartData } from "./charts";
import { CompareView } from "./compare_view";
import { Animation } from "./export";
import { GifRecorder } from "./gif";
import { Link } from "./link";
import type { Catalogue, CrowdStatus, Message, Person, Place, Plan, Point, Probe, State } from "./messages";
import { Overlay } from "./overlay";
import { People, type PeopleColour } from "./people";
import { SceneView, type SceneOptions } from "./scene_view";
import { Stage } from "./stage";
import type { RampName, Theme } from "./themes";
import { Tools, type ToolName } from "./tools";
import { Frame } from "./frame";
import { WorldView, type WorldOptions } from "./world_view";

export type TabName = "look" | "mesh" | "plan" | "edit" | "crowd";

export class App {
  readonly link = new Link();
  readonly stage: Stage;
  readonly overlay = new Overlay();
  readonly people: People;
  readonly frame: Frame;
  readonly tools: Tools;
  readonly charts = new ChartData();
  readonly animation = new Animation();
  readonly gif = new GifRecorder();
  catalogue?: Catalogue;
  state?: State;
  world?: WorldView;
  scene?: SceneView;
  compare?: CompareView;
  plan?: Plan;
  probe?: Probe;
  person?: Person;
  crowd?: CrowdStatus;
  progress?: { stage: string; fraction: number };
  connected = false;
  tab: TabName = "look";

  options: WorldOptions = {
    floor: "cells",
    showFloor: true,
    showPortals: true,
    showWalls: true,
    showAxis: false,
    showBends: false,
    showDisks: false,
    showMarks: true,
    wallHeight: 0.7,
    explode: 0,
    radius: 0,
    hidden: new Set(),
  };
  sceneOptions: SceneOptions = { colour: "kinds", opacity: 0.35, defects: false, ceiling: 1e6, free: false, beside: false };
  colour: PeopleColour = "speed";
  ramp: RampName = "viridis";
  service = false;
  theme: Theme;
  planner = {
    from: undefined as Place | undefined,
    to: undefined as Place | undefined,
    radius: 0.3,
    clearance: 0,
    side: undefined as number | undefined,
    methods: ["best"] as string[],
    portals: true,
    arcs: true,
    reach: false,
    sight: false,
    inspect: false,
  };
  draftPlan = { rooms: [] as Point[][], walls: [] as Point[][] };
  record = false;
  private shownVersion = -1;
  private shownKey = "";
  private lastDocument = "";
  private unseen = true; // the document was opened and not yet fitted into the view
  private bytes = 0;
  private rate = 0;
  private rateAt = 0;
  private frames = 0;
  fps = 0;

  constructor(host: HTMLElement) {
    const saved = localStorage.getItem("theme");
    this.theme = saved === "light" || saved === "dark" ? saved : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    this.frame = new Frame(this, host);
    this.stage = new Stage(this.frame.view);
    this.stage.renderer.localClippingEnabled = true;
    this.people = new People(this.stage.renderer, this.stage.bySoftware);
    this.stage.scene.add(this.overlay.root, this.people.root);
    this.tools = new Tools(this);
    this.stage.pick = (ray) => this.world?.pick(ray);
    this.stage.onFrame = (_, now) => this.tick(now);
    this.setTheme(this.theme);
    const narrow = matchMedia("(max-width: 760px)");
    if (narrow.matches) this.frame.setPanel(false);
    this.link.onOpen = () => {
      this.connected = true;
      this.shownVersion = -1;
      this.frame.update();
    };
    this.link.onLost = () => {
      this.connected = false;
      this.frame.update();
    };
    this.link.onMessage = (message) => this.take(message);
    this.link.onBinary = (data) => this.takeBinary(data);
    this.link.open();
    this.frame.update();
  }

  // --- from the program

  private take(message: Message): void {
    switch (message.kind) {
      case "catalogue":
        this.catalogue = message;
        break;
      case "state":
        this.takeState(message);
        break;
      case "progress":
        this.progress = message;
        this.frame.updateProgress();
        return;
      case "error":
        this.frame.toast(message.message, "error");
        return;
      case "plan":
        this.plan = message.routes.length > 0 ? message : undefined;
        if (message.from) this.planner.from = message.from;
        if (message.to) this.planner.to = message.to;
        this.showPlan();
        break;
      case "probe":
        this.probe = message;
        this.overlay.showProbe(message);
        this.frame.updateCards();
        this.stage.wake();
        return;
      case "crowd":
        this.crowd = message;
        this.charts.add(message, !this.state?.recording);
        this.frame.updateCrowd();
        return;
      case "charts":
        this.charts.take(message);
        this.frame.updateCrowd();
        return;
      case "person":
        this.person = message.slot === null ? undefined : message;
        this.people.select(message.slot);
        this.overlay.showPerson(this.person);
        this.frame.updateCards();
        this.stage.wake();
        return;
      case "download":
        this.frame.download(message.address, message.name);
        return;
    }
    this.frame.update();
  }

  private takeState(state: State): void {
    const before = this.state;
    this.state = state;
    if (!state.busy) this.progress = undefined;
    this.overlay.origin = state.origin;
    const document = `${state.document?.name}|${state.document?.kind}`;
    const opened = document !== this.lastDocument;
    if (opened) {
      this.unseen = true;
      this.lastDocument = document;
      this.plan = undefined;
      this.planner.from = this.planner.to = undefined;
      this.person = undefined;
      this.probe = undefined;
      this.options.hidden = new Set();
      this.options.explode = 0;
      this.sceneOptions.ceiling = 1e6;
      this.overlay.showPerson(undefined);
      this.overlay.showProbe(undefined);
      this.tools.reset();
      this.draftPlan = { rooms: [], walls: [] };
    }
    if (state.run !== before?.run) this.crowd = undefined;
    if (state.busy) return;
    if (!state.world && !state.scene && !state.comparison) {
      this.dropViews();
      this.shownVersion = -1;
      return;
    }
    const key = `${state.version}|${document}|${state.comparison?.world}`;
    if (state.version !== this.shownVersion || key !== this.shownKey) void this.load(state);
    else this.showState();
  }

  private async load(state: State): Promise<void> {
    const version = state.version;
    this.shownVersion = version;
    this.shownKey = `${version}|${state.document?.name}|${state.document?.kind}|${state.comparison?.world}`;
    if (state.comparison) {
      const blobs = await Promise.all(state.comparison.meshes.map((mesh, i) => (mesh.shown ? this.link.fetch(`compared.${version}.${i}`) : Promise.resolve(undefined))));
      if (this.state?.version !== version) return;
      this.dropViews();
      this.compare = new CompareView(this, state, blobs);
      this.stage.draw = (renderer) => this.compare!.draw(renderer);
      if (this.unseen) this.stage.fit(this.compare.box);
      this.unseen = false;
      this.frame.update();
      this.stage.wake(10);
      return;
    }
    const [mesh, axis, marks, scene] = await Promise.all([
      this.link.fetch(`mesh.${version}`),
      this.link.fetch(`axis.${version}`),
      this.link.fetch(`marks.${version}`),
      state.scene ? this.link.fetch(`scene.${version}`) : Promise.resolve(undefined),
    ]);
    // The program went on meanwhile: its next state brings what is there now.
    if (this.state?.version !== version) return;
    const hidden = this.options.hidden;
    this.dropViews();
    if (mesh && state.world) {
      this.world = new WorldView(mesh, state.world.layers, this.theme, this.options, axis, marks);
      this.world.setOrigin(state.origin);
      this.stage.scene.add(this.world.root);
      this.options.hidden = hidden;
    }
    if (scene) {
      this.scene = new SceneView(scene);
      this.stage.scene.add(this.scene.root);
    }
    this.showState();
    if (this.unseen) this.stage.fit(this.box());
    this.unseen = false;
    this.frame.update();
  }

  private dropViews(): void {
    this.world?.dispose();
    this.world = undefined;
    this.scene?.dispose();
    this.scene = undefined;
    this.compare?.dispose();
    this.compare = undefined;
    this.stage.draw = undefined;
    this.showBeside();
  }

  box(): THREE.Box3 {
    const box = new THREE.Box3();
    if (this.compare) box.union(this.compare.box);
    if (this.world && !this.world.box.isEmpty()) box.union(this.world.box);
    else if (this.scene) box.union(this.scene.box);
    if (this.options.explode > 0 && this.world) box.max.z += this.options.explode * Math.max(...this.world.layers.map((l) => l.rank));
    return box;
  }

  // Everything that is drawn from the state and the user's choices.
  showState(): void {
    const state = this.state;
    if (!state) return;
    const layers = state.world?.layers ?? [];
    const index = new Map(layers.map((layer, i) => [layer.id, i]));
    this.overlay.theme = this.theme;
    this.overlay.heightOf = (id) => layers[index.get(id) ?? 0]?.height ?? 0;
    this.overlay.liftOf = (id) => this.world?.offset(index.get(id) ?? 0) ?? 0;
    this.overlay.liftAt = (_x, _y, z) => {
      if (!this.options.explode || layers.length === 0) return 0;
      let best = 0;
      for (let i = 1; i < layers.length; ++i) if (Math.abs(layers[i].height - z) < Math.abs(layers[best].height - z)) best = i;
      return this.world?.offset(best) ?? 0;
    };
    this.world?.apply(this.options, this.theme);
    this.compare?.apply();
    this.scene?.apply(this.sceneOptions, this.theme);
    this.showBeside();
    this.people.setLayers((i) => this.world?.offset(i) ?? 0, (i) => this.options.hidden.has(i), layers.length);
    this.people.setColour(this.colour);
    this.people.setRamp(this.ramp);
    this.overlay.showItems(state.items, this.tools.selected);
    this.overlay.showCrowd(state);
    if (!state.map) this.world?.setMap(undefined, this.people.rampTexture, { limits: [], colours: [], on: false });
    this.showPlan();
    this.overlay.setSize(this.stage.renderer.domElement.clientWidth, this.stage.renderer.domElement.clientHeight);
    this.stage.wake(5);
  }

  // The scene on the left and everything else on the right, or one in the other.
  private showBeside(): void {
    const { scene, world, overlay, people, stage } = this;
    if (scene && world && this.sceneOptions.beside) {
      stage.setBeside((left) => {
        scene.root.visible = left;
        world.root.visible = overlay.root.visible = people.root.visible = !left;
      });
      return;
    }
    stage.setBeside(undefined);
    overlay.root.visible = people.root.visible = true;
    if (scene) scene.root.visible = true;
    if (world) world.root.visible = true;
  }

  showPlan(): void {
    this.overlay.showPlan(this.plan, this.planner, this.planner.radius, this.planner);
    this.overlay.setSize(this.stage.renderer.domElement.clientWidth, this.stage.renderer.domElement.clientHeight);
    this.stage.wake();
  }

  private takeBinary(data: ArrayBuffer): void {
    const kind = new DataView(data).getUint32(0, true);
    if (kind === 1) {
      this.people.takeFrame(data, this.state?.origin ?? [0, 0, 0]);
      this.frame.updateTime();
      this.stage.wake();
    } else if (kind === 2) {
      this.people.takePeople(data);
    } else if (kind === 3 && this.catalogue) {
      this.world?.setMap(data, this.people.rampTexture, { limits: this.catalogue.serviceLimits, colours: this.catalogue.serviceColours, on: this.service });
      this.stage.wake();
    } else if (kind === 4) {
      const view = new DataView(data);
      const n = view.getUint32(4, true);
      this.world?.setReach(n > 0 && view.getUint32(8, true) === this.state?.version ? new Uint8Array(data, 16, n) : undefined);
      this.stage.wake();
    }
  }

  // --- from the user

  setTheme(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
    this.stage.setTheme(theme);
    this.showState();
    this.frame.update();
  }

  setTab(tab: TabName): void {
    this.tab = tab;
    const tool: Record<TabName, ToolName> = { look: "look", mesh: "look", plan: "plan", edit: "look", crowd: "look" };
    if (tab !== "edit" && tab !== "crowd") this.tools.use(tool[tab]);
    if (tab === "edit" && !this.tools.isEditing) this.tools.use("select");
    if (tab === "crowd" && !this.tools.isCrowd) this.tools.use("look");
    this.frame.setPanel(true);
    this.frame.update();
  }

  sendPlan(): void {
    const p = this.planner;
    this.options.radius = p.radius;
    if (p.from && p.to) {
      this.link.send("plan", { from: p.from, to: p.to, radius: p.radius, clearance: p.clearance, side: p.side, methods: p.methods.map((name) => ({ name })) });
    }
    this.sendReach();
    this.showPlan();
  }
  sendReach(): void {
    const p = this.planner;
    this.link.send("reach", p.reach && p.from ? { from: p.from, radius: p.radius } : {});
  }
  forgetPlan(): void {
    this.planner.from = this.planner.to = undefined;
    this.plan = undefined;
    this.link.send("forget-plan");
    this.link.send("reach", {});
    this.showPlan();
    this.frame.update();
  }
  sendCrowd(change: (crowd: State["crowd"]) => void): void {
    if (!this.state) return;
    const crowd = structuredClone(this.state.crowd);
    change(crowd);
    this.link.send("crowd", crowd);
  }
  togglePlay(): void {
    if (!this.state) return;
    if (this.state.playing) this.link.send("run", { action: "pause" });
    else this.link.send("run", { action: "start", record: this.record });
  }

  // --- each frame

  private tick(now: number): void {
    const playing = this.state?.playing ?? false;
    const height = this.stage.renderer.domElement.clientHeight * this.stage.renderer.getPixelRatio();
    const moves = !this.compare && this.people.update(this.stage.camera, height, playing);
    this.stage.setAnimated(moves || this.animation.running || this.gif.running);
    this.overlay.showNeighbours(this.person ? this.people.placesOf([this.person.slot!, ...this.person.neighbours]) : []);
    this.overlay.scalePins(this.stage.camera);
    ++this.frames;
    if (now - this.rateAt > 500) {
      const passed = (now - this.rateAt) / 1000;
      this.rate = (this.link.received - this.bytes) / passed;
      this.fps = this.frames / passed;
      this.bytes = this.link.received;
      this.rateAt = now;
      this.frames = 0;
      this.frame.updateStatistics(this.rate);
    }
  }
}
