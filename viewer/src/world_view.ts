// The mesh of a world: floors, walls, portals, the medial axis and marks, one group per layer so that layers can be moved
// apart and hidden.
import * as THREE from "three";
import type { Blob } from "./link";
import type { Layer } from "./messages";
import type { Hit } from "./stage";
import { kColours, softColour, type Theme } from "./themes";

export type FloorColour = "cells" | "components" | "layers" | "plain" | "height";

export interface WorldOptions {
  floor: FloorColour;
  showFloor: boolean;
  showPortals: boolean;
  showWalls: boolean;
  showAxis: boolean;
  showBends: boolean;
  showDisks: boolean;
  showMarks: boolean;
  wallHeight: number;
  explode: number;
  radius: number; // of the body that the axis is coloured for
  hidden: Set<number>;
}

interface LayerView {
  group: THREE.Group;
  floor?: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  cells: Uint32Array; // of each triangle
  walls?: THREE.Mesh;
  wallTops?: THREE.LineSegments;
  portals?: THREE.LineSegments;
  map?: THREE.Mesh;
  rank: number;
}

const segments = (positions: Float32Array, colour: string, opacity = 1): THREE.LineSegments => {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour, transparent: opacity < 1, opacity }));
};

export class WorldView {
  readonly root = new THREE.Group();
  readonly box = new THREE.Box3();
  layers: LayerView[] = [];
  private axisLines?: THREE.LineSegments;
  private axisClearance = new Float32Array();
  private axisLayer = new Uint8Array();
  private bends: THREE.Object3D[] = [];
  private disks?: THREE.InstancedMesh;
  private diskData = new Float32Array();
  private diskLayer = new Uint8Array();
  private connections?: THREE.LineSegments;
  private marks?: THREE.Points;
  markSentences: string[] = [];
  private markKinds: string[] = [];
  markPlaces = new Float32Array();
  private component = new Uint32Array();
  private colour = new Uint8Array();
  private reach?: Uint8Array;
  private mapTexture?: THREE.DataTexture;
  private mapUniforms = {
    map: { value: null as THREE.Texture | null },
    ramp: { value: null as THREE.Texture | null },
    frame: { value: new THREE.Vector4() }, // min x, min y, side, layers
    size: { value: new THREE.Vector2(1, 1) },
    limits: { value: new Float32Array(5) },
    levels: { value: Array.from({ length: 6 }, () => new THREE.Vector3()) },
    service: { value: 0 },
  };
  triangles = 0;

