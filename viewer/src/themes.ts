// Colours: light and dark, and palettes that people with any kind of colour vision can tell apart.
import { Color } from "three";

export type Theme = "light" | "dark";

export interface Colours {
  background: string;
  fog: string;
  floor: string;
  floorEdge: string;
  wall: string;
  wallTop: string;
  portal: string;
  connection: string;
  axis: string;
  annotation: string;
  disk: string;
  scene: string;
  mark: string;
  route: string[];
  start: string;
  goal: string;
  sight: string;
  obstacle: string;
  door: string;
  source: string;
  exit: string;
  line: string;
}

// Routes and other categories: Okabe and Ito (2008), which all kinds of colour vision tell apart.
export const kCategories = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d00", "#6b4ca0"];

export const kColours: Record<Theme, Colours> = {
  light: {
    background: "#eef0f1",
    fog: "#eef0f1",
    floor: "#ffffff",
    floorEdge: "#d9dee2",
    wall: "#8a939b",
    wallTop: "#39424a",
    portal: "#6f94b8",
    connection: "#d97706",
    axis: "#7a1f8a",
    annotation: "#0f766e",
    disk: "#7a1f8a",
    scene: "#b9b2a6",
    mark: "#dc2626",
    route: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00"],
    start: "#15803d",
    goal: "#b91c1c",
    sight: "#f5b301",
    obstacle: "#5b6770",
    door: "#b45309",
    source: "#2563eb",
    exit: "#15803d",
    line: "#be185d",
  },
  dark: {
    background: "#12161b",
    fog: "#12161b",
    floor: "#2a323b",
    floorEdge: "#3b4651",
    wall: "#5c6975",
    wallTop: "#a9b6c2",
    portal: "#5f86ad",
    connection: "#f59e0b",
    axis: "#d08be0",
    annotation: "#4fd1c5",
    disk: "#d08be0",
    scene: "#6c675f",
    mark: "#f87171",
    route: ["#56b4e9", "#ff9150", "#3fd0a4", "#e6a3c8", "#e6c35c"],
    start: "#4ade80",
    goal: "#f87171",
    sight: "#ffd24a",
    obstacle: "#8b98a5",
    door: "#fbbf24",
    source: "#60a5fa",
    exit: "#4ade80",
    line: "#f472b6",
  },
};

const kSoft = {
  light: ["#c9dff0", "#d0e9ca", "#f8dfbd", "#dacfec", "#f6d0ca", "#c8e7e0", "#f5edbd", "#e2d6e8", "#ccdaee", "#e0edc9", "#f5d6e6", "#cae9ef"],
  dark: ["#2e4a5f", "#34523a", "#5c4a2e", "#46395c", "#5e3a38", "#2d524c", "#565030", "#4b3f52", "#33455f", "#48532f", "#573a4b", "#2c4f57"],
};
export function softColour(theme: Theme, index: number): Color {
  return new Color(kSoft[theme][index % 12]);
}

export type RampName = "viridis" | "cividis" | "traffic";
const kRamps: Record<RampName, string[]> = {
  viridis: ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"],
  cividis: ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"],
  traffic: ["#2166ac", "#67a9cf", "#5aae61", "#d9ef8b", "#fee08b", "#f46d43", "#b2182b", "#762a83"],
};
export const kRampNames: [RampName, string][] = [
  ["viridis", "Viridis (safe for colour blindness)"],
  ["cividis", "Cividis (safest for colour blindness)"],
  ["traffic", "Blue to red"],
];
// 256 colours from low to high, RGBA.
export function rampBytes(name: RampName): Uint8Array {
  const stops = kRamps[name].map((text) => new Color(text));
  const out = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; ++i) {
    const at = (i / 255) * (stops.length - 1);
    const k = Math.min(Math.floor(at), stops.length - 2);
    const c = stops[k].clone().lerp(stops[k + 1], at - k).convertLinearToSRGB();
    out.set([c.r * 255, c.g * 255, c.b * 255, 255], i * 4);
  }
  return out;
}
export function rampCss(name: RampName): string {
  return `linear-gradient(90deg, ${kRamps[name].join(", ")})`;
}
