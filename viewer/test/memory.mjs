// The memory of the program and of a page, sampled while a crowd walks.
import { readFileSync } from "node:fs";

export class MemoryWatch {
  samples = [];

  static async start(context, page, pid) {
    const watch = new MemoryWatch();
    watch.page = page;
    watch.pid = pid;
    watch.session = await context.newCDPSession(page);
    await watch.session.send("Performance.enable");
    return watch;
  }

  // After a collection of garbage: what is really held.
  async take() {
    await this.page.evaluate(() => window.gc());
    const { metrics } = await this.session.send("Performance.getMetrics");
    const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    const page = await this.page.evaluate(() => {
      const { memory } = window.wend.stage.renderer.info;
      return { time: window.wend.people.time, inside: window.wend.people.inside, geometries: memory.geometries, textures: memory.textures };
    });
    const resident = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, "utf8"))[1]) / 1024;
    const sample = { ...page, heap: of("JSHeapUsedSize") / 2 ** 20, nodes: of("Nodes"), listeners: of("JSEventListeners"), program: resident };
    this.samples.push(sample);
    return sample;
  }

  // What one of these grew by, from the median of the first third of the samples to that of the last third.
  growth(name) {
    const values = this.samples.map((sample) => sample[name]);
    const third = Math.max(1, Math.floor(values.length / 3));
    const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
    return median(values.slice(-third)) - median(values.slice(0, third));
  }
}

// Persons come and go without end: 0.7 per second, less than the door lets through, enter in the west and leave in the
// east. They are seen with everything on: charts, the density map, a person that is watched.
export async function startEndlessCrowd(page, speed) {
  await page.click("#tab-crowd");
  await page.evaluate((factor) => {
    const a = window.wend;
    a.sendCrowd((c) => {
      c.sources = [{ id: "west", layer: 0, area: [[1, 1], [9, 1], [9, 9], [1, 9]], count: 20, rate: 0.7 }];
      c.exits = [{ id: "east", layer: 0, area: [[20, 0], [22, 0], [22, 10], [20, 10]] }];
      c.lines = [{ id: "gate", layer: 0, from: [11, 4.5], to: [11, 5.5] }];
    });
    a.link.send("speed", { factor });
    a.link.send("map", { on: true });
    a.link.send("run", { action: "start" });
    // Someone is always watched: the next one when a person has left.
    window.watching = setInterval(() => { if (!a.person) a.link.send("person", { slot: Math.floor(Math.random() * 20) }); }, 500);
  }, speed);
  await page.waitForFunction(() => window.wend.people.frames > 5, undefined, { timeout: 90000 });
}

export async function endCrowd(page) {
  await page.evaluate(() => {
    clearInterval(window.watching);
    for (const [kind, fields] of [["run", { action: "reset" }], ["speed", { factor: 1 }], ["map", { on: false }], ["person", {}]]) window.wend.link.send(kind, fields);
  });
  await page.waitForFunction(() => window.wend.people.inside === 0, undefined, { timeout: 90000 });
}