  constructor(
    mesh: Blob,
    private info: Layer[],
    private theme: Theme,
    private options: WorldOptions,
    axis?: Blob,
    marks?: Blob,
  ) {
    this.component = mesh.u32("cellComponent");
    this.colour = mesh.u8("cellColour");
    const floor = mesh.f32("floor");
    const floorCell = mesh.u32("floorCell");
    const begin = mesh.u32("floorBegin");
    const walls = mesh.f32("walls");
    const wallsBegin = mesh.u32("wallsBegin");
    const portals = mesh.f32("portals");
    const portalsBegin = mesh.u32("portalsBegin");
    this.triangles = floorCell.length;
    const order = info.map((_, i) => i).sort((a, b) => info[a].height - info[b].height || a - b);
    const heights = [...new Set(info.map((l) => Math.round(l.height * 4) / 4))].sort((a, b) => a - b);
    for (let i = 0; i < info.length; ++i) {
      const group = new THREE.Group();
      // Layers of the same height rise together.
      const rank = Math.max(0, heights.indexOf(Math.round(info[i].height * 4) / 4));
      const view: LayerView = { group, cells: floorCell.subarray(begin[i], begin[i + 1]), rank };
      const positions = floor.subarray(begin[i] * 9, begin[i + 1] * 9);
      if (positions.length > 0) {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
        geometry.setAttribute("color", new THREE.BufferAttribute(new Uint8Array(positions.length), 3, true));
        geometry.computeVertexNormals();
        geometry.computeBoundingSphere();
        geometry.computeBoundingBox();
        this.box.union(geometry.boundingBox!);
        view.floor = new THREE.Mesh(
          geometry,
          new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 }),
        );
        view.floor.userData.layer = i;
        group.add(view.floor);
      }
      const wall = walls.subarray(wallsBegin[i] * 6, wallsBegin[i + 1] * 6);
      if (wall.length > 0) this.addWalls(view, wall);
      const portal = portals.subarray(portalsBegin[i] * 6, portalsBegin[i + 1] * 6);
      if (portal.length > 0) {
        view.portals = segments(lifted(portal, 0.02), "#000", 0.75);
        group.add(view.portals);
      }
      this.layers.push(view);
      this.root.add(group);
    }
    void order;
    const connections = mesh.f32("connections");
    if (connections.length > 0) {
      this.connections = segments(lifted(connections, 0.04), "#000");
      this.root.add(this.connections);
    }
    if (axis) this.addAxis(axis);
    if (marks) this.addMarks(marks);
    this.apply(options, theme);
  }

  private addWalls(view: LayerView, lines: Float32Array): void {
    const n = lines.length / 6;
    const positions = new Float32Array(n * 18);
    for (let i = 0; i < n; ++i) {
      const [ax, ay, az, bx, by, bz] = lines.subarray(i * 6, i * 6 + 6);
      // z 1 stands for the top: the group's scale cannot be used, since floors have heights. See setWallHeight.
      positions.set([ax, ay, az, bx, by, bz, bx, by, bz, ax, ay, az, bx, by, bz, ax, ay, az], i * 18);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.userData.base = lines;
    view.walls = new THREE.Mesh(
      geometry,
      new THREE.MeshLambertMaterial({ side: THREE.DoubleSide, transparent: true, opacity: 0.45, depthWrite: false }),
    );
    view.wallTops = segments(new Float32Array(lines), "#000");
    view.group.add(view.walls, view.wallTops);
  }

  private setWallHeight(view: LayerView, height: number): void {
    if (!view.walls || !view.wallTops || view.walls.userData.height === height) return;
    view.walls.userData.height = height;
    const lines = view.walls.geometry.userData.base as Float32Array;
    const wall = view.walls.geometry.getAttribute("position") as THREE.BufferAttribute;
    const top = view.wallTops.geometry.getAttribute("position") as THREE.BufferAttribute;
    const w = wall.array as Float32Array;
    const t = top.array as Float32Array;
    for (let i = 0; i < lines.length / 6; ++i) {
      const az = lines[i * 6 + 2];
      const bz = lines[i * 6 + 5];
      w[i * 18 + 8] = bz + height;
      w[i * 18 + 11] = az;
      w[i * 18 + 14] = bz + height;
      w[i * 18 + 17] = az + height;
      t[i * 6 + 2] = az + height + 0.01;
      t[i * 6 + 5] = bz + height + 0.01;
    }
    wall.needsUpdate = true;
    top.needsUpdate = true;
    view.walls.geometry.computeVertexNormals();
    view.walls.geometry.computeBoundingSphere();
    view.wallTops.geometry.computeBoundingSphere();
  }

  private addAxis(blob: Blob): void {
    const lines = blob.f32("axis");
    if (lines.length === 0) return;
    this.axisClearance = blob.f32("axisClearance");
    this.axisLayer = blob.u8("axisLayer");
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(lifted(lines, 0.06), 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(new Uint8Array(lines.length), 3, true));
    geometry.userData.base = lines;
    this.axisLines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
    this.root.add(this.axisLines);
    const bends = blob.f32("bends");
    const layer = blob.u8("bendLayer");
    for (let i = 0; i < this.info.length; ++i) {
      const annotation: number[] = [];
      const points: number[] = [];
      for (let k = 0; k < layer.length; ++k) {
        if (layer[k] !== i) continue;
        const [px, py, pz, lx, ly, lz, rx, ry, rz] = bends.subarray(k * 9, k * 9 + 9);
        annotation.push(px, py, pz + 0.05, lx, ly, lz + 0.05, px, py, pz + 0.05, rx, ry, rz + 0.05);
        points.push(px, py, pz + 0.07);
      }
      if (points.length === 0) continue;
      const group = new THREE.Group();
      const lines3 = segments(new Float32Array(annotation), kColours[this.theme].annotation, 0.7);
      const geometry3 = new THREE.BufferGeometry();
      geometry3.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
      const dots = new THREE.Points(geometry3, new THREE.PointsMaterial({ color: kColours[this.theme].axis, size: 5, sizeAttenuation: false }));
      group.add(lines3, dots);
      group.userData.layer = i;
      this.bends.push(group);
      this.root.add(group);
    }
    this.diskData = blob.f32("disks");
    this.diskLayer = blob.u8("diskLayer");
    if (this.diskLayer.length > 0 && this.diskLayer.length < 200000) {
      this.disks = new THREE.InstancedMesh(
        new THREE.RingGeometry(0.97, 1, 48),
        new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.6, side: THREE.DoubleSide, depthWrite: false }),
        this.diskLayer.length,
      );
      this.disks.frustumCulled = false;
      this.root.add(this.disks);
    }
  }

  private addMarks(blob: Blob): void {
    this.markPlaces = blob.f32("places");
    this.markSentences = blob.meta.marks;
    this.markKinds = Array.from(blob.u8("kind"), (kind) => blob.meta.kinds[kind]);
    if (this.markPlaces.length === 0) return;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(lifted(this.markPlaces, 0.3), 3));
    this.marks = new THREE.Points(geometry, new THREE.PointsMaterial({ size: 12, sizeAttenuation: false, depthTest: false, transparent: true }));
    this.marks.renderOrder = 10;
    this.root.add(this.marks);
  }

  markPlace(i: number): THREE.Vector3 {
    return new THREE.Vector3(this.markPlaces[i * 3], this.markPlaces[i * 3 + 1], this.markPlaces[i * 3 + 2]);
  }
  markKind(i: number): string {
    return this.markKinds[i] ?? "";
  }

  offset(layer: number): number {
    return (this.layers[layer]?.rank ?? 0) * this.options.explode;
  }
  isHidden(layer: number): boolean {
    return this.options.hidden.has(layer);
  }

  setReach(reach?: Uint8Array): void {
    this.reach = reach && reach.length === this.colour.length ? reach : undefined;
    this.paint();
  }

  apply(options: WorldOptions, theme: Theme): void {
    this.options = options;
    this.theme = theme;
    const c = kColours[theme];
    this.layers.forEach((view, i) => {
      view.group.visible = !options.hidden.has(i);
      view.group.position.z = this.offset(i);
      if (view.floor) view.floor.visible = options.showFloor;
      if (view.portals) {
        view.portals.visible = options.showPortals;
        (view.portals.material as THREE.LineBasicMaterial).color.set(c.portal);
      }
      if (view.walls && view.wallTops) {
        this.setWallHeight(view, options.wallHeight);
        view.walls.visible = options.showWalls && options.wallHeight > 0;
        view.wallTops.visible = options.showWalls;
        (view.walls.material as THREE.MeshLambertMaterial).color.set(c.wall);
        (view.wallTops.material as THREE.LineBasicMaterial).color.set(c.wallTop);
      }
    });
    if (this.connections) {
      (this.connections.material as THREE.LineBasicMaterial).color.set(c.connection);
      this.connections.visible = options.showPortals && options.explode === 0;
    }
    if (this.axisLines) {
      this.axisLines.visible = options.showAxis;
      this.paintAxis();
    }
    for (const group of this.bends) {
      group.visible = options.showBends && !options.hidden.has(group.userData.layer);
      group.position.z = this.offset(group.userData.layer);
    }
    if (this.disks) {
      this.disks.visible = options.showDisks;
      (this.disks.material as THREE.MeshBasicMaterial).color.set(c.disk);
      const matrix = new THREE.Matrix4();
      for (let i = 0; i < this.diskLayer.length; ++i) {
        const [x, y, z, r] = this.diskData.subarray(i * 4, i * 4 + 4);
        const s = options.hidden.has(this.diskLayer[i]) ? 0 : r;
        matrix.makeScale(s, s, 1).setPosition(x, y, z + 0.05 + this.offset(this.diskLayer[i]));
        this.disks.setMatrixAt(i, matrix);
      }
      this.disks.instanceMatrix.needsUpdate = true;
    }
    if (this.marks) {
      this.marks.visible = options.showMarks;
      (this.marks.material as THREE.PointsMaterial).color.set(c.mark);
    }
    this.paint();
  }

  private paintAxis(): void {
    const lines = this.axisLines!;
    const base = lines.geometry.userData.base as Float32Array;
    const colours = lines.geometry.getAttribute("color") as THREE.BufferAttribute;
    const places = lines.geometry.getAttribute("position") as THREE.BufferAttribute;
    const bytes = colours.array as Uint8Array;
    const p = places.array as Float32Array;
    const open = new THREE.Color(kColours[this.theme].axis);
    const shut = new THREE.Color(kColours[this.theme].mark);
    for (let i = 0; i < this.axisClearance.length; ++i) {
      const c = this.axisClearance[i] < this.options.radius ? shut : open;
      for (const k of [0, 3]) bytes.set([c.r * 255, c.g * 255, c.b * 255], i * 6 + k);
      const layer = this.axisLayer[i];
      const up = this.options.hidden.has(layer) ? NaN : 0.06 + this.offset(layer);
      p[i * 6 + 2] = base[i * 6 + 2] + up;
      p[i * 6 + 5] = base[i * 6 + 5] + up;
    }
    colours.needsUpdate = true;
    places.needsUpdate = true;
    lines.frustumCulled = false;
  }

  private paint(): void {
    const base = new THREE.Color(kColours[this.theme].floor);
    const far = new THREE.Color(this.theme === "dark" ? "#1d2329" : "#d5d9dc");
    const soft = Array.from({ length: 12 }, (_, i) => softColour(this.theme, i));
    const low = this.box.min.z;
    const range = Math.max(0.01, this.box.max.z - low);
    const tint = new THREE.Color();
    this.layers.forEach((view, layer) => {
      if (!view.floor) return;
      const attribute = view.floor.geometry.getAttribute("color") as THREE.BufferAttribute;
      const bytes = attribute.array as Uint8Array;
      const places = view.floor.geometry.getAttribute("position").array as Float32Array;
      for (let t = 0; t < view.cells.length; ++t) {
        const cell = view.cells[t];
        let c = base;
        if (this.reach && !this.reach[cell]) c = far;
        else if (this.options.floor === "cells") c = soft[this.colour[cell] % 12];
        else if (this.options.floor === "components") c = soft[this.component[cell] % 12];
        else if (this.options.floor === "layers") c = soft[layer % 12];
        for (let k = 0; k < 3; ++k) {
          if (this.options.floor === "height" && c === base) {
            const h = (places[t * 9 + k * 3 + 2] - low) / range;
            c = tint.setHSL(0.58 - 0.45 * h, 0.45, this.theme === "dark" ? 0.3 : 0.78);
            bytes.set([c.r * 255, c.g * 255, c.b * 255], t * 9 + k * 3);
            c = base;
          } else {
            bytes.set([c.r * 255, c.g * 255, c.b * 255], t * 9 + k * 3);
          }
        }
      }
      attribute.needsUpdate = true;
    });
  }

  // The density of a crowd on the floor; `data` as src/serve/density_grid.h writes it.
  setMap(data: ArrayBuffer | undefined, ramp: THREE.Texture, service: { limits: number[]; colours: number[][]; on: boolean }): void {
    if (!data) {
      for (const view of this.layers) if (view.map) view.map.visible = false;
      return;
    }
    const head = new DataView(data);
    const [layers, columns, rows] = [4, 8, 12].map((at) => head.getUint32(at, true));
    const [x, y, side] = [16, 20, 24].map((at) => head.getFloat32(at, true));
    const bytes = new Uint8Array(data, 32, layers * columns * rows);
    if (!this.mapTexture || this.mapTexture.image.width !== columns || this.mapTexture.image.height !== rows * layers) {
      this.mapTexture?.dispose();
      this.mapTexture = new THREE.DataTexture(new Uint8Array(bytes), columns, rows * layers, THREE.RedFormat, THREE.UnsignedByteType);
      this.mapTexture.minFilter = this.mapTexture.magFilter = THREE.NearestFilter;
      this.mapTexture.unpackAlignment = 1;
    } else {
      (this.mapTexture.image.data as Uint8Array).set(bytes);
    }
    this.mapTexture.needsUpdate = true;
    const u = this.mapUniforms;
    u.map.value = this.mapTexture;
    u.ramp.value = ramp;
    u.frame.value.set(x, y, side, layers);
    u.size.value.set(columns, rows);
    u.limits.value.set(service.limits.slice(0, 5));
    service.colours.forEach((c, i) => u.levels.value[i].set(c[0] / 255, c[1] / 255, c[2] / 255));
    u.service.value = service.on ? 1 : 0;
    this.layers.forEach((view, layer) => {
      if (!view.floor) return;
      if (!view.map) {
        view.map = new THREE.Mesh(view.floor.geometry, mapMaterial(this.mapUniforms, layer));
        view.map.renderOrder = 1;
        view.group.add(view.map);
      }
      view.map.visible = true;
    });
  }
  // World coordinates of the map are absolute; the scene's are relative to this.
  setOrigin(origin: [number, number, number]): void {
    mapOrigin.value.set(origin[0], origin[1]);
  }

  pick(ray: THREE.Raycaster): Hit | undefined {
    const floors = this.layers
      .map((view) => view.floor)
      .filter((floor): floor is NonNullable<typeof floor> => !!floor && floor.parent!.visible);
    const hit = ray.intersectObjects(floors, false)[0];
    if (!hit) return undefined;
    const layer = hit.object.userData.layer as number;
    return { point: hit.point, layer, cell: this.layers[layer].cells[hit.faceIndex ?? 0] };
  }

  dispose(): void {
    this.root.traverse((object) => {
      const mesh = object as THREE.Mesh;
      mesh.geometry?.dispose();
      const material = mesh.material as THREE.Material | undefined;
      material?.dispose?.();
    });
    this.mapTexture?.dispose();
    this.root.removeFromParent();
  }
}

