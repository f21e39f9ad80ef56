// Line charts that run along with a crowd.
import type { Charts, CrowdStatus } from "./messages";
import { kCategories } from "./themes";

export interface Series {
  name: string;
  values: number[];
  colour: string;
}

export class ChartData {
  times: number[] = [];
  inside: number[] = [];
  left: number[] = [];
  crossed: number[][] = []; // per line
  run = -1;

  take(charts: Charts): void {
    this.run = charts.run;
    this.times = charts.times;
    this.inside = charts.inside;
    this.left = charts.left;
    const lines = charts.crossed[0]?.length ?? 0;
    this.crossed = Array.from({ length: lines }, (_, k) => charts.crossed.map((row) => row[k]));
  }

  add(status: CrowdStatus, keep: boolean): void {
    if (status.run !== this.run) {
      this.run = status.run;
      this.times = [];
      this.inside = [];
      this.left = [];
      this.crossed = status.crossed.map(() => []);
    }
    if (!keep) return;
    const last = this.times[this.times.length - 1] ?? -1;
    if (status.time <= last) return;
    this.times.push(status.time);
    this.inside.push(status.inside);
    this.left.push(status.left);
    status.crossed.forEach((value, k) => (this.crossed[k] ??= []).push(value));
    // Half of the points of a long run, so that memory stays flat.
    if (this.times.length > 2000) {
      const thin = <T>(values: T[]): T[] => values.filter((_, i) => i % 2 === 0);
      this.times = thin(this.times);
      this.inside = thin(this.inside);
      this.left = thin(this.left);
      this.crossed = this.crossed.map(thin);
    }
  }

  // Persons per minute over a window.
  flow(line: number): number[] {
    const window = 10;
    let from = 0;
    return this.times.map((time, i) => {
      while (this.times[from] < time - window) ++from;
      const passed = time - this.times[from];
      return passed > 0 ? ((this.crossed[line][i] - this.crossed[line][from]) / passed) * 60 : 0;
    });
  }
}

export function drawChart(canvas: HTMLCanvasElement, times: number[], series: Series[], unit: string, now?: number): void {
  const ratio = Math.min(devicePixelRatio, 2);
  const width = canvas.clientWidth || 260;
  const height = canvas.clientHeight || 110;
  if (canvas.width !== width * ratio) canvas.width = width * ratio;
  if (canvas.height !== height * ratio) canvas.height = height * ratio;
  const pen = canvas.getContext("2d")!;
  const style = getComputedStyle(canvas);
  const ink = style.getPropertyValue("--ink-soft") || "#667";
  const grid = style.getPropertyValue("--line") || "#ddd";
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const left = 38;
  const right = 8;
  const top = 8;
  const bottom = 18;
  const end = Math.max(times[times.length - 1] ?? 1, 1);
  const most = Math.max(1, ...series.map((s) => s.values.reduce((m, v) => Math.max(m, v), 0)));
  const power = 10 ** Math.floor(Math.log10(most));
  const peak = Math.ceil(most / power) * power;
  const x = (time: number): number => left + (time / end) * (width - left - right);
  const y = (value: number): number => height - bottom - (value / peak) * (height - top - bottom);
  pen.font = "10px system-ui, sans-serif";
  pen.fillStyle = ink;
  pen.strokeStyle = grid;
  pen.lineWidth = 1;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const share of [0, 0.5, 1]) {
    pen.beginPath();
    pen.moveTo(left, Math.round(y(peak * share)) + 0.5);
    pen.lineTo(width - right, Math.round(y(peak * share)) + 0.5);
    pen.stroke();
    pen.fillText(peak * share >= 10000 ? `${(peak * share) / 1000}k` : `${peak * share}`, left - 5, y(peak * share));
  }
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  pen.fillText("0", left, height - 5);
  pen.textAlign = "right";
  pen.fillText(`${end >= 120 ? `${(end / 60).toFixed(1)} min` : `${end.toFixed(0)} s`}`, width - right, height - 5);
  pen.textAlign = "center";
  pen.fillText(unit, (left + width) / 2, height - 5);
  for (const one of series) {
    pen.strokeStyle = one.colour;
    pen.lineWidth = 1.8;
    pen.lineJoin = "round";
    pen.beginPath();
    const every = Math.max(1, Math.floor(one.values.length / (width * 2)));
    for (let i = 0; i < one.values.length; i += every) {
      if (i === 0) pen.moveTo(x(times[i]), y(one.values[i]));
      else pen.lineTo(x(times[i]), y(one.values[i]));
    }
    pen.stroke();
  }
  if (now !== undefined) {
    pen.strokeStyle = ink;
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(x(now), top);
    pen.lineTo(x(now), height - bottom);
    pen.stroke();
    pen.setLineDash([]);
  }
}

export function lineColour(index: number): string {
  return kCategories[index % kCategories.length];
}
