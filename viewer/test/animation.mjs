// The animation of the README, made by the page's own GIF export: people leave a room through a door of a metre.
// Usage: node animation.mjs WEND PAGE FILE.gif. Steps are taken one by one, so a slow machine gives the same pictures.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openWindow, ready, startBrowser, startProgram } from "./browser.mjs";

const [wend, pageFolder, out] = process.argv.slice(2, 5).map((p) => resolve(p));
const folder = await mkdtemp(join(tmpdir(), "wend-animation-"));
const rooms = join(folder, "rooms.wkt");
await writeFile(rooms, "POLYGON ((0 0, 10 0, 10 4.5, 11 4.5, 11 0, 22 0, 22 10, 11 10, 11 5.5, 10 5.5, 10 10, 0 10, 0 0))");
const program = await startProgram(wend, [rooms], pageFolder);
const browser = await startBrowser();
const errors = [];
try {
  const page = await openWindow(browser.context, program.address, errors, { width: 480, height: 420 });
  await ready(page);
  await page.evaluate(() => {
    const a = window.wend;
    a.frame.setPanel(false);
    a.sendCrowd((c) => {
      c.sources = [{ id: "hall", layer: 0, area: [[0.5, 0.5], [9, 0.5], [9, 9.5], [0.5, 9.5]], count: 110, rate: 0 }];
      c.exits = [{ id: "east", layer: 0, area: [[21, 0], [22, 0], [22, 10], [21, 10]] }];
    });
    a.colour = "speed";
    a.options.floor = "plain";
    a.options.showPortals = false;
    a.link.send("map", { on: true });
    a.link.send("run", { action: "step" });
  });
  await page.waitForFunction(() => window.wend.people.inside > 100);
  await page.evaluate(() => {
    const a = window.wend;
    a.showState();
    a.stage.fit(a.box());
    a.stage.camera.position.lerp(a.stage.controls.target, 0.22);
    a.stage.renderWhole();
    a.gif.start(a.stage.renderer.domElement, true);
  });
  const kSteps = 4; // of a tenth of a second for each picture: the animation runs at twice the real speed
  const save = page.waitForEvent("download");
  for (let picture = 0; picture < 48; ++picture) {
    const until = await page.evaluate((n) => window.wend.people.time + n * window.wend.state.show.step - 1e-6, kSteps);
    for (let i = 0; i < kSteps; ++i) await page.evaluate(() => window.wend.link.send("run", { action: "step" }));
    await page.waitForFunction((time) => window.wend.people.time >= time, until);
    await page.evaluate(() => {
      const a = window.wend;
      a.people.update(a.stage.camera, a.stage.renderer.domElement.height, false);
      a.stage.renderWhole();
      a.gif.take(a.stage.renderer.domElement, 200);
    });
  }
  await page.evaluate(() => {
    const a = window.wend;
    a.gif.onDone = (file) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([file]));
      link.download = "animation.gif";
      link.click();
    };
    a.gif.stop();
  });
  await (await save).saveAs(out);
} finally {
  await browser.close();
  await program.end();
  await rm(folder, { recursive: true, force: true });
}
if (errors.length > 0) throw new Error(errors.join("; "));
