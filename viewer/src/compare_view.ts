// The meshes of a comparison beside each other, all seen by the same camera.
import * as THREE from "three";
import type { App } from "./app";
import { el, number } from "./controls";
import type { Blob } from "./link";
import type { State } from "./messages";
import { kColours } from "./themes";
import { WorldView } from "./world_view";

export class CompareView {
  readonly box = new THREE.Box3();
  private cells: { view?: WorldView; scene: THREE.Scene; label: HTMLElement }[] = [];
  private labels = el("div", { class: "compare-labels" });

  constructor(private app: App, state: State, blobs: (Blob | undefined)[]) {
    const layers = state.world?.layers ?? [{ id: 0, name: "", height: 0 }];
    state.comparison!.meshes.forEach((mesh, i) => {
      const blob = blobs[i];
      const scene = new THREE.Scene();
      const sun = new THREE.DirectionalLight(0xffffff, 1.6);
      sun.position.set(-0.5, -0.8, 1.4);
      scene.add(sun, new THREE.HemisphereLight(0xffffff, 0xb8b0a4, 1.5));
      let view: WorldView | undefined;
      if (blob) {
        const count = blob.u32("floorBegin").length - 1;
        const known = Array.from({ length: count }, (_, k) => layers[k] ?? { id: k, name: "", height: 0 });
        view = new WorldView(blob, known, app.theme, app.options);
        scene.add(view.root);
        this.box.union(view.box);
      }
      const ms = mesh.metrics.build_ms;
      const label = el("div", { class: "compare-label" }, el("strong", {}, mesh.generator), ` ${mesh.shown ? `${number(mesh.cells)} cells` : mesh.message || mesh.status}${ms !== undefined ? `, ${number(ms, 1)} ms` : ""}`);
      this.labels.append(label);
      this.cells.push({ view, scene, label });
    });
    app.frame.view.append(this.labels);
  }

  apply(): void {
    for (const cell of this.cells) cell.view?.apply(this.app.options, this.app.theme);
  }

  draw(renderer: THREE.WebGLRenderer): void {
    const width = renderer.domElement.clientWidth;
    const height = renderer.domElement.clientHeight;
    const n = Math.max(1, this.cells.length);
    const columns = Math.max(1, Math.min(n, Math.round(Math.sqrt((n * width) / Math.max(1, height)))));
    const rows = Math.ceil(n / columns);
    const w = width / columns;
    const h = height / rows;
    const camera = this.app.stage.camera;
    const aspect = camera.aspect;
    camera.aspect = w / h;
    camera.updateProjectionMatrix();
    renderer.setScissorTest(true);
    const background = new THREE.Color(kColours[this.app.theme].background);
    this.cells.forEach((cell, i) => {
      const x = (i % columns) * w;
      const y = Math.floor(i / columns) * h;
      renderer.setViewport(x, height - y - h, w, h);
      renderer.setScissor(x, height - y - h, w - 1, h - 1);
      cell.scene.background = background;
      renderer.render(cell.scene, camera);
      cell.label.style.transform = `translate(${x + 8}px, ${y + 8}px)`;
      cell.label.style.maxWidth = `${w - 16}px`;
    });
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, width, height);
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
  }

  dispose(): void {
    for (const cell of this.cells) cell.view?.dispose();
    this.labels.remove();
  }
}
