// The triangles of a scene, as a modelling program wrote them, coloured by what extraction makes of them.
import * as THREE from "three";
import type { Blob } from "./link";
import { kColours, softColour, type Theme } from "./themes";

export type SceneColour = "plain" | "kinds" | "facets" | "labels";

const kKinds = { light: ["#9fd3b4", "#e9c46a", "#c3c7cb", "#b2a7c4"], dark: ["#2f7d58", "#9c7a24", "#565f68", "#5a4f70"] };
export const kKindNames = ["floor: can be stood on", "steep: too steep to stand on", "wall", "faces down"];

export class SceneView {
  readonly root = new THREE.Group();
  readonly box = new THREE.Box3();
  private mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  private defects?: THREE.Points;
  private kind: Uint8Array;
  private facet: Uint32Array;
  private label: Uint16Array;
  readonly defectCounts: { name: string; count: number }[];
  readonly left: number;

  constructor(blob: Blob) {
    const positions = blob.f32("positions");
    this.kind = blob.u8("kind");
    this.facet = blob.u32("facet");
    this.label = blob.u16("label");
    this.defectCounts = blob.meta.defects;
    this.left = blob.meta.left;
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
    const places = blob.f32("defects");
    if (places.length > 0) {
      const dots = new THREE.BufferGeometry();
      dots.setAttribute("position", new THREE.BufferAttribute(places, 3));
      this.defects = new THREE.Points(dots, new THREE.PointsMaterial({ size: 7, sizeAttenuation: false, depthTest: false, transparent: true, opacity: 0.9 }));
      this.root.add(this.defects);
    }
  }

  apply(colour: SceneColour, opacity: number, showDefects: boolean, ceiling: number, theme: Theme): void {
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
    material.clippingPlanes = ceiling < this.box.max.z ? [new THREE.Plane(new THREE.Vector3(0, 0, -1), ceiling)] : [];
    material.needsUpdate = true;
    this.mesh.visible = opacity > 0.02;
    if (this.defects) {
      this.defects.visible = showDefects;
      (this.defects.material as THREE.PointsMaterial).color.set(kColours[theme].mark);
    }
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.defects?.geometry.dispose();
    this.root.removeFromParent();
  }
}
