// The 3D view: renderer, cameras, light, and where the pointer is on the floor.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { kColours, type Theme } from "./themes";

export interface Hit {
  point: THREE.Vector3; // in the scene, layers moved apart
  layer: number; // index
  cell: number;
}

const kEyeHeight = 1.65; // m
const kSlowFrame = 0.1; // s; slower pictures are drawn with fewer pixels
const kFastFrame = 0.03; // s; faster ones with more
const kLeastDetail = 0.4; // of the screen's pixels in each direction

// Whether pictures are drawn by the processor instead of a graphics card.
function drawnBySoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}
const kWalkSpeed = 3.2; // m/s

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(50, 1, 0.05, 20000);
  readonly bySoftware = drawnBySoftware();
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  theme: Theme = "light";
  walking = false;
  flat = false; // from above
  onFrame: (seconds: number, now: number) => void = () => {};
  // What stands under a ray; set by the world.
  pick: (ray: THREE.Raycaster) => Hit | undefined = () => undefined;
  // The views beside each other of a comparison draw themselves.
  draw?: (renderer: THREE.WebGLRenderer) => void;
  // Two pictures of one camera beside each other: shows what belongs to the left or to the right one.
  private beside?: (left: boolean) => void;
  frameMs = 0;
  private sun = new THREE.DirectionalLight(0xffffff, 1.6);
  private sky = new THREE.HemisphereLight(0xffffff, 0xb8b0a4, 1.5);
  private ray = new THREE.Raycaster();
  private keys = new Set<string>();
  private yaw = 0;
  private pitch = 0;
  private last = 0;
  private dirty = 20; // frames still to draw
  private detail = 1; // share of the screen's pixels in each direction
  private slow = 0; // slow pictures in a row; negative: fast ones
  private always = false;
  private size = 50;
  private centre = new THREE.Vector3();

  constructor(readonly host: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({ antialias: !this.bySoftware, preserveDrawingBuffer: true, powerPreference: "high-performance" });
    this.setDetail(1);
    this.renderer.info.autoReset = false;
    host.append(this.renderer.domElement);
    this.renderer.domElement.tabIndex = 0;
    this.renderer.domElement.setAttribute("aria-label", "3D view of the world");
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.zoomToCursor = true;
    this.controls.maxPolarAngle = Math.PI * 0.495;
    this.controls.addEventListener("change", () => this.wake());
    this.sun.position.set(-0.5, -0.8, 1.4);
    this.scene.add(this.sun, this.sky);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    addEventListener("keydown", (e) => this.key(e, true));
    addEventListener("keyup", (e) => this.key(e, false));
    addEventListener("blur", () => this.keys.clear());
    this.renderer.domElement.addEventListener("pointermove", (e) => {
      if (!this.walking || !(e.buttons & 1)) return;
      this.yaw -= e.movementX * 0.004;
      this.pitch = Math.max(-1.4, Math.min(1.4, this.pitch - e.movementY * 0.004));
      this.wake();
    });
    requestAnimationFrame((now) => this.frame(now));
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    const c = kColours[theme];
    this.scene.background = new THREE.Color(c.background);
    this.sky.intensity = theme === "dark" ? 1.1 : 1.7;
    this.sun.intensity = theme === "dark" ? 1.2 : 1.5;
    this.wake();
  }

  // Draws on after something changed; a still picture costs nothing.
  wake(frames = 3): void {
    // Where pictures are slow, the view is still soon and gets all of its pixels.
    this.dirty = Math.max(this.dirty, this.detail < 1 ? Math.min(frames, 2) : frames);
  }
  setAnimated(on: boolean): void {
    this.always = on;
  }

  fit(box: THREE.Box3): void {
    if (box.isEmpty()) return;
    const size = box.getSize(new THREE.Vector3());
    this.centre = box.getCenter(new THREE.Vector3());
    this.size = Math.max(size.length(), 2);
    this.camera.near = Math.max(0.05, this.size / 5000);
    this.camera.far = this.size * 20;
    this.controls.maxDistance = this.size * 6;
    this.controls.minDistance = 0.5;
    this.setWalking(false);
    // The smaller of the two angles of view must hold a sphere around the world; a flat one fills less than its sphere.
    const half = Math.atan(Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, this.camera.aspect));
    const distance = (0.5 * this.size * 0.78) / Math.sin(half);
    const direction = this.flat ? new THREE.Vector3(0, -0.001, 1) : new THREE.Vector3(-0.35, -0.85, 0.8);
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).addScaledVector(direction.normalize(), distance * 1.15);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.wake(10);
  }

  setBeside(beside?: (left: boolean) => void): void {
    if (!beside && !this.beside) return;
    this.beside = beside;
    this.resize();
  }

  // Goes near a place and keeps the direction.
  goTo(place: THREE.Vector3): void {
    this.setWalking(false);
    const away = this.camera.position.clone().sub(this.controls.target);
    away.setLength(Math.min(away.length(), Math.max(4, 0.15 * this.size)));
    this.controls.target.copy(place);
    this.camera.position.copy(place).add(away);
    this.controls.update();
    this.wake(10);
  }

  setFlat(on: boolean, box: THREE.Box3): void {
    this.flat = on;
    this.controls.maxPolarAngle = on ? 0 : Math.PI * 0.495;
    this.controls.enableRotate = !on;
    this.fit(box);
  }

  setWalking(on: boolean): void {
    if (on === this.walking) return;
    this.walking = on;
    this.controls.enabled = !on;
    if (on) {
      const hit = this.floorUnder(new THREE.Vector3(this.controls.target.x, this.controls.target.y, 1e4)) ?? undefined;
      const eye = this.controls.target.clone();
      eye.z = (hit?.point.z ?? eye.z) + kEyeHeight;
      const d = this.controls.target.clone().sub(this.camera.position);
      this.yaw = Math.atan2(d.y, d.x);
      this.pitch = 0;
      this.camera.position.copy(eye);
      this.camera.near = 0.05;
      this.camera.updateProjectionMatrix();
    } else {
      const ahead = new THREE.Vector3(Math.cos(this.yaw), Math.sin(this.yaw), 0).multiplyScalar(8);
      this.controls.target.copy(this.camera.position).add(ahead);
      this.controls.target.z -= kEyeHeight;
      this.camera.position.z += 6;
      this.camera.position.addScaledVector(ahead, -1);
    }
    this.wake(10);
  }

  // The floor under the pointer, in pixels of the window.
  at(clientX: number, clientY: number): Hit | undefined {
    this.aim(clientX, clientY);
    return this.pick(this.ray);
  }
  // Where the pointer meets a level plane.
  onPlane(clientX: number, clientY: number, z: number): THREE.Vector3 | undefined {
    this.aim(clientX, clientY);
    const out = new THREE.Vector3();
    return this.ray.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 0, 1), -z), out) ?? undefined;
  }
  toScreen(p: THREE.Vector3): { x: number; y: number; ahead: boolean } {
    const v = p.clone().project(this.camera);
    const box = this.viewBox();
    return { x: box.left + ((v.x + 1) / 2) * box.width, y: box.top + ((1 - v.y) / 2) * box.height, ahead: v.z < 1 };
  }

  private aim(clientX: number, clientY: number): void {
    const box = this.viewBox(clientX);
    this.ray.setFromCamera(
      new THREE.Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2),
      this.camera,
    );
  }

  // Where the camera's picture is in the window; of two, the one under the pointer, or else the right one.
  private viewBox(clientX = Infinity): { left: number; top: number; width: number; height: number } {
    const { left, top, width, height } = this.renderer.domElement.getBoundingClientRect();
    if (!this.beside) return { left, top, width, height };
    return { left: clientX < left + width / 2 ? left : left + width / 2, top, width: width / 2, height };
  }

  private floorUnder(from: THREE.Vector3): Hit | undefined {
    this.ray.set(from, new THREE.Vector3(0, 0, -1));
    return this.pick(this.ray);
  }

  private key(event: KeyboardEvent, down: boolean): void {
    const target = event.target as HTMLElement | null;
    if (target && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    if (down) this.keys.add(event.key.toLowerCase());
    else this.keys.delete(event.key.toLowerCase());
    if (this.walking) this.wake(20);
  }

  private walk(seconds: number): void {
    const has = (...names: string[]): number => (names.some((name) => this.keys.has(name)) ? 1 : 0);
    const forward = has("w", "arrowup") - has("s", "arrowdown");
    const side = has("d") - has("a");
    this.yaw += (has("arrowleft") - has("arrowright")) * seconds * 1.6;
    const speed = kWalkSpeed * (has("shift") ? 3 : 1) * seconds;
    const step = new THREE.Vector3(
      (Math.cos(this.yaw) * forward + Math.sin(this.yaw) * side) * speed,
      (Math.sin(this.yaw) * forward - Math.cos(this.yaw) * side) * speed,
      0,
    );
    if (step.lengthSq() > 0) {
      const next = this.camera.position.clone().add(step);
      // Where there is no floor within a step up or down no person can walk.
      const hit = this.floorUnder(new THREE.Vector3(next.x, next.y, next.z - kEyeHeight + 0.8));
      if (hit && Math.abs(hit.point.z + kEyeHeight - next.z) < 1.2) {
        next.z += (hit.point.z + kEyeHeight - next.z) * Math.min(1, seconds * 10);
        this.camera.position.copy(next);
      }
      this.wake(10);
    }
    const look = new THREE.Vector3(
      Math.cos(this.yaw) * Math.cos(this.pitch),
      Math.sin(this.yaw) * Math.cos(this.pitch),
      Math.sin(this.pitch),
    );
    this.camera.lookAt(this.camera.position.clone().add(look));
  }

  private setDetail(detail: number): void {
    this.detail = detail;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2) * detail);
  }

  // Fewer pixels while moving pictures are slow, all of them as soon as the view is still.
  private adaptDetail(seconds: number): void {
    this.slow = seconds > kSlowFrame ? Math.max(1, this.slow + 1) : seconds < kFastFrame ? Math.min(-1, this.slow - 1) : 0;
    if (this.slow >= 3 && this.detail > kLeastDetail) this.setDetail(Math.max(kLeastDetail, this.detail * 0.75));
    else if (this.slow <= -60 && this.detail < 1) this.setDetail(Math.min(1, this.detail / 0.75));
    else return;
    this.slow = 0;
  }

  resize(): void {
    const width = Math.max(1, this.host.clientWidth);
    const height = Math.max(1, this.host.clientHeight);
    this.renderer.setSize(width, height);
    this.camera.aspect = (this.beside ? width / 2 : width) / height;
    this.camera.updateProjectionMatrix();
    this.wake();
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const passed = (now - this.last) / 1000;
    const seconds = Math.min(0.1, passed);
    this.last = now;
    if (this.walking) this.walk(seconds);
    else this.controls.update();
    this.onFrame(seconds, now);
    if (!this.always && this.dirty <= 0) return;
    --this.dirty;
    const moving = this.always || this.dirty > 0;
    if (moving) this.adaptDetail(passed);
    else if (this.detail < 1) this.setDetail(1);
    this.render();
  }

  // With every pixel of the screen, for a picture to keep.
  renderWhole(): void {
    if (this.detail < 1) this.setDetail(1);
    this.render();
  }

  render(): void {
    const start = performance.now();
    this.renderer.info.reset();
    if (this.draw) this.draw(this.renderer);
    else if (this.beside) this.renderBeside(this.beside);
    else this.renderer.render(this.scene, this.camera);
    this.frameMs += 0.1 * (performance.now() - start - this.frameMs);
  }

  private renderBeside(beside: (left: boolean) => void): void {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement;
    this.renderer.setScissorTest(true);
    for (const left of [true, false]) {
      beside(left);
      const x = left ? 0 : width / 2;
      this.renderer.setViewport(x, 0, width / 2, height);
      this.renderer.setScissor(x, 0, left ? width / 2 - 1 : width / 2, height);
      this.renderer.render(this.scene, this.camera);
    }
    this.renderer.setScissorTest(false);
    this.renderer.setViewport(0, 0, width, height);
  }
}
