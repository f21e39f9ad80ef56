// What the pointer does: look, plan, draw obstacles and doors, place sources, exits and lines.
import * as THREE from "three";
import type { App } from "./app";
import type { Item, Place, Point } from "./messages";
import { kColours } from "./themes";

export type ToolName = "look" | "plan" | "select" | "obstacle" | "door" | "source" | "exit" | "line" | "room" | "wall";

const kEditing = ["select", "obstacle", "door", "room", "wall"];
const kCrowd = ["source", "exit", "line"];
const kClick = 6; // pixels; a shorter drag is a click

interface Press {
  x: number;
  y: number;
  place?: Place;
  layer: number; // id
  z: number; // in the scene
  item?: Item;
  pin?: "from" | "to";
  moved: boolean;
}

export class Tools {
  tool: ToolName = "look";
  selected?: string;
  private press?: Press;
  private hover = 0;
  private pointers = new Set<number>();

  constructor(private app: App) {
    const canvas = app.stage.renderer.domElement;
    canvas.addEventListener("pointerdown", (e) => this.down(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", (e) => this.cancel(e));
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    addEventListener("keydown", (e) => this.key(e));
  }

  get isEditing(): boolean {
    return kEditing.includes(this.tool);
  }
  get isCrowd(): boolean {
    return kCrowd.includes(this.tool);
  }
  get isDrawing(): boolean {
    return this.tool !== "look" && this.tool !== "plan" && this.tool !== "select";
  }

  use(tool: ToolName): void {
    this.tool = tool;
    if (tool !== "select") this.select(undefined);
    const controls = this.app.stage.controls;
    // The left button and one finger draw; the right button and two fingers turn the view.
    controls.mouseButtons.LEFT = this.isDrawing ? (null as unknown as THREE.MOUSE) : THREE.MOUSE.ROTATE;
    controls.mouseButtons.RIGHT = this.isDrawing ? THREE.MOUSE.ROTATE : THREE.MOUSE.PAN;
    controls.touches.ONE = this.isDrawing ? (null as unknown as THREE.TOUCH) : THREE.TOUCH.ROTATE;
    this.app.stage.renderer.domElement.style.cursor = this.isDrawing || tool === "plan" ? "crosshair" : "";
    this.app.overlay.showDraft(undefined, 0, "", false);
    this.app.frame.update();
  }

  reset(): void {
    this.selected = undefined;
    this.press = undefined;
  }

  select(id?: string): void {
    if (this.selected === id) return;
    this.selected = id;
    if (this.app.state) this.app.overlay.showItems(this.app.state.items, id);
    this.app.stage.wake();
    this.app.frame.update();
  }

  private placeAt(e: PointerEvent): { place: Place; layer: number; z: number } | undefined {
    const { stage, state, world } = this.app;
    const hit = stage.at(e.clientX, e.clientY);
    const origin = state?.origin ?? [0, 0, 0];
    if (hit && world && state?.world) {
      const z = hit.point.z - world.offset(hit.layer) + origin[2];
      return { place: [hit.point.x + origin[0], hit.point.y + origin[1], z], layer: state.world.layers[hit.layer].id, z: hit.point.z };
    }
    // Beside the floor: the level of the lowest layer.
    const level = state?.world?.layers[0]?.height ?? 0;
    const p = stage.onPlane(e.clientX, e.clientY, level - origin[2]);
    if (!p) return undefined;
    return { place: [p.x + origin[0], p.y + origin[1], level], layer: state?.world?.layers[0]?.id ?? 0, z: p.z };
  }

  private itemAt(e: PointerEvent): Item | undefined {
    const { stage, overlay } = this.app;
    const ray = new THREE.Raycaster();
    const box = stage.renderer.domElement.getBoundingClientRect();
    ray.setFromCamera(new THREE.Vector2(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2), stage.camera);
    return ray.intersectObjects(overlay.items, false)[0]?.object.userData.item;
  }

  private pinAt(e: PointerEvent): "from" | "to" | undefined {
    const { planner, overlay, state, stage } = this.app;
    for (const name of ["from", "to"] as const) {
      const p = planner[name];
      if (!p || !state) continue;
      const z = (p[2] ?? 0) - state.origin[2] + overlay.liftAt(p[0], p[1], p[2] ?? 0);
      const at = stage.toScreen(new THREE.Vector3(p[0] - state.origin[0], p[1] - state.origin[1], z));
      if (Math.hypot(at.x - e.clientX, at.y - e.clientY) < 16) return name;
    }
    return undefined;
  }

  private down(e: PointerEvent): void {
    this.pointers.add(e.pointerId);
    if (e.button !== 0 || this.app.stage.walking || this.pointers.size > 1) {
      this.press = undefined;
      this.app.overlay.showDraft(undefined, 0, "", false);
      return;
    }
    const at = this.placeAt(e);
    this.press = { x: e.clientX, y: e.clientY, place: at?.place, layer: at?.layer ?? 0, z: at?.z ?? 0, moved: false };
    if (this.tool === "select") {
      this.press.item = this.itemAt(e);
      if (this.press.item) this.app.stage.controls.enabled = false;
    }
    if (this.tool === "plan") {
      this.press.pin = this.pinAt(e);
      if (this.press.pin) this.app.stage.controls.enabled = false;
    }
    if (this.isDrawing || this.press.item || this.press.pin) this.app.stage.renderer.domElement.setPointerCapture(e.pointerId);
  }

  private rectangle(a: Place, b: Place): Point[] {
    const [x0, x1] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
    const [y0, y1] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
  }

  private move(e: PointerEvent): void {
    const press = this.press;
    if (!press) return this.look(e);
    if (!press.moved && Math.hypot(e.clientX - press.x, e.clientY - press.y) < kClick) return;
    press.moved = true;
    const { stage, overlay, theme, app } = { stage: this.app.stage, overlay: this.app.overlay, theme: this.app.theme, app: this.app };
    const p = stage.onPlane(e.clientX, e.clientY, press.z);
    if (!p || !press.place || !app.state) return;
    const here: Place = [p.x + app.state.origin[0], p.y + app.state.origin[1], press.place[2] ?? 0];
    const c = kColours[theme];
    const z = press.z + app.state.origin[2];
    if (this.tool === "obstacle" || this.tool === "wall") overlay.showDraft(this.rectangle(press.place, here), z, c.obstacle, true);
    if (this.tool === "room" || this.tool === "source") overlay.showDraft(this.rectangle(press.place, here), z, c.source, true);
    if (this.tool === "exit") overlay.showDraft(this.rectangle(press.place, here), z, c.exit, true);
    if (this.tool === "door" || this.tool === "line") {
      overlay.showDraft([[press.place[0], press.place[1]], [here[0], here[1]]], z, this.tool === "door" ? c.door : c.line, false);
    }
    if (press.item) {
      const [dx, dy] = [here[0] - press.place[0], here[1] - press.place[1]];
      overlay.showDraft(press.item.points.map(([x, y]) => [x + dx, y + dy]), z, c.sight, !press.item.door);
    }
    if (press.pin) {
      const at = this.placeAt(e);
      if (at) {
        app.planner[press.pin] = at.place;
        app.sendPlan();
      }
    }
    stage.wake();
  }

  private up(e: PointerEvent): void {
    this.pointers.delete(e.pointerId);
    const press = this.press;
    this.press = undefined;
    this.app.stage.controls.enabled = !this.app.stage.walking;
    this.app.overlay.showDraft(undefined, 0, "", false);
    if (!press || e.button !== 0) return;
    if (!press.moved) return this.click(e, press);
    const { stage, state, link } = this.app;
    const p = stage.onPlane(e.clientX, e.clientY, press.z);
    if (!p || !press.place || !state) return;
    const here: Place = [p.x + state.origin[0], p.y + state.origin[1], press.place[2] ?? 0];
    const by: Point = [here[0] - press.place[0], here[1] - press.place[1]];
    const box = this.rectangle(press.place, here);
    const line: Point[] = [[press.place[0], press.place[1]], [here[0], here[1]]];
    const count = (list: { id: string }[], word: string): string => {
      let i = list.length + 1;
      while (list.some((one) => one.id === `${word} ${i}`)) ++i;
      return `${word} ${i}`;
    };
    switch (this.tool) {
      case "obstacle":
        link.send("edit", { edit: "obstacle", layer: press.layer, points: box });
        break;
      case "door":
        link.send("edit", { edit: "door", layer: press.layer, points: line, open: false });
        break;
      case "select":
        if (press.item) link.send("edit", { edit: "move", id: press.item.id, by });
        break;
      case "source":
        this.app.sendCrowd((crowd) => crowd.sources.push({ id: count(crowd.sources, "source"), layer: press.layer, area: box, count: this.app.frame.sourceCount, rate: this.app.frame.sourceRate }));
        break;
      case "exit":
        this.app.sendCrowd((crowd) => {
          crowd.exits.push({ id: count(crowd.exits, "exit"), layer: press.layer, area: box });
          crowd.roam = false;
        });
        break;
      case "line":
        this.app.sendCrowd((crowd) => crowd.lines.push({ id: count(crowd.lines, "line"), layer: press.layer, from: line[0], to: line[1] }));
        break;
      case "room":
      case "wall":
        (this.tool === "room" ? this.app.draftPlan.rooms : this.app.draftPlan.walls).push(box);
        this.app.overlay.showPlanDraft(this.app.draftPlan.rooms, this.app.draftPlan.walls);
        this.app.frame.update();
        break;
      default:
        break;
    }
    stage.wake();
  }

  private click(e: PointerEvent, press: Press): void {
    const { app } = this;
    if (this.tool === "plan" && press.place) {
      const p = app.planner;
      if (!p.from || (p.from && p.to)) {
        p.from = press.place;
        p.to = undefined;
        app.plan = undefined;
        app.link.send("forget-plan");
        app.sendReach();
      } else {
        p.to = press.place;
      }
      app.sendPlan();
      app.frame.update();
    } else if (this.tool === "select") {
      this.select(press.item?.id);
    } else if (this.tool === "look" && app.state) {
      const slot = app.people.nearest((p) => app.stage.toScreen(p), e.clientX, e.clientY, 16);
      app.link.send("person", slot === undefined ? {} : { slot });
    }
  }

  private look(e: PointerEvent): void {
    const { app } = this;
    if (e.buttons !== 0 || !app.state?.world || !(app.planner.inspect || (app.tab === "plan" && app.planner.sight))) return;
    const now = performance.now();
    if (now - this.hover < 60) return;
    this.hover = now;
    const hit = app.stage.at(e.clientX, e.clientY);
    if (!hit || !app.world) {
      if (app.probe) {
        app.probe = undefined;
        app.overlay.showProbe(undefined);
        app.frame.updateCards();
        app.stage.wake();
      }
      return;
    }
    const o = app.state.origin;
    app.link.send("probe", { at: [hit.point.x + o[0], hit.point.y + o[1], hit.point.z - app.world.offset(hit.layer) + o[2]], sight: app.planner.sight, range: 0 });
  }

  private cancel(e: PointerEvent): void {
    this.pointers.delete(e.pointerId);
    this.press = undefined;
    this.app.stage.controls.enabled = !this.app.stage.walking;
    this.app.overlay.showDraft(undefined, 0, "", false);
  }

  remove(): void {
    if (this.selected) this.app.link.send("edit", { edit: "remove", id: this.selected });
    this.select(undefined);
  }
  turn(degrees: number): void {
    if (this.selected) this.app.link.send("edit", { edit: "move", id: this.selected, by: [0, 0], turn: degrees });
  }
  nudge(x: number, y: number): void {
    if (this.selected) this.app.link.send("edit", { edit: "move", id: this.selected, by: [x, y] });
  }

  private key(e: KeyboardEvent): void {
    const target = e.target as HTMLElement | null;
    if (target && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const { app } = this;
    const key = e.key.toLowerCase();
    if ((e.ctrlKey || e.metaKey) && key === "z") {
      app.link.send("edit", { edit: e.shiftKey ? "redo" : "undo" });
      e.preventDefault();
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (key === "escape") {
      if (app.stage.walking) app.stage.setWalking(false);
      this.select(undefined);
      app.frame.closeDialogs();
      app.link.send("person", {});
      app.frame.update();
      return;
    }
    if (app.stage.walking) return;
    const tabs = ["look", "mesh", "plan", "edit", "crowd"] as const;
    if (/^[1-5]$/.test(key)) app.setTab(tabs[Number(key) - 1]);
    else if (key === " " && target?.tagName !== "BUTTON") app.togglePlay();
    else if (key === ".") app.link.send("run", { action: "step" });
    else if (key === "f") app.stage.fit(app.box());
    else if (key === "t") app.stage.setFlat(!app.stage.flat, app.box());
    else if (key === "g") app.stage.setWalking(true);
    else if (key === "?") app.frame.showHelp();
    else if (this.selected && key === "delete") this.remove();
    else if (this.selected && key === "backspace") this.remove();
    else if (this.selected && key === "r") this.turn(e.shiftKey ? -15 : 15);
    else if (this.selected && key === "arrowleft") this.nudge(-0.25, 0);
    else if (this.selected && key === "arrowright") this.nudge(0.25, 0);
    else if (this.selected && key === "arrowup") this.nudge(0, 0.25);
    else if (this.selected && key === "arrowdown") this.nudge(0, -0.25);
    else return;
    e.preventDefault();
    app.frame.update();
  }
}
