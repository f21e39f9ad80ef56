// The crowd. The last two frames of the program lie in textures of the graphics card, which draws all persons between
// them: near the camera as walking figures, farther away as pictures of these figures, then as points.
import * as THREE from "three";
import { kPose, makeFigure } from "./figure";
import { kCategories, rampBytes, type RampName } from "./themes";

export type PeopleColour = "speed" | "density" | "profile" | "goal" | "waiting";

const kWidth = 512; // of textures
const kFigures = 600;
const kFiguresBySoftware = 40; // in all, where the processor draws
const kImpostors = 6000;
const kDirections = 8;
const kPhases = 4;

const kRead = `
  precision highp usampler2D;
  uniform usampler2D before;
  uniform usampler2D now;
  uniform usampler2D state;
  uniform usampler2D info;
  uniform sampler2D ramp;
  uniform sampler2D layers;
  uniform sampler2D categories;
  uniform vec3 low;
  uniform vec3 size;
  uniform float share;
  uniform int mode;
  uniform float selected;
  ivec2 texel(float slot) { int i = int(slot + 0.5); return ivec2(i % ${kWidth}, i / ${kWidth}); }
  struct Someone { vec3 place; float heading; float speed; bool here; vec3 colour; };
  Someone read(float slot) {
    ivec2 t = texel(slot);
    uvec4 a = texelFetch(before, t, 0), b = texelFetch(now, t, 0), s = texelFetch(state, t, 0), i = texelFetch(info, t, 0);
    Someone p;
    float lift = texelFetch(layers, ivec2(int(s.z), 0), 0).r;
    p.here = s.w > 0u && lift > -1e8;
    p.place = low + mix(vec3(a.xyz), vec3(b.xyz), share) / 65535.0 * size + vec3(0.0, 0.0, lift);
    float from = float(a.w & 255u) / 256.0, to = float(b.w & 255u) / 256.0;
    float d = to - from;
    d -= floor(d + 0.5);
    p.heading = (from + d * share) * 6.2831853;
    p.speed = mix(float(a.w >> 8), float(b.w >> 8), share) / 50.0;
    float v = 0.0;
    if (mode == 0) v = p.speed / 2.0;
    if (mode == 1) v = float(s.x) / 32.0 / 5.0;
    if (mode == 4) v = float(s.y) / 2.0 / 60.0;
    int category = mode == 2 ? int(i.x) : int(i.y);
    p.colour = mode == 2 || mode == 3 ? texelFetch(categories, ivec2(category % ${kCategories.length}, 0), 0).rgb
                                      : texture(ramp, vec2(clamp(v, 0.0, 1.0), 0.5)).rgb;
    if (mode == 3 && i.y == 255u) p.colour = vec3(0.55);
    if (abs(slot - selected) < 0.5) p.colour = vec3(1.0, 0.25, 0.1);
    return p;
  }
`;

function integerTexture(bytes: 8 | 16, rows: number): THREE.DataTexture {
  const data = bytes === 16 ? new Uint16Array(kWidth * rows * 4) : new Uint8Array(kWidth * rows * 4);
  const type = bytes === 16 ? THREE.UnsignedShortType : THREE.UnsignedByteType;
  const texture = new THREE.DataTexture(data, kWidth, rows, THREE.RGBAIntegerFormat, type);
  texture.internalFormat = bytes === 16 ? "RGBA16UI" : "RGBA8UI";
  texture.minFilter = texture.magFilter = THREE.NearestFilter;
  texture.unpackAlignment = 1;
  return texture;
}

