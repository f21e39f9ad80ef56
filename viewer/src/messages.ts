// The messages between the page and the program. src/serve/command.h and session_state.cpp are the other side.

export type Point = [number, number];
export type Place = [number, number, number] | [number, number];

export interface GeneratorOption {
  name: string;
  meaning: string;
  default: string;
  choices: string[];
  min: number;
  max: number;
}
export interface Generator {
  name: string;
  meaning: string;
  source: string;
  missing: string;
  options: GeneratorOption[];
}
export interface Setting {
  name: string;
  unit: string;
  meaning: string;
  min: number;
  max: number;
  default: number;
  step: number;
  flag: boolean;
  voxel: boolean;
}
export interface Catalogue {
  kind: "catalogue";
  version: string;
  generators: Generator[];
  extract: Setting[];
  demos: { name: string; title: string; sentence: string }[];
  avoid: string[];
  follow: string[];
  serviceLimits: number[];
  serviceColours: [number, number, number][];
}

export interface Layer {
  id: number;
  name: string;
  height: number;
}
export interface Item {
  id: string;
  door: boolean;
  open: boolean;
  layer: number;
  points: Point[];
}
export interface Source {
  id: string;
  layer: number;
  area: Point[];
  count: number;
  rate: number;
}
export interface Exit {
  id: string;
  layer: number;
  area: Point[];
}
export interface Line {
  id: string;
  layer: number;
  from: Point;
  to: Point;
}
export interface DrawnCrowd {
  sources: Source[];
  exits: Exit[];
  lines: Line[];
  speed: number;
  deviation: number;
  radius: number;
  avoid: string;
  follow: string;
  roam: boolean;
}
export interface ComparedMesh {
  generator: string;
  status: string;
  message: string;
  cells: number;
  metrics: Record<string, number>;
  shown: boolean;
}
export interface State {
  kind: "state";
  documents: { name: string; kind: string; format: string }[];
  active: number;
  document?: { name: string; kind: string; format: string };
  busy: string;
  error: string;
  stages: { name: string; seconds: number }[];
  notes: string[];
  version: number;
  origin: [number, number, number];
  settings: {
    generator: string;
    options: Record<string, string>;
    extract: Record<string, number>;
    extractMethod: string;
  };
  items: Item[];
  undo: number;
  redo: number;
  crowd: DrawnCrowd;
  run: number;
  playing: boolean;
  live: boolean;
  recording: boolean;
  recordingOn: boolean;
  speed: number;
  map: boolean;
  scene?: { triangles: number; vertices: number };
  scenario?: {
    name: string;
    persons: number;
    sources: { id: string; layer: number; loops: Point[][]; count: number }[];
    exits: { id: string; layer: number; loops: Point[][] }[];
    lines: Line[];
  };
  world?: {
    generator: string;
    cells: number;
    portals: number;
    vertices: number;
    area: number;
    components: number;
    boundaries: number;
    genus: number;
    layers: Layer[];
    axis: boolean;
    hash: string;
    edited: boolean;
  };
  extraction?: { spots: number; facets: number; patches: number; dropped: number; droppedArea: number };
  show?: { profiles: string[]; goals: string[]; lines: string[]; duration: number; step: number; over: boolean };
  comparison?: { worlds: string[]; world: number; meshes: ComparedMesh[] };
}

export interface PlannedRoute {
  method: string;
  status: string;
  sentence: string;
  microseconds: number;
  expanded: number;
  points?: number[];
  portals?: number[];
  arcs?: number[];
  length?: number;
  clearance?: number;
  cells?: number;
}
export interface Plan {
  kind: "plan";
  from?: Place;
  to?: Place;
  radius?: number;
  clearance?: number;
  side?: number;
  routes: PlannedRoute[];
  narrowest?: { place: [number, number, number]; radius: number } | null;
}
export interface Probe {
  kind: "probe";
  at: Place;
  on: boolean;
  cell?: number;
  layer?: number;
  layerName?: string;
  height?: number;
  area?: number;
  sides?: number;
  density?: number;
  clearance?: number;
  obstacle?: [number, number, number];
  outline?: number[];
  sight?: number[];
}
export interface CrowdStatus {
  kind: "crowd";
  run: number;
  time: number;
  inside: number;
  left: number;
  crossed: number[];
  playing: boolean;
  over: boolean;
  engineMs: number;
  frameMs: number;
}
export interface Charts {
  kind: "charts";
  run: number;
  times: number[];
  inside: number[];
  left: number[];
  crossed: number[][];
}
export interface Person {
  kind: "person";
  slot: number | null;
  id: number;
  speed: number;
  freeSpeed: number;
  radius: number;
  density: number;
  waited: number;
  profile: string;
  goalName: string;
  doing: string;
  route: number[];
  neighbours: number[];
  place: [number, number, number];
  goal?: [number, number, number];
}
export type Message =
  | Catalogue
  | State
  | Plan
  | Probe
  | CrowdStatus
  | Charts
  | Person
  | { kind: "progress"; stage: string; fraction: number }
  | { kind: "error"; code: string; message: string }
  | { kind: "download"; address: string; name: string };
