// Three low-polygon characters of our own. A vertex carries the limb it belongs to; the shader swings limbs by the phase of
// the walk, so that thousands of figures are one draw call.
import * as THREE from "three";

// Limbs: 0 body, 1 and 2 thighs, 3 and 4 shins, 5 and 6 arms. Tones: 0 shirt, 1 trousers, 2 skin, 3 hair and shoes.
class Builder {
  positions: number[] = [];
  normals: number[] = [];
  limbs: number[] = [];
  tones: number[] = [];

  // A box that tapers from `bottom` to `top` half widths, between two heights.
  box(limb: number, tone: number, x: number, y: number, z0: number, z1: number, bottom: [number, number], top: [number, number]): void {
    const corner = (sx: number, sy: number, up: boolean): THREE.Vector3 => {
      const [hx, hy] = up ? top : bottom;
      return new THREE.Vector3(x + sx * hx, y + sy * hy, up ? z1 : z0);
    };
    const quad = (a: THREE.Vector3, b: THREE.Vector3, c: THREE.Vector3, d: THREE.Vector3): void => {
      const n = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
      for (const p of [a, b, c, a, c, d]) this.vertex(p, n, limb, tone);
    };
    quad(corner(-1, -1, false), corner(1, -1, false), corner(1, -1, true), corner(-1, -1, true));
    quad(corner(1, -1, false), corner(1, 1, false), corner(1, 1, true), corner(1, -1, true));
    quad(corner(1, 1, false), corner(-1, 1, false), corner(-1, 1, true), corner(1, 1, true));
    quad(corner(-1, 1, false), corner(-1, -1, false), corner(-1, -1, true), corner(-1, 1, true));
    quad(corner(-1, -1, true), corner(1, -1, true), corner(1, 1, true), corner(-1, 1, true));
    quad(corner(-1, 1, false), corner(1, 1, false), corner(1, -1, false), corner(-1, -1, false));
  }

  ball(limb: number, tone: number, x: number, y: number, z: number, r: number, squash = 1): void {
    const shape = new THREE.IcosahedronGeometry(r, 1);
    const p = shape.getAttribute("position");
    for (let i = 0; i < p.count; ++i) {
      const v = new THREE.Vector3().fromBufferAttribute(p, i);
      const n = v.clone().normalize();
      this.vertex(new THREE.Vector3(v.x + x, v.y + y, v.z * squash + z), n, limb, tone);
    }
  }

  private vertex(p: THREE.Vector3, n: THREE.Vector3, limb: number, tone: number): void {
    this.positions.push(p.x, p.y, p.z);
    this.normals.push(n.x, n.y, n.z);
    this.limbs.push(limb);
    this.tones.push(tone);
  }
}

// Walks towards +x. Metres.
export function makeFigure(kind: number): THREE.BufferGeometry {
  const b = new Builder();
  const wide = kind === 1 ? 1.12 : 1;
  for (const side of [0, 1]) {
    const y = side === 0 ? 0.095 : -0.095;
    b.box(1 + side, kind === 2 ? 0 : 1, 0, y, 0.46, 0.9, [0.062, 0.06], [0.085, 0.082]);
    b.box(3 + side, kind === 2 ? 2 : 1, 0, y, 0.07, 0.47, [0.045, 0.045], [0.06, 0.058]);
    b.box(3 + side, 3, 0.045, y, 0, 0.08, [0.12, 0.048], [0.08, 0.045]);
    const shoulder = side === 0 ? 0.225 * wide : -0.225 * wide;
    b.box(5 + side, 0, 0, shoulder, 1.0, 1.4, [0.042, 0.04], [0.055, 0.05]);
    b.box(5 + side, 2, 0.01, shoulder, 0.8, 1.0, [0.035, 0.032], [0.04, 0.038]);
  }
  b.box(0, 0, 0, 0, 0.88, 1.16, [0.1, 0.155], [0.105, 0.16]);
  b.box(0, 0, 0, 0, 1.16, 1.44, [0.105, 0.16], [0.085, 0.2 * wide]);
  if (kind === 2) b.box(0, 0, 0, 0, 0.62, 0.94, [0.2, 0.23], [0.11, 0.165]);
  b.box(0, 2, 0, 0, 1.42, 1.5, [0.045, 0.05], [0.045, 0.05]);
  b.ball(0, 2, 0.015, 0, 1.6, 0.115, 1.15);
  b.ball(0, 3, -0.02, 0, 1.645, 0.118, 0.95);
  if (kind === 1) b.box(0, 3, -0.17, 0, 1.0, 1.38, [0.075, 0.14], [0.06, 0.12]);
  if (kind === 2) b.ball(0, 3, -0.12, 0, 1.72, 0.055);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(b.positions, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(b.normals, 3));
  geometry.setAttribute("limb", new THREE.Float32BufferAttribute(b.limbs, 1));
  geometry.setAttribute("tone", new THREE.Float32BufferAttribute(b.tones, 1));
  return geometry;
}

// Poses a vertex: idle, walk and run blend by speed (m/s). `phase` is in turns of one stride of both legs.
export const kPose = `
  vec3 turnY(vec3 p, float z, float angle) {
    float c = cos(angle), s = sin(angle);
    vec2 q = vec2(p.x, p.z - z);
    return vec3(c * q.x - s * q.y, p.y, s * q.x + c * q.y + z);
  }
  vec3 turnNormal(vec3 n, float angle) {
    float c = cos(angle), s = sin(angle);
    return vec3(c * n.x - s * n.z, n.y, s * n.x + c * n.z);
  }
  void pose(inout vec3 p, inout vec3 n, float limb, float phase, float speed) {
    float walk = smoothstep(0.05, 0.9, speed);
    float run = smoothstep(1.9, 3.2, speed);
    float turn = phase * 6.2831853;
    bool odd = limb > 1.5 && limb < 2.5 || limb > 3.5 && limb < 4.5 || limb > 4.5 && limb < 5.5;
    float side = odd ? 3.14159265 : 0.0;
    float swing = sin(turn + side) * mix(0.42, 0.75, run) * walk;
    float knee = max(0.0, sin(turn + side + 1.9)) * mix(0.65, 1.35, run) * walk;
    if (limb > 2.5 && limb < 4.5) {
      p = turnY(p, 0.47, -knee);
      n = turnNormal(n, -knee);
    }
    if (limb > 0.5 && limb < 4.5) {
      p = turnY(p, 0.9, swing);
      n = turnNormal(n, swing);
    }
    if (limb > 4.5) {
      float arm = sin(turn + side) * mix(0.35, 0.9, run) * walk + 0.03 * sin(turn * 0.2);
      if (p.z < 1.02) {
        float elbow = mix(0.12, 1.3, run) * walk;
        p = turnY(p, 1.02, elbow);
        n = turnNormal(n, elbow);
      }
      p = turnY(p, 1.4, arm);
      n = turnNormal(n, arm);
    }
    p.z += abs(cos(turn)) * mix(0.018, 0.06, run) * walk - 0.01 * walk;
    if (limb < 0.5 || limb > 4.5) p = turnY(p, 0.9, -mix(0.02, 0.16, run) * walk);
  }
`;
