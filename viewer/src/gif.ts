// Animated GIF (the format's version 89a): one palette of 255 colours for all pictures, pixels that stay are transparent.

export interface GifPicture {
  pixels: Uint8ClampedArray; // RGBA
  milliseconds: number; // how long it is shown
}

const kColours = 255; // the last index is transparent
const kBits = 5; // of each channel that count

const keyOf = (p: Uint8ClampedArray, i: number): number =>
  ((p[i] >> (8 - kBits)) << (2 * kBits)) | ((p[i + 1] >> (8 - kBits)) << kBits) | (p[i + 2] >> (8 - kBits));
const channel = (key: number, c: number): number => (key >> ((2 - c) * kBits)) & 31;

// The palette by cutting the box of colours with most pixels in its middle, over and over; and the colour of each key.
function makePalette(pictures: GifPicture[]): { palette: Uint8Array; indexOf: Uint8Array } {
  const count = new Float64Array(1 << (3 * kBits));
  for (const { pixels } of pictures) for (let i = 0; i < pixels.length; i += 4) ++count[keyOf(pixels, i)];
  const used = Array.from(count.keys()).filter((key) => count[key] > 0);
  const weigh = (keys: number[]): number => keys.reduce((sum, key) => sum + count[key], 0);
  const boxes = [{ keys: used, weight: weigh(used) }];
  while (boxes.length < kColours) {
    boxes.sort((a, b) => b.weight - a.weight);
    const at = boxes.findIndex((box) => box.keys.length > 1);
    if (at < 0) break;
    const [{ keys, weight }] = boxes.splice(at, 1);
    const range = [0, 1, 2].map((c) => {
      const values = keys.map((key) => channel(key, c));
      return Math.max(...values) - Math.min(...values);
    });
    const axis = range.indexOf(Math.max(...range));
    keys.sort((a, b) => channel(a, axis) - channel(b, axis) || a - b);
    let half = 0;
    let sum = 0;
    while (half < keys.length - 1 && sum < weight / 2) sum += count[keys[half++]];
    half = Math.max(1, half);
    for (const part of [keys.slice(0, half), keys.slice(half)]) boxes.push({ keys: part, weight: weigh(part) });
  }
  const palette = new Uint8Array(256 * 3);
  const indexOf = new Uint8Array(1 << (3 * kBits));
  boxes.forEach(({ keys, weight }, i) => {
    for (let c = 0; c < 3; ++c) {
      const mean = keys.reduce((sum, key) => sum + count[key] * channel(key, c), 0) / Math.max(1, weight);
      palette[i * 3 + c] = Math.round((mean * 255) / 31);
    }
    for (const key of keys) indexOf[key] = i;
  });
  return { palette, indexOf };
}

// The format's LZW with codes of 8 to 12 bits, in blocks of at most 255 bytes.
function compress(indices: Uint8Array, out: number[]): void {
  const clear = 256;
  const end = 257;
  let table = new Map<number, number>();
  let next = end + 1;
  let size = 9;
  let bits = 0;
  let held = 0;
  let block: number[] = [];
  const flush = (): void => {
    if (block.length === 0) return;
    out.push(block.length, ...block);
    block = [];
  };
  const write = (code: number): void => {
    bits |= code << held;
    held += size;
    while (held >= 8) {
      block.push(bits & 255);
      bits >>>= 8;
      held -= 8;
      if (block.length === 255) flush();
    }
  };
  out.push(8);
  write(clear);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; ++i) {
    const pair = prefix * 256 + indices[i];
    const known = table.get(pair);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    if (next === 4096) {
      write(clear);
      table = new Map();
      next = end + 1;
      size = 9;
    } else {
      if (next === 1 << size) ++size;
      table.set(pair, next++);
    }
    prefix = indices[i];
  }
  write(prefix);
  if (next === 1 << size && size < 12) ++size;
  write(end);
  if (held > 0) block.push(bits & 255);
  flush();
  out.push(0);
}

export function encodeGif(width: number, height: number, pictures: GifPicture[]): Uint8Array<ArrayBuffer> {
  const { palette, indexOf } = makePalette(pictures);
  const parts: Uint8Array[] = [];
  const word = (value: number): number[] => [value & 255, (value >> 8) & 255];
  const text = (value: string): number[] => [...value].map((letter) => letter.charCodeAt(0));
  parts.push(Uint8Array.from([...text("GIF89a"), ...word(width), ...word(height), 0xf7, 0, 0, ...palette]));
  parts.push(Uint8Array.from([0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0])); // again and again
  let before: Uint8Array | undefined;
  for (const { pixels, milliseconds } of pictures) {
    const indices = new Uint8Array(width * height);
    for (let i = 0; i < indices.length; ++i) indices[i] = indexOf[keyOf(pixels, i * 4)];
    const shown = indices.slice();
    if (before) for (let i = 0; i < indices.length; ++i) if (indices[i] === before[i]) indices[i] = kColours;
    before = shown;
    const out = [0x21, 0xf9, 4, 0x05, ...word(Math.round(milliseconds / 10)), kColours, 0, 0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0];
    compress(indices, out);
    parts.push(Uint8Array.from(out));
  }
  parts.push(Uint8Array.from([0x3b]));
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

const kWidth = 560; // pixels at most
const kEvery = 100; // ms
const kMost = 100; // pictures, so that memory stays small

// Takes pictures of a canvas until stop() is called or there are enough, and saves them.
export class GifRecorder {
  private pictures: GifPicture[] = [];
  private timer = 0;
  private last = 0;
  private pen?: CanvasRenderingContext2D;
  onDone: (file: Uint8Array<ArrayBuffer>) => void = () => {};

  get running(): boolean {
    return this.timer !== 0;
  }

  // Every tenth of a second; by hand: only when take() is called.
  start(canvas: HTMLCanvasElement, byHand = false): void {
    const scale = Math.min(1, kWidth / canvas.width);
    const small = document.createElement("canvas");
    small.width = Math.max(1, Math.round(canvas.width * scale));
    small.height = Math.max(1, Math.round(canvas.height * scale));
    this.pen = small.getContext("2d", { willReadFrequently: true })!;
    this.pictures = [];
    this.timer = window.setInterval(() => byHand || this.take(canvas), kEvery);
    if (!byHand) this.take(canvas);
  }

  // A picture that stays until the next one, or for so long.
  take(canvas: HTMLCanvasElement, milliseconds?: number): void {
    const pen = this.pen!;
    const now = performance.now();
    const previous = this.pictures[this.pictures.length - 1];
    if (previous && milliseconds === undefined) previous.milliseconds = Math.min(1000, now - this.last);
    this.last = now;
    pen.drawImage(canvas, 0, 0, pen.canvas.width, pen.canvas.height);
    this.pictures.push({ pixels: pen.getImageData(0, 0, pen.canvas.width, pen.canvas.height).data, milliseconds: milliseconds ?? kEvery });
    if (this.pictures.length >= kMost) this.stop();
  }

  stop(): void {
    if (!this.running) return;
    clearInterval(this.timer);
    this.timer = 0;
    const { width, height } = this.pen!.canvas;
    const file = encodeGif(width, height, this.pictures);
    this.pictures = [];
    this.onDone(file);
  }
}
