// What is drawn on top of a world: routes, the place under the mouse, obstacles and doors put in by hand, the crowd's
// sources, exits and lines, and shapes that are being drawn.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Item, Person, Plan, Point, Probe, State } from "./messages";
import { kColours, type Theme } from "./themes";

export class Overlay {
  readonly root = new THREE.Group();
  theme: Theme = "light";
  origin: [number, number, number] = [0, 0, 0];
  // The height of a layer (by id) and how far it is lifted; set by the world.
  liftOf: (layerId: number) => number = () => 0;
  heightOf: (layerId: number) => number = () => 0;
  // How far the layers at this height are lifted.
  liftAt: (x: number, y: number, z: number) => number = () => 0;
  private groups = new Map<string, THREE.Group>();
  private resolution = new THREE.Vector2(1, 1);
  items: THREE.Mesh[] = []; // that can be picked
  private neighbours = new THREE.LineSegments(
    new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(16 * 6), 3)),
    new THREE.LineBasicMaterial({ depthTest: false, transparent: true }),
  );

  constructor() {
    this.neighbours.frustumCulled = false;
    this.neighbours.visible = false;
    this.neighbours.renderOrder = 14;
    this.root.add(this.neighbours);
  }

  setSize(width: number, height: number): void {
    this.resolution.set(width, height);
    this.root.traverse((o) => {
      const material = (o as Line2).material as LineMaterial | undefined;
      if (material?.isLineMaterial) material.resolution.copy(this.resolution);
    });
  }

  private group(name: string): THREE.Group {
    this.clear(name);
    const group = new THREE.Group();
    this.groups.set(name, group);
    this.root.add(group);
    return group;
  }
  clear(name: string): void {
    const group = this.groups.get(name);
    if (!group) return;
    group.traverse((object) => {
      const mesh = object as THREE.Mesh;
      mesh.geometry?.dispose();
      (mesh.material as THREE.Material | undefined)?.dispose?.();
    });
    group.removeFromParent();
    this.groups.delete(name);
  }

  private line(positions: number[], colour: string, width: number, options: { top?: boolean; opacity?: number } = {}): Line2 {
    const geometry = new LineGeometry();
    geometry.setPositions(positions);
    const material = new LineMaterial({ color: new THREE.Color(colour).getHex(), linewidth: width, transparent: true, opacity: options.opacity ?? 1, depthTest: !options.top });
    material.resolution.copy(this.resolution);
    const line = new Line2(geometry, material);
    line.renderOrder = options.top ? 15 : 5;
    line.frustumCulled = false;
    return line;
  }

  // x, y, z triples of the world as positions of the scene, a little above the floor.
  private path(flat: number[], up: number): number[] {
    const out: number[] = [];
    for (let i = 0; i + 2 < flat.length; i += 3) {
      out.push(flat[i] - this.origin[0], flat[i + 1] - this.origin[1], flat[i + 2] - this.origin[2] + up + this.liftAt(flat[i], flat[i + 1], flat[i + 2]));
    }
    return out;
  }

  private pin(place: number[], colour: string, radius: number): THREE.Group {
    const group = new THREE.Group();
    const [x, y, z] = this.path([place[0], place[1], place[2] ?? 0], 0);
    const stem = new THREE.Mesh(new THREE.CylinderGeometry(0.04, 0.04, 1.6, 8).rotateX(Math.PI / 2).translate(0, 0, 0.8), new THREE.MeshBasicMaterial({ color: colour }));
    const head = new THREE.Mesh(new THREE.SphereGeometry(0.22, 20, 14).translate(0, 0, 1.75), new THREE.MeshBasicMaterial({ color: colour }));
    const r = Math.max(radius, 0.12);
    const foot = new THREE.Mesh(new THREE.CircleGeometry(r, 40).translate(0, 0, 0.05), new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.35, depthWrite: false, side: THREE.DoubleSide }));
    group.add(stem, head, foot);
    group.position.set(x, y, z);
    group.userData.pin = true;
    return group;
  }

  // Pins keep their size on the screen within limits.
  scalePins(camera: THREE.PerspectiveCamera): void {
    this.root.traverse((object) => {
      if (!object.userData.pin) return;
      const s = Math.max(0.6, Math.min(30, camera.position.distanceTo(object.getWorldPosition(new THREE.Vector3())) / 28));
      object.children[0].scale.setScalar(s);
      object.children[1].scale.setScalar(s);
    });
  }

  showPlan(plan: Plan | undefined, ends: { from?: number[]; to?: number[] }, radius: number, options: { portals: boolean; arcs: boolean }): void {
    const c = kColours[this.theme];
    const group = this.group("plan");
    const from = plan?.from ?? ends.from;
    const to = plan?.to ?? ends.to;
    if (from) group.add(this.pin(from, c.start, radius));
    if (to) group.add(this.pin(to, c.goal, radius));
    if (!plan) return;
    plan.routes.forEach((route, i) => {
      if (!route.points || route.points.length < 6) return;
      const colour = c.route[i % c.route.length];
      group.add(this.line(this.path(route.points, 0.09 + 0.02 * i), colour, 4, { top: true, opacity: 0.95 }));
      if (options.portals && route.portals) {
        for (let k = 0; k + 4 < route.portals.length; k += 5) {
          const [lx, ly, rx, ry, z] = route.portals.slice(k, k + 5);
          group.add(this.line(this.path([lx, ly, z, rx, ry, z], 0.07), c.exit, 2.5, { opacity: 0.9 }));
        }
      }
      if (options.arcs && route.arcs) {
        for (let k = 0; k + 5 < route.arcs.length; k += 6) {
          const [x, y, z, r, begin, sweep] = route.arcs.slice(k, k + 6);
          const flat: number[] = [];
          for (let s = 0; s <= 24; ++s) flat.push(x + r * Math.cos(begin + (sweep * s) / 24), y + r * Math.sin(begin + (sweep * s) / 24), z);
          group.add(this.line(this.path(flat, 0.12), c.sight, 3, { top: true }));
        }
      }
    });
    if (plan.narrowest) {
      const { place, radius: r } = plan.narrowest;
      const ring: number[] = [];
      for (let s = 0; s <= 48; ++s) ring.push(place[0] + r * Math.cos((s * Math.PI) / 24), place[1] + r * Math.sin((s * Math.PI) / 24), place[2]);
      group.add(this.line(this.path(ring, 0.12), c.mark, 4, { top: true }));
      group.add(this.pin(place, c.mark, r));
    }
  }

  showProbe(probe: Probe | undefined): void {
    this.clear("probe");
    if (!probe?.on) return;
    const c = kColours[this.theme];
    const group = this.group("probe");
    if (probe.outline) group.add(this.line(this.path([...probe.outline, ...probe.outline.slice(0, 3)], 0.06), c.portal, 2.5, { top: true }));
    const at = [probe.at[0], probe.at[1], probe.height ?? 0];
    if (probe.obstacle) group.add(this.line(this.path([...at, ...probe.obstacle], 0.1), c.annotation, 2, { top: true }));
    if (probe.sight && probe.sight.length >= 9) {
      const points = this.path(probe.sight, 0.05);
      const [x, y, z] = this.path(at, 0.05);
      const triangles: number[] = [];
      for (let i = 0; i < points.length; i += 3) {
        const k = (i + 3) % points.length;
        triangles.push(x, y, z, points[i], points[i + 1], points[i + 2], points[k], points[k + 1], points[k + 2]);
      }
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.Float32BufferAttribute(triangles, 3));
      group.add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: c.sight, transparent: true, opacity: 0.3, side: THREE.DoubleSide, depthWrite: false })));
    }
  }

  showPerson(person: Person | undefined): void {
    this.clear("person");
    if (!person || person.slot === null) return;
    const c = kColours[this.theme];
    const group = this.group("person");
    if (person.route.length >= 6) group.add(this.line(this.path(person.route, 0.12), "#ff4018", 3.5, { top: true }));
    if (person.goal) group.add(this.pin(person.goal, c.goal, 0.4));
  }

  // Lines from a person (the first) to its neighbours. Called for each picture, so it makes nothing new.
  showNeighbours(places: THREE.Vector3[]): void {
    const lines = this.neighbours;
    lines.visible = places.length > 1;
    if (!lines.visible) return;
    const attribute = lines.geometry.getAttribute("position") as THREE.BufferAttribute;
    const count = Math.min(places.length - 1, attribute.count / 2);
    for (let i = 0; i < count; ++i) {
      attribute.setXYZ(2 * i, places[0].x, places[0].y, places[0].z + 0.9);
      attribute.setXYZ(2 * i + 1, places[i + 1].x, places[i + 1].y, places[i + 1].z + 0.9);
    }
    attribute.needsUpdate = true;
    lines.geometry.setDrawRange(0, 2 * count);
    lines.material.color.set(kColours[this.theme].sight);
  }

  private polygon(points: Point[], z: number, height: number, colour: string, opacity: number): THREE.Mesh {
    const shape = new THREE.Shape(points.map(([x, y]) => new THREE.Vector2(x - this.origin[0], y - this.origin[1])));
    const geometry = height > 0 ? new THREE.ExtrudeGeometry(shape, { depth: height, bevelEnabled: false }) : new THREE.ShapeGeometry(shape);
    const mesh = new THREE.Mesh(
      geometry,
      height > 0
        ? new THREE.MeshLambertMaterial({ color: colour, transparent: opacity < 1, opacity })
        : new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false }),
    );
    mesh.position.z = z - this.origin[2];
    mesh.renderOrder = height > 0 ? 2 : 3;
    return mesh;
  }

  private outline(points: Point[], z: number, colour: string, width = 2.5, closed = true): Line2 {
    const flat: number[] = [];
    for (const [x, y] of closed ? [...points, points[0]] : points) flat.push(x - this.origin[0], y - this.origin[1], z - this.origin[2]);
    return this.line(flat, colour, width);
  }

  showItems(items: Item[], selected?: string): void {
    const c = kColours[this.theme];
    const group = this.group("items");
    this.items = [];
    for (const item of items) {
      const z = this.heightOf(item.layer) + this.liftOf(item.layer);
      const chosen = item.id === selected;
      if (item.door) {
        const [a, b] = item.points;
        const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
        const n: Point = [(-(b[1] - a[1]) / length) * 0.09, ((b[0] - a[0]) / length) * 0.09];
        const wall: Point[] = [[a[0] - n[0], a[1] - n[1]], [b[0] - n[0], b[1] - n[1]], [b[0] + n[0], b[1] + n[1]], [a[0] + n[0], a[1] + n[1]]];
        const mesh = this.polygon(wall, z, item.open ? 0.08 : 2, c.door, item.open ? 0.5 : 0.9);
        mesh.userData.item = item;
        this.items.push(mesh);
        group.add(mesh, this.outline([a, b], z + 0.05, chosen ? c.sight : c.door, chosen ? 5 : 2, false));
      } else {
        const mesh = this.polygon(item.points, z, 1.1, chosen ? c.sight : c.obstacle, 0.95);
        mesh.userData.item = item;
        this.items.push(mesh);
        group.add(mesh, this.outline(item.points, z + 1.12, chosen ? c.goal : c.wallTop, 2));
      }
    }
  }

  showCrowd(state: State): void {
    const c = kColours[this.theme];
    const group = this.group("crowd");
    const area = (points: Point[], layer: number, colour: string): void => {
      if (points.length < 3) return;
      const z = this.heightOf(layer) + this.liftOf(layer) + 0.04;
      group.add(this.polygon(points, z, 0, colour, 0.28), this.outline(points, z + 0.02, colour));
    };
    for (const s of state.crowd.sources) area(s.area, s.layer, c.source);
    for (const e of state.crowd.exits) area(e.area, e.layer, c.exit);
    for (const s of state.scenario?.sources ?? []) for (const loop of s.loops) area(loop, s.layer, c.source);
    for (const e of state.scenario?.exits ?? []) for (const loop of e.loops) area(loop, e.layer, c.exit);
    for (const l of [...state.crowd.lines, ...(state.scenario?.lines ?? [])]) {
      group.add(this.outline([l.from, l.to], this.heightOf(l.layer) + this.liftOf(l.layer) + 0.1, c.line, 4, false));
    }
  }

  // A shape that is being drawn, in coordinates of the world.
  showDraft(points: Point[] | undefined, z: number, colour: string, closed: boolean): void {
    this.clear("draft");
    if (!points || points.length < 2) return;
    const group = this.group("draft");
    group.add(this.outline(points, z + 0.08, colour, 3, closed));
    if (closed && points.length > 2) group.add(this.polygon(points, z + 0.06, 0, colour, 0.25));
  }

  showPlanDraft(rooms: Point[][], walls: Point[][]): void {
    this.clear("planDraft");
    if (rooms.length + walls.length === 0) return;
    const c = kColours[this.theme];
    const group = this.group("planDraft");
    for (const room of rooms) group.add(this.polygon(room, 0.1, 0, c.source, 0.25), this.outline(room, 0.12, c.source));
    for (const wall of walls) group.add(this.polygon(wall, 0.12, 0.6, c.obstacle, 0.9));
  }
}