export class People {
  readonly root = new THREE.Group();
  count = 0; // slots
  inside = 0;
  time = 0;
  frames = 0;
  drawn = { figures: 0, impostors: 0, points: 0 };
  ids = new Uint32Array(0);
  private rows = 0;
  private run = -1;
  private fresh = new Set<number>();
  private before!: THREE.DataTexture;
  private now!: THREE.DataTexture;
  private state!: THREE.DataTexture;
  private info!: THREE.DataTexture;
  private phase = new Float32Array(0);
  private uniforms: Record<string, THREE.IUniform> = {
    before: { value: null },
    now: { value: null },
    state: { value: null },
    info: { value: null },
    ramp: { value: null },
    layers: { value: null },
    categories: { value: null },
    low: { value: new THREE.Vector3() },
    size: { value: new THREE.Vector3(1, 1, 1) },
    share: { value: 1 },
    mode: { value: 0 },
    selected: { value: -1 },
    scale: { value: 1 },
    sun: { value: new THREE.Vector3(-0.35, -0.55, 0.76).normalize() },
    atlas: { value: null },
    dark: { value: 0 },
  };
  private points?: THREE.Points;
  private figures: { mesh: THREE.Mesh; geometry: THREE.InstancedBufferGeometry }[] = [];
  private impostors!: { mesh: THREE.Mesh; geometry: THREE.InstancedBufferGeometry };
  private ring: THREE.Mesh;
  private arrived = 0; // ms
  private interval = 100; // ms between frames
  private layerLift = new Float32Array(256 * 4);
  private readonly mostFigures: number;
  readonly rampTexture: THREE.DataTexture;

  constructor(renderer: THREE.WebGLRenderer, bySoftware: boolean) {
    this.mostFigures = bySoftware ? kFiguresBySoftware : kFigures * 3;
    this.rampTexture = new THREE.DataTexture(rampBytes("viridis"), 256, 1);
    this.rampTexture.magFilter = this.rampTexture.minFilter = THREE.LinearFilter;
    this.rampTexture.needsUpdate = true;
    this.uniforms.ramp.value = this.rampTexture;
    const categories = new Uint8Array(kCategories.length * 4);
    kCategories.forEach((text, i) => {
      const c = new THREE.Color(text).convertLinearToSRGB();
      categories.set([c.r * 255, c.g * 255, c.b * 255, 255], i * 4);
    });
    const texture = new THREE.DataTexture(categories, kCategories.length, 1);
    texture.needsUpdate = true;
    this.uniforms.categories.value = texture;
    const layers = new THREE.DataTexture(this.layerLift, 256, 1, THREE.RGBAFormat, THREE.FloatType);
    layers.needsUpdate = true;
    this.uniforms.layers.value = layers;
    this.grow(1);
    for (let kind = 0; kind < 3; ++kind) this.figures.push(this.makeFigures(kind));
    this.uniforms.atlas.value = this.makeAtlas(renderer);
    this.impostors = this.makeImpostors();
    this.ring = new THREE.Mesh(
      new THREE.RingGeometry(0.5, 0.62, 40),
      new THREE.MeshBasicMaterial({ color: "#ff4018", side: THREE.DoubleSide, depthTest: false, transparent: true }),
    );
    this.ring.renderOrder = 20;
    this.ring.visible = false;
    this.root.add(this.ring);
  }

