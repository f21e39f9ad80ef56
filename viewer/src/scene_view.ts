// The triangles of a scene, as a modelling program wrote them, coloured by what extraction makes of them.
import * as THREE from "three";
import type { Blob } from "./link";
import { kColours, softColour, type Theme } from "./themes";
import { lifted } from "./world_view";

export type SceneColour = "plain" | "kinds" | "facets" | "labels";

const kKinds = { light: ["#9fd3b4", "#e9c46a", "#c3c7cb", "#b2a7c4"], dark: ["#2f7d58", "#9c7a24", "#565f68", "#5a4f70"] };
// What became of a piece of free space; see src/environment/extract/record.h.
const kFates = { light: ["#009e73", "#e69f00", "#cc79a7"], dark: ["#1f8f6c", "#b98210", "#a85f88"] };
export const kFateNames = ["kept", "left out: too small, detached, or joins nothing", "inside a solid"];
export interface SceneOptions {
  colour: SceneColour;
  opacity: number;
  defects: boolean;
  ceiling: number; // m; what is higher is cut off
  free: boolean; // free space of the facets
  beside: boolean; // the scene on the left, the mesh on the right
}
export const kKindNames = ["floor: can be stood on", "steep: too steep to stand on", "wall", "faces down"];

export class SceneView {
  readonly root = new THREE.Group();
  readonly box = new THREE.Box3();
  private mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  private defects?: THREE.Points;
  private free?: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  private borders?: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private fate: Uint8Array;
  private piece: Uint32Array;
  private kind: Uint8Array;
  private facet: Uint32Array;
  private label: Uint16Array;
  readonly defectCounts: { name: string; count: number }[];
  readonly left: number;
  readonly hasFacets: boolean;
  readonly pieces: number; // of free space

  constructor(blob: Blob) {
    const positions = blob.f32("positions");
    this.kind = blob.u8("kind");
    this.facet = blob.u32("facet");
    this.label = blob.u16("label");
    this.defectCounts = blob.meta.defects;
    this.left = blob.meta.left;
    this.hasFacets = blob.meta.facets;
    this.fate = blob.u8("freeFate");
    this.piece = blob.u32("freePiece");
    this.pieces = new Set(this.piece).size;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(new Uint8Array(positions.length), 3, true));
    geometry.computeVertexNormals();
    geometry.computeBoundingBox();
    this.box.copy(geometry.boundingBox!);
    this.mesh = new THREE.Mesh(
      geometry,
      new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 4, polygonOffsetUnits: 4 }),
    );
    this.root.add(this.mesh);
    this.addFree(blob);
    const places = blob.f32("defects");
    if (places.length > 0) {
      const dots = new THREE.BufferGeometry();
      dots.setAttribute("position", new THREE.BufferAttribute(places, 3));
      this.defects = new THREE.Points(dots, new THREE.PointsMaterial({ size: 7, sizeAttenuation: false, depthTest: false, transparent: true, opacity: 0.9 }));
      this.root.add(this.defects);
    }
  }

  private addFree(blob: Blob): void {
    const positions = lifted(blob.f32("free"), 0.03);
    if (positions.length === 0) return;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(new Uint8Array(positions.length), 3, true));
    this.free = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.DoubleSide }));
    const lines = new THREE.BufferGeometry();
    lines.setAttribute("position", new THREE.BufferAttribute(lifted(blob.f32("freeBorders"), 0.04), 3));
    this.borders = new THREE.LineSegments(lines, new THREE.LineBasicMaterial());
    this.root.add(this.free, this.borders);
  }

  // Kept pieces have soft colours of their own, so that neighbours can be told apart; the others one colour each.
  private paintFree(theme: Theme): void {
    const attribute = this.free!.geometry.getAttribute("color") as THREE.BufferAttribute;
    const bytes = attribute.array as Uint8Array;
    const fates = kFates[theme].map((text) => new THREE.Color(text));
    const kept = Array.from({ length: 12 }, (_, i) => softColour(theme, i).lerp(fates[0], 0.35));
    for (let t = 0; t < this.fate.length; ++t) {
      const c = this.fate[t] === 0 ? kept[(this.piece[t] * 7) % 12] : fates[this.fate[t]];
      for (let k = 0; k < 3; ++k) bytes.set([c.r * 255, c.g * 255, c.b * 255], t * 9 + k * 3);
    }
    attribute.needsUpdate = true;
  }

  apply({ colour, defects: showDefects, ceiling, free, beside, ...rest }: SceneOptions, theme: Theme): void {
    const opacity = beside ? 1 : rest.opacity;
    const attribute = this.mesh.geometry.getAttribute("color") as THREE.BufferAttribute;
    const bytes = attribute.array as Uint8Array;
    const plain = new THREE.Color(kColours[theme].scene);
    const kinds = kKinds[theme].map((text) => new THREE.Color(text));
    const soft = Array.from({ length: 12 }, (_, i) => softColour(theme, i));
    for (let t = 0; t < this.kind.length; ++t) {
      let c = plain;
      if (colour === "kinds") c = kinds[this.kind[t]];
      if (colour === "facets") c = this.facet[t] === 0xffffffff ? kinds[2] : soft[(this.facet[t] * 7) % 12];
      if (colour === "labels") c = soft[(this.label[t] * 5) % 12];
      for (let k = 0; k < 3; ++k) bytes.set([c.r * 255, c.g * 255, c.b * 255], t * 9 + k * 3);
    }
    attribute.needsUpdate = true;
    const material = this.mesh.material;
    material.opacity = opacity;
    material.transparent = opacity < 1;
    material.depthWrite = opacity >= 0.9;
    const cut = ceiling < this.box.max.z ? [new THREE.Plane(new THREE.Vector3(0, 0, -1), ceiling)] : [];
    material.clippingPlanes = cut;
    material.needsUpdate = true;
    this.mesh.visible = opacity > 0.02;
    if (this.free && this.borders) {
      this.free.visible = this.borders.visible = free;
      this.free.material.clippingPlanes = this.borders.material.clippingPlanes = cut;
      this.borders.material.color.set(kColours[theme].wallTop);
      if (free) this.paintFree(theme);
    }
    if (this.defects) {
      this.defects.visible = showDefects;
      (this.defects.material as THREE.PointsMaterial).color.set(kColours[theme].mark);
    }
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    for (const part of [this.free, this.borders, this.defects]) {
      part?.geometry.dispose();
      (part?.material as THREE.Material | undefined)?.dispose();
    }
    this.root.removeFromParent();
  }
}