const mapOrigin = { value: new THREE.Vector2() };

function mapMaterial(uniforms: Record<string, THREE.IUniform>, layer: number): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: { ...uniforms, layer: { value: layer }, origin: mapOrigin },
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: 0,
    polygonOffsetUnits: 0,
    side: THREE.DoubleSide,
    vertexShader: `
      varying vec2 place;
      uniform vec2 origin;
      void main() {
        place = position.xy + origin;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position + vec3(0.0, 0.0, 0.01), 1.0);
      }`,
    fragmentShader: `
      varying vec2 place;
      uniform sampler2D map;
      uniform sampler2D ramp;
      uniform vec4 frame;
      uniform vec2 size;
      uniform float layer;
      uniform float limits[5];
      uniform vec3 levels[6];
      uniform float service;
      float at(vec2 square) {
        square = clamp(square, vec2(0.0), size - 1.0);
        float v = texture2D(map, vec2((square.x + 0.5) / size.x, (layer * size.y + square.y + 0.5) / (size.y * frame.w))).r * 255.0;
        return v > 254.5 ? -1.0 : v / 32.0;
      }
      void main() {
        vec2 p = (place - frame.xy) / frame.z - 0.5;
        vec2 f = fract(p), q = floor(p);
        // Squares without floor do not count, so that walls make no dark rim.
        float sum = 0.0, weight = 0.0;
        for (int i = 0; i < 4; ++i) {
          vec2 d = vec2(mod(float(i), 2.0), floor(float(i) / 2.0));
          float v = at(q + d);
          float w = v < 0.0 ? 0.0 : (d.x > 0.5 ? f.x : 1.0 - f.x) * (d.y > 0.5 ? f.y : 1.0 - f.y);
          sum += w * max(v, 0.0);
          weight += w;
        }
        float density = weight > 0.0 ? sum / weight : 0.0;
        vec3 colour = texture2D(ramp, vec2(clamp(density / 5.0, 0.0, 1.0), 0.5)).rgb;
        if (service > 0.5) {
          colour = levels[0];
          for (int i = 0; i < 5; ++i) if (density >= limits[i]) colour = levels[i + 1];
        }
        // One person alone is no crowd: it leaves the floor as it is.
        float alpha = service > 0.5 ? 0.7 * smoothstep(0.05, 0.3, density) : 0.8 * smoothstep(0.15, 1.2, density);
        gl_FragColor = vec4(colour, alpha);
      }`,
  });
}

export function lifted(positions: Float32Array, by: number): Float32Array {
  const out = new Float32Array(positions);
  for (let i = 2; i < out.length; i += 3) out[i] += by;
  return out;
}