  private grow(slots: number): void {
    const rows = Math.max(1, Math.ceil(slots / kWidth));
    if (rows <= this.rows) return;
    const wanted = Math.max(rows, Math.ceil(this.rows * 1.5));
    const old = this.rows > 0 ? { before: this.before, now: this.now, state: this.state, info: this.info } : undefined;
    this.rows = wanted;
    this.before = integerTexture(16, wanted);
    this.now = integerTexture(16, wanted);
    this.state = integerTexture(8, wanted);
    this.info = integerTexture(8, wanted);
    if (old) {
      for (const name of ["before", "now", "state", "info"] as const) {
        (this[name].image.data as Uint8Array).set(old[name].image.data as Uint8Array);
        this[name].needsUpdate = true;
        old[name].dispose();
      }
    }
    for (const name of ["before", "now", "state", "info"] as const) {
      this[name].needsUpdate = true;
      this.uniforms[name].value = this[name];
    }
    const capacity = wanted * kWidth;
    const ids = new Uint32Array(capacity);
    ids.set(this.ids);
    this.ids = ids;
    const phase = new Float32Array(capacity);
    for (let i = 0; i < capacity; ++i) phase[i] = i < this.phase.length ? this.phase[i] : (i * 0.618) % 1;
    this.phase = phase;
    this.points?.geometry.dispose();
    this.points?.removeFromParent();
    const geometry = new THREE.BufferGeometry();
    const slot = new Float32Array(capacity);
    for (let i = 0; i < capacity; ++i) slot[i] = i;
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(0), 3));
    geometry.setAttribute("slot", new THREE.BufferAttribute(slot, 1));
    geometry.setDrawRange(0, 0);
    this.points = new THREE.Points(
      geometry,
      new THREE.ShaderMaterial({
        glslVersion: THREE.GLSL3,
        uniforms: this.uniforms,
        vertexShader: `${kRead}
          in float slot;
          uniform float scale;
          out vec3 colour;
          void main() {
            Someone p = read(slot);
            uvec4 i = texelFetch(info, texel(slot), 0);
            colour = p.colour;
            vec4 view = viewMatrix * vec4(p.place + vec3(0.0, 0.0, 0.9), 1.0);
            gl_Position = projectionMatrix * view;
            gl_PointSize = clamp(scale * 0.75 / max(0.1, -view.z), 1.6, 24.0);
            // Who is drawn as a figure or a picture is no point.
            if (!p.here || i.z > 0u) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
          }`,
        fragmentShader: `
          precision highp float;
          in vec3 colour;
          out vec4 pixel;
          void main() {
            vec2 d = gl_PointCoord - 0.5;
            float r = dot(d, d);
            if (r > 0.25) discard;
            pixel = vec4(colour * (1.08 - 1.2 * r), 1.0);
          }`,
      }),
    );
    this.points.frustumCulled = false;
    this.root.add(this.points);
  }

  private figureMaterial(atlas: boolean): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3,
      uniforms: atlas ? { heading: { value: 0 }, phase: { value: 0 }, sun: this.uniforms.sun, dark: { value: 0 } } : this.uniforms,
      side: THREE.DoubleSide,
      vertexShader: `${atlas ? "uniform float heading; uniform float phase;" : `${kRead} in float slot; in float phase;`}
        in float limb;
        in float tone;
        out vec3 colour;
        out vec3 direction;
        out float kind;
        ${kPose}
        void main() {
          vec3 q = position, n = normal;
          ${atlas ? "float turn = heading, speed = 1.3; vec3 place = vec3(0.0), shirt = vec3(1.0);" : "Someone p = read(slot); float turn = p.heading, speed = p.speed; vec3 place = p.place, shirt = p.colour;"}
          pose(q, n, limb, phase, speed);
          ${atlas ? "" : "q *= 0.94 + 0.1 * fract(slot * 0.377);"}
          float c = cos(turn), s = sin(turn);
          q = vec3(c * q.x - s * q.y, s * q.x + c * q.y, q.z) + place;
          direction = vec3(c * n.x - s * n.y, s * n.x + c * n.y, n.z);
          ${atlas ? "float pick = 0.5;" : "float pick = fract(slot * 0.731);"}
          vec3 skin = mix(vec3(0.42, 0.28, 0.2), vec3(0.94, 0.78, 0.66), pick);
          vec3 trousers = mix(vec3(0.16, 0.19, 0.26), vec3(0.42, 0.38, 0.34), fract(pick * 7.0));
          colour = tone < 0.5 ? shirt : tone < 1.5 ? trousers : tone < 2.5 ? skin : vec3(0.16, 0.12, 0.1);
          kind = tone;
          gl_Position = projectionMatrix * viewMatrix * vec4(q, 1.0);
          ${atlas ? "" : "if (!p.here) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);"}
        }`,
      fragmentShader: `
        precision highp float;
        in vec3 colour;
        in vec3 direction;
        in float kind;
        uniform vec3 sun;
        out vec4 pixel;
        void main() {
          float light = 0.62 + 0.42 * max(0.0, dot(normalize(direction), sun)) + 0.08 * direction.z;
          ${atlas ? "pixel = vec4(kind < 0.5 ? vec3(light, light, 1.0) : vec3(light * colour.r, light * colour.g, light * colour.b * 0.9), kind < 0.5 ? 1.0 : 0.6);" : "pixel = vec4(colour * light, 1.0);"}
        }`,
    });
  }

  private makeFigures(kind: number): { mesh: THREE.Mesh; geometry: THREE.InstancedBufferGeometry } {
    const base = makeFigure(kind);
    const geometry = new THREE.InstancedBufferGeometry();
    for (const name of ["position", "normal", "limb", "tone"]) geometry.setAttribute(name, base.getAttribute(name));
    geometry.setAttribute("slot", new THREE.InstancedBufferAttribute(new Float32Array(kFigures), 1));
    geometry.setAttribute("phase", new THREE.InstancedBufferAttribute(new Float32Array(kFigures), 1));
    geometry.instanceCount = 0;
    const mesh = new THREE.Mesh(geometry, this.figureMaterial(false));
    mesh.frustumCulled = false;
    this.root.add(mesh);
    return { mesh, geometry };
  }

  // Pictures of a figure from all sides in some phases of its walk: what is shirt has alpha 1, all else 0.6.
  private makeAtlas(renderer: THREE.WebGLRenderer): THREE.Texture {
    const w = 48;
    const h = 96;
    const target = new THREE.WebGLRenderTarget(w * kDirections, h * kPhases, { generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter });
    const camera = new THREE.OrthographicCamera(-0.45, 0.45, 0.9, -0.9, 0.1, 10);
    camera.up.set(0, 0, 1);
    // A little from above, as crowds are looked at.
    camera.position.set(0, -4, 0.87 + 1.6);
    camera.lookAt(0, 0, 0.87);
    const scene = new THREE.Scene();
    const material = this.figureMaterial(true);
    scene.add(new THREE.Mesh(makeFigure(0), material));
    const colour = renderer.getClearColor(new THREE.Color());
    const alpha = renderer.getClearAlpha();
    renderer.setRenderTarget(target);
    renderer.setClearColor(0, 0);
    renderer.clear();
    renderer.autoClear = false;
    for (let d = 0; d < kDirections; ++d) {
      for (let p = 0; p < kPhases; ++p) {
        material.uniforms.heading.value = (d / kDirections) * 2 * Math.PI;
        material.uniforms.phase.value = p / kPhases;
        target.viewport.set(d * w, p * h, w, h);
        target.scissor.set(d * w, p * h, w, h);
        target.scissorTest = true;
        renderer.setRenderTarget(target);
        renderer.render(scene, camera);
      }
    }
    target.scissorTest = false;
    target.viewport.set(0, 0, w * kDirections, h * kPhases);
    renderer.autoClear = true;
    renderer.setRenderTarget(null);
    renderer.setClearColor(colour, alpha);
    return target.texture;
  }

  private makeImpostors(): { mesh: THREE.Mesh; geometry: THREE.InstancedBufferGeometry } {
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute([-0.45, 0, 0, 0.45, 0, 0, 0.45, 1.8, 0, -0.45, 0, 0, 0.45, 1.8, 0, -0.45, 1.8, 0], 3));
    geometry.setAttribute("slot", new THREE.InstancedBufferAttribute(new Float32Array(kImpostors), 1));
    geometry.setAttribute("phase", new THREE.InstancedBufferAttribute(new Float32Array(kImpostors), 1));
    geometry.instanceCount = 0;
    const material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3,
      uniforms: this.uniforms,
      vertexShader: `${kRead}
        in float slot;
        in float phase;
        out vec2 uv2;
        out vec3 colour;
        void main() {
          Someone p = read(slot);
          colour = p.colour;
          vec3 to = cameraPosition - p.place;
          vec2 away = normalize(-to.xy);
          vec3 right = vec3(away.y, -away.x, 0.0);
          // The picture's own camera looks along +y.
          float turn = (p.heading - atan(away.y, away.x)) / 6.2831853 + 0.25;
          float column = mod(floor(turn * ${kDirections}.0 + 0.5), ${kDirections}.0);
          float row = p.speed < 0.1 ? 0.0 : mod(floor(phase * ${kPhases}.0), ${kPhases}.0);
          uv2 = vec2((column + (position.x / 0.9 + 0.5)) / ${kDirections}.0, (row + position.y / 1.8) / ${kPhases}.0);
          vec3 up = vec3(0.0, 0.0, 1.0);
          vec3 q = p.place + right * position.x + up * (position.y - 0.03);
          gl_Position = projectionMatrix * viewMatrix * vec4(q, 1.0);
          if (!p.here) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        }`,
      fragmentShader: `
        precision highp float;
        in vec2 uv2;
        in vec3 colour;
        uniform sampler2D atlas;
        out vec4 pixel;
        void main() {
          vec4 t = texture(atlas, uv2);
          if (t.a < 0.35) discard;
          pixel = vec4(t.a > 0.8 ? colour * t.r : t.rgb, 1.0);
        }`,
      side: THREE.DoubleSide,
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.frustumCulled = false;
    this.root.add(mesh);
    return { mesh, geometry };
  }

  setColour(mode: PeopleColour): void {
    this.uniforms.mode.value = ["speed", "density", "profile", "goal", "waiting"].indexOf(mode);
  }
  setRamp(name: RampName): void {
    (this.rampTexture.image.data as Uint8Array).set(rampBytes(name));
    this.rampTexture.needsUpdate = true;
  }
  setLayers(lift: (layer: number) => number, hidden: (layer: number) => boolean, layers: number): void {
    for (let i = 0; i < 256; ++i) this.layerLift[i * 4] = i < layers && hidden(i) ? -1e9 : i < layers ? lift(i) : 0;
    (this.uniforms.layers.value as THREE.DataTexture).needsUpdate = true;
  }
  select(slot: number | null): void {
    this.uniforms.selected.value = slot ?? -1;
  }
  // Where the persons in these slots are, without those who have left; empty if the first has.
  placesOf(slots: number[]): THREE.Vector3[] {
    const places: THREE.Vector3[] = [];
    for (const slot of slots) {
      const place = new THREE.Vector3();
      if (slot < this.count && this.placeOf(slot, place)) places.push(place);
      else if (places.length === 0) return [];
    }
    return places;
  }
  goalOf(slot: number): number {
    return (this.info.image.data as Uint8Array)[slot * 4 + 1];
  }

  // The other side is src/serve/crowd_frame.h.
  takePeople(data: ArrayBuffer): void {
    const view = new DataView(data);
    const n = view.getUint32(4, true);
    this.newRun(view.getUint32(8, true));
    const infos = () => this.info.image.data as Uint8Array;
    for (let i = 0; i < n; ++i) {
      const at = 16 + i * 12;
      const slot = view.getUint32(at, true);
      const id = view.getUint32(at + 4, true);
      this.grow(slot + 1);
      if (this.ids[slot] !== id + 1) this.fresh.add(slot);
      this.ids[slot] = id + 1;
      infos()[slot * 4] = view.getUint8(at + 8);
      infos()[slot * 4 + 1] = view.getUint8(at + 9);
    }
    this.info.needsUpdate = true;
  }

  private newRun(run: number): void {
    if (run === this.run) return;
    this.run = run;
    this.ids.fill(0);
    this.fresh.clear();
    (this.state.image.data as Uint8Array).fill(0);
    this.count = 0;
    this.frames = 0;
    this.select(null);
  }

  takeFrame(data: ArrayBuffer, origin: [number, number, number]): void {
    const view = new DataView(data);
    const count = view.getUint32(4, true);
    this.newRun(view.getUint32(8, true));
    const time = view.getFloat64(16, true);
    const place = (at: number): THREE.Vector3 => new THREE.Vector3(view.getFloat32(at, true), view.getFloat32(at + 4, true), view.getFloat32(at + 8, true));
    this.uniforms.low.value.copy(place(24)).sub(new THREE.Vector3(...origin));
    this.uniforms.size.value.copy(place(36));
    this.grow(count);
    const before = this.before.image.data as unknown as Uint16Array;
    const now = this.now.image.data as unknown as Uint16Array;
    const state = this.state.image.data as Uint8Array;
    const places = new Uint16Array(data, 48, count * 4);
    const states = new Uint8Array(data, 48 + count * 8, count * 4);
    const jump = this.frames === 0 || Math.abs(time - this.time) > 5;
    if (jump) before.set(places);
    else before.set(now);
    now.set(places);
    // Who is new in a slot does not come from where the one before stood.
    for (const slot of this.fresh) {
      for (let k = 0; k < 4; ++k) before[slot * 4 + k] = now[slot * 4 + k];
    }
    this.fresh.clear();
    state.set(states);
    if (state.length > states.length) state.fill(0, states.length, this.count * 4 > states.length ? this.count * 4 : states.length);
    const passed = Math.max(0, Math.min(1, time - this.time));
    let inside = 0;
    for (let i = 0; i < count; ++i) {
      if (!states[i * 4 + 3]) continue;
      ++inside;
      // A stride of both legs is about 1.4 m at a walk and longer at a run.
      const speed = (places[i * 4 + 3] >> 8) / 50;
      this.phase[i] = (this.phase[i] + (speed * passed) / (1.05 + 0.35 * speed)) % 1;
    }
    this.inside = inside;
    this.count = count;
    this.time = time;
    ++this.frames;
    const moment = performance.now();
    const gap = moment - this.arrived;
    if (gap < 2000) this.interval += 0.25 * (gap - this.interval);
    this.arrived = moment;
    this.before.needsUpdate = this.now.needsUpdate = this.state.needsUpdate = true;
    this.points!.geometry.setDrawRange(0, count);
  }

  // Position now, in the scene.
  placeOf(slot: number, out: THREE.Vector3): boolean {
    const state = this.state.image.data as Uint8Array;
    if (slot >= this.count || !state[slot * 4 + 3]) return false;
    const lift = this.layerLift[state[slot * 4 + 2] * 4];
    if (lift < -1e8) return false;
    const a = this.before.image.data as unknown as Uint16Array;
    const b = this.now.image.data as unknown as Uint16Array;
    const share = this.uniforms.share.value as number;
    const low = this.uniforms.low.value as THREE.Vector3;
    const size = this.uniforms.size.value as THREE.Vector3;
    const mix = (k: number): number => (a[slot * 4 + k] + (b[slot * 4 + k] - a[slot * 4 + k]) * share) / 65535;
    out.set(low.x + mix(0) * size.x, low.y + mix(1) * size.y, low.z + mix(2) * size.z + lift);
    return true;
  }

  // Chooses how each person is drawn from here. Returns whether a person moves.
  update(camera: THREE.PerspectiveCamera, height: number, playing: boolean): boolean {
    const share = playing ? Math.min(1, (performance.now() - this.arrived) / Math.max(16, this.interval)) : 1;
    const moves = this.count > 0 && (playing || this.uniforms.share.value < 1);
    this.uniforms.share.value = share;
    this.uniforms.scale.value = height / (2 * Math.tan((camera.fov * Math.PI) / 360));
    if (this.count === 0) {
      for (const one of this.figures) one.geometry.instanceCount = 0;
      this.impostors.geometry.instanceCount = 0;
      this.drawn = { figures: 0, impostors: 0, points: 0 };
      this.ring.visible = false;
      return moves;
    }
    const frustum = new THREE.Frustum().setFromProjectionMatrix(new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const info = this.info.image.data as Uint8Array;
    const place = new THREE.Vector3();
    // Pixels of a person decide: above 36 a figure, above 9 a picture.
    const pixels = (this.uniforms.scale.value as number) * 1.7;
    const nearest = pixels / 36;
    const near = pixels / 9;
    const figures: { slot: number; d: number }[] = [];
    const pictures: { slot: number; d: number }[] = [];
    for (let slot = 0; slot < this.count; ++slot) {
      info[slot * 4 + 2] = 0;
      if (!this.placeOf(slot, place)) continue;
      const d = place.distanceTo(camera.position);
      if (d > near || !frustum.intersectsSphere(new THREE.Sphere(place, 2))) continue;
      (d < nearest ? figures : pictures).push({ slot, d });
    }
    if (figures.length > this.mostFigures) {
      figures.sort((p, q) => p.d - q.d);
      pictures.push(...figures.splice(Math.min(kFigures, this.mostFigures)));
    }
    if (pictures.length > kImpostors) {
      pictures.sort((p, q) => p.d - q.d);
      pictures.length = kImpostors;
    }
    const filled = [0, 0, 0];
    for (const { slot } of figures) {
      const kind = slot % 3;
      if (filled[kind] >= kFigures) continue;
      const one = this.figures[kind].geometry;
      (one.getAttribute("slot").array as Float32Array)[filled[kind]] = slot;
      (one.getAttribute("phase").array as Float32Array)[filled[kind]] = this.phaseOf(slot, share);
      ++filled[kind];
      info[slot * 4 + 2] = 1;
    }
    this.figures.forEach((one, kind) => {
      one.geometry.instanceCount = filled[kind];
      one.geometry.getAttribute("slot").needsUpdate = true;
      one.geometry.getAttribute("phase").needsUpdate = true;
    });
    pictures.forEach(({ slot }, i) => {
      (this.impostors.geometry.getAttribute("slot").array as Float32Array)[i] = slot;
      (this.impostors.geometry.getAttribute("phase").array as Float32Array)[i] = this.phaseOf(slot, share);
      info[slot * 4 + 2] = 2;
    });
    this.impostors.geometry.instanceCount = pictures.length;
    this.impostors.geometry.getAttribute("slot").needsUpdate = true;
    this.impostors.geometry.getAttribute("phase").needsUpdate = true;
    this.info.needsUpdate = true;
    const shown = filled[0] + filled[1] + filled[2];
    this.drawn = { figures: shown, impostors: pictures.length, points: this.inside - shown - pictures.length };
    const chosen = this.uniforms.selected.value as number;
    this.ring.visible = chosen >= 0 && this.placeOf(chosen, place);
    if (this.ring.visible) this.ring.position.copy(place).add(new THREE.Vector3(0, 0, 0.05));
    return moves;
  }

  private phaseOf(slot: number, share: number): number {
    const now = this.now.image.data as unknown as Uint16Array;
    const speed = (now[slot * 4 + 3] >> 8) / 50;
    const ahead = (share * this.interval) / 1000;
    return (this.phase[slot] + (speed * ahead) / (1.05 + 0.35 * speed)) % 1;
  }

  // The person nearest to a place of the window, within some pixels.
  nearest(toScreen: (p: THREE.Vector3) => { x: number; y: number; ahead: boolean }, x: number, y: number, within: number): number | undefined {
    let best: number | undefined;
    let least = within * within;
    const place = new THREE.Vector3();
    for (let slot = 0; slot < this.count; ++slot) {
      if (!this.placeOf(slot, place)) continue;
      place.z += 0.9;
      const at = toScreen(place);
      const d = (at.x - x) ** 2 + (at.y - y) ** 2;
      if (!at.ahead || d >= least) continue;
      least = d;
      best = slot;
    }
    return best;
  }
}
