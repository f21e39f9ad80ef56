// An hour of simulation with a page open: memory of the program and of the page must stay flat. For `make soak`.
// Usage: node hour.mjs WEND PAGE FOLDER [SECONDS OF SIMULATION] [SPEED]. Exit 77: no browser or no page.
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const [wend, pageFolder, folder] = process.argv.slice(2, 5).map((p) => resolve(p));
const seconds = Number(process.argv[5] ?? 3600);
const speed = Number(process.argv[6] ?? 16);
const { findBrowser, openWindow, ready, startBrowser, startProgram } = await import("./browser.mjs");
if (!findBrowser() || !existsSync(join(pageFolder, "index.html"))) {
  console.log("skipped: no chromium, or the page is not built");
  process.exit(77);
}
const { endCrowd, MemoryWatch, startEndlessCrowd } = await import("./memory.mjs");
await mkdir(folder, { recursive: true });
const rooms = join(folder, "rooms.wkt");
await writeFile(rooms, "POLYGON ((0 0, 10 0, 10 4.5, 12 4.5, 12 0, 22 0, 22 10, 12 10, 12 5.5, 10 5.5, 10 10, 0 10, 0 0))");
const program = await startProgram(wend, [rooms], pageFolder);
const browser = await startBrowser();
const errors = [];
let failed = false;
const begin = Date.now();
try {
  const page = await openWindow(browser.context, program.address, errors);
  await ready(page);
  await startEndlessCrowd(page, speed);
  const watch = await MemoryWatch.start(browser.context, page, program.child.pid);
  // Twelve samples over the run. What is reached within the first tenth (caches, compiled code) is not counted.
  const samples = 12;
  console.log("simulated s,wall s,persons,program MB,page heap MB,nodes,listeners,geometries,textures");
  for (let i = 1; i <= samples; ++i) {
    await page.waitForFunction((time) => window.wend.people.time >= time, seconds * (0.1 + (0.9 * i) / samples), { timeout: 3600e3, polling: 500 });
    const s = await watch.take();
    console.log([s.time.toFixed(0), ((Date.now() - begin) / 1000).toFixed(0), s.inside, s.program.toFixed(1), s.heap.toFixed(2), s.nodes, s.listeners, s.geometries, s.textures].join(","));
  }
  await endCrowd(page);
  const limits = { program: 8, heap: 4, nodes: 500, listeners: 500, geometries: 8, textures: 2 };
  for (const [name, limit] of Object.entries(limits)) {
    const grown = watch.growth(name);
    if (grown <= limit) continue;
    failed = true;
    console.log(`FAILED: ${name} grew by ${grown.toFixed(1)}; at most ${limit} is allowed`);
  }
} catch (error) {
  failed = true;
  console.log(`FAILED: ${error.stack}`);
} finally {
  await browser.close();
  if ((await program.end()) !== 0) failed = true;
}
if (errors.length > 0) console.log(`FAILED: on the console: ${JSON.stringify(errors.slice(0, 5))}`);
process.exit(failed || errors.length > 0 ? 1 : 0);
