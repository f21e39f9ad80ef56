// The page of `wend view` in a real browser, with the real program.
// Usage: node run.mjs WEND PAGE FOLDER; pictures go to FOLDER. Exit 77: no browser or no page.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const [wend, pageFolder, folder] = process.argv.slice(2).map((p) => resolve(p));
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
if (!existsSync(join(pageFolder, "index.html")) || !existsSync(join(root, "viewer/node_modules/playwright-core"))) {
  console.log("skipped: the page is not built; run make view");
  process.exit(77);
}
const { compareWithReference } = await import("./references.mjs");
const { endCrowd, MemoryWatch, startEndlessCrowd } = await import("./memory.mjs");
const { Fingers } = await import("./touch.mjs");
const { findBrowser, openWindow, ready, startBrowser, startProgram } = await import("./browser.mjs");
if (!findBrowser()) {
  console.log("skipped: no chromium; apt-get install chromium");
  process.exit(77);
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const file = (name) => join(folder, name);
let packed = 0;
for (const name of ["app.js", "style.css", "index.html", "icon.svg"]) packed += gzipSync(await readFile(join(pageFolder, name))).length;
const run = (...args) => execFileSync(wend, args, { stdio: ["ignore", "ignore", "inherit"] });
const begin = Date.now();
const errors = [];
let failed = 0;
function check(what, ok, more = "") {
  if (ok) return;
  ++failed;
  console.log(`FAILED: ${what} ${more}`);
}
check("the page is below 1.5 MB, compressed", packed < 1.5e6, `${packed} bytes`);
const said = (text) => console.log(`${((Date.now() - begin) / 1000).toFixed(1)} s  ${text}`);

// One file of each kind.
run("make", "--3d", "house", "-o", file("house.glb"));
run("make", "maze", "-o", file("maze.env"));
run("bake", file("maze.env"), "-o", file("maze.wend"));
await writeFile(file("rooms.wkt"), "POLYGON ((0 0, 10 0, 10 4.5, 12 4.5, 12 0, 22 0, 22 10, 12 10, 12 5.5, 10 5.5, 10 10, 0 10, 0 0))");
await writeFile(file("crowd.toml"), `format = 1
name = "Two rooms"
environment = "rooms.wkt"
[[source]]
id = "west"
area = [[1, 1], [9, 1], [9, 9], [1, 9]]
count = 60
journey = "out"
[[stage]]
id = "east"
kind = "exit"
area = [[20, 0], [22, 0], [22, 10], [20, 10]]
[[journey]]
id = "out"
stages = ["east"]
[[line]]
id = "gate"
from = [11, 4.5]
to = [11, 5.5]
[output]
every = 2
`);
run("simulate", file("crowd.toml"), "-o", file("run.sqlite"), "--quiet");
run("compare", file("rooms.wkt"), "-o", file("comparison"), "--generators", "ecm,neogen,delaunay,hertel-mehlhorn", "--repeat", "1", "--quiet");
said("files made");

const files = [file("house.glb"), file("rooms.wkt"), file("maze.wend"), file("crowd.toml"), file("run.sqlite"), file("comparison")];
const program = await startProgram(wend, files, pageFolder);
const browser = await startBrowser();
const app = (page, action, argument) => page.evaluate(action, argument);
// The middle of the view as a fraction of it.
const at = async (page, x, y) => {
  const box = await page.locator("#view > canvas").boundingBox();
  return [box.x + x * box.width, box.y + y * box.height];
};
// The pixel where a place of the world is drawn.
const pixel = (page, place) => page.evaluate(([x, y, z]) => {
  const a = window.wend;
  const v = a.stage.camera.position.clone().set(x - a.state.origin[0], y - a.state.origin[1], z - a.state.origin[2]);
  return a.stage.toScreen(v);
}, place);
const drag = async (page, from, to) => {
  const a = await pixel(page, from);
  const b = await pixel(page, to);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
  await page.mouse.move(b.x, b.y, { steps: 3 });
  await page.mouse.up();
};
const open = async (page, i) => {
  await page.evaluate((n) => window.wend.link.send("open", { document: n }), i);
  await page.waitForFunction((n) => window.wend.state?.active === n && !window.wend.state.busy, i, { timeout: 60000 });
  await ready(page);
};
const wait = (page, test, argument) => page.waitForFunction(test, argument, { timeout: 90000 });
const save = async (page, id) => {
  await page.click("#save");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click(id)]);
  const name = file(saved.suggestedFilename());
  await saved.saveAs(name);
  return name;
};
const colours = async (page) => page.evaluate(() => {
  const a = window.wend;
  a.stage.render();
  const canvas = document.createElement("canvas");
  canvas.width = 160;
  canvas.height = 100;
  const pen = canvas.getContext("2d");
  pen.drawImage(a.stage.renderer.domElement, 0, 0, 160, 100);
  const seen = new Set();
  const data = pen.getImageData(0, 0, 160, 100).data;
  for (let i = 0; i < data.length; i += 4) seen.add((data[i] >> 3) * 1024 + (data[i + 1] >> 3) * 32 + (data[i + 2] >> 3));
  return seen.size;
});

try {
  const page = await openWindow(browser.context, program.address, errors);
  await ready(page);
  // --- a scene
  check("the scene is drawn", (await colours(page)) > 10);
  check("the scene has a mesh", (await app(page, () => window.wend.state.world.cells)) > 10);
  await page.screenshot({ path: file("scene.png") });
  const reference = (name) => compareWithReference(page, name, check, folder);
  const look = (scene, world = {}) => page.evaluate(([s, w]) => { const a = window.wend; Object.assign(a.sceneOptions, s); Object.assign(a.options, w); a.showState(); }, [scene, world]);
  // --- every intermediate of extraction and generation
  await reference("scene");
  await page.selectOption("#scene-colour", "facets");
  await look({ opacity: 1 }, { showFloor: false, showPortals: false, showWalls: false });
  await reference("facets");
  await page.click("label:has(#free-space)");
  check("free space has pieces", (await app(page, () => window.wend.scene.pieces)) > 50);
  await look({ opacity: 0 });
  await reference("free_space");
  await page.screenshot({ path: file("free_space.png") });
  await look({ opacity: 0, free: false }, { showFloor: true, showWalls: true, floor: "layers", explode: 4 });
  await reference("exploded");
  await look({}, { explode: 0, showAxis: true, showBends: true, showDisks: true, floor: "components" });
  await reference("medial_axis");
  await look({ opacity: 0.35 }, { showAxis: false, showBends: false, showDisks: false, showPortals: true, floor: "cells" });
  await page.click("label:has(#beside)");
  await reference("beside");
  await page.screenshot({ path: file("beside.png") });
  const under = await app(page, () => {
    // The mesh is on the right: what is drawn there is found under the pointer.
    const a = window.wend;
    const p = a.stage.toScreen(a.stage.controls.target.clone());
    const box = a.stage.renderer.domElement.getBoundingClientRect();
    return { right: p.x > box.left + box.width / 2, hit: !!a.stage.at(p.x, p.y) };
  });
  check("the mesh beside the scene can be picked", under.right && under.hit, JSON.stringify(under));
  await page.click("label:has(#beside)");
  said("intermediates looked at");
  await page.click("#tab-mesh");
  const before = await app(page, () => window.wend.state.world.area);
  await page.locator("#extract-step").evaluate((input) => { input.value = "0.05"; input.dispatchEvent(new Event("input")); input.dispatchEvent(new Event("change")); });
  await wait(page, (area) => !window.wend.state.busy && window.wend.state.settings.extract.step === 0.05 && window.wend.state.world.area !== area, before);
  said("scene opened, extracted again with another step");

  // --- bake with another generator
  await open(page, 1);
  await page.selectOption("#generator", "neogen");
  await wait(page, () => window.wend.state.world?.generator === "neogen" && !window.wend.state.busy);
  check("stages have times", (await page.locator("#stages .stage").count()) >= 2);
  await page.selectOption("#generator", "ecm");
  await wait(page, () => window.wend.state.world?.generator === "ecm" && !window.wend.state.busy);

  // --- plan with two clicks
  await page.click("#tab-plan");
  for (const place of [[2, 5, 0], [20, 5, 0]]) {
    const p = await pixel(page, place);
    await page.mouse.click(p.x, p.y);
    await page.waitForTimeout(150);
  }
  await wait(page, () => window.wend.plan?.routes[0].status === "found");
  const length = await app(page, () => window.wend.plan.routes[0].length);
  check("the route is about 18 m long", Math.abs(length - 18) < 2, `${length}`);
  check("the card says so", /\d m/.test(await page.locator("#plan-card").innerText()));
  await page.locator("#radius").evaluate((input) => { input.value = "0.7"; input.dispatchEvent(new Event("input")); });
  await wait(page, () => window.wend.plan?.narrowest);
  check("the narrowest place is 0.5 m", Math.abs((await app(page, () => window.wend.plan.narrowest.radius)) - 0.5) < 1e-3);
  await page.click("label:has(#reach)");
  await page.click("label:has(#sight)");
  const over = await pixel(page, [5, 5, 0]);
  await page.mouse.move(over.x, over.y);
  await page.mouse.move(over.x + 3, over.y);
  await wait(page, () => window.wend.probe?.sight?.length > 8);
  await page.screenshot({ path: file("plan.png") });
  await page.click("label:has(#sight)");
  await page.mouse.move(5, 300);
  await page.evaluate(() => { window.wend.probe = undefined; window.wend.overlay.showProbe(undefined); });
  await reference("plan");
  said("planned, too wide a body explained");

  // --- an obstacle is drawn, dragged, turned, undone
  await page.click("#tab-edit");
  await page.click("#tool-obstacle");
  await drag(page, [2, 2, 0], [4, 4, 0]);
  await wait(page, () => window.wend.state.items.length === 1 && !window.wend.state.busy);
  const area = await app(page, () => window.wend.state.world.area);
  check("the obstacle takes 4 m2", Math.abs(area - 198) < 0.5, `${area}`);
  await page.click("#tool-select");
  await page.waitForTimeout(200);
  await drag(page, [3, 3, 1.1], [5, 5, 1.1]);
  await wait(page, () => window.wend.state.undo === 2 && !window.wend.state.busy);
  const moved = await app(page, () => window.wend.state.items[0].points[0]);
  check("it was dragged", Math.hypot(moved[0] - 4, moved[1] - 4) < 0.6, JSON.stringify(moved));
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await wait(page, () => window.wend.state.items.length === 0 && !window.wend.state.busy);
  said("obstacle drawn, dragged, undone");

  // --- memory while persons come and go; the hour is in hour.mjs
  await startEndlessCrowd(page, 16);
  const memory = await MemoryWatch.start(browser.context, page, program.child.pid);
  await wait(page, () => window.wend.people.time > 30 && window.wend.person);
  check("a person has neighbours, which are drawn", await page.waitForFunction(() => window.wend.person?.neighbours.length > 0 && window.wend.overlay.neighbours.visible, undefined, { timeout: 30000 }).then(() => true, () => false));
  for (let i = 0; i < 6; ++i) {
    await wait(page, (time) => window.wend.people.time >= time, 40 + 12 * i);
    await memory.take();
  }
  for (const [name, limit] of Object.entries({ program: 8, heap: 6, geometries: 8, textures: 2 })) check(`memory stays flat: ${name}`, memory.growth(name) <= limit, `grew by ${memory.growth(name).toFixed(1)}`);
  await page.screenshot({ path: file("endless.png") });
  await endCrowd(page);
  said(`memory: program ${memory.samples.map((s) => s.program.toFixed(0))} MB, page ${memory.samples.map((s) => s.heap.toFixed(1))} MB`);

  // --- 1,000 people, recorded; a door shuts before them
  await page.click("#tab-crowd");
  await page.click("label:has(#record)");
  await page.evaluate(() => window.wend.sendCrowd((c) => { c.sources = [{ id: "everywhere", layer: 0, area: [], count: 1000, rate: 0 }]; c.exits = [{ id: "east", layer: 0, area: [[20, 0], [22, 0], [22, 10], [20, 10]] }]; c.lines = [{ id: "gate", layer: 0, from: [11, 4.5], to: [11, 5.5] }]; c.radius = 0.15; }));
  await page.click("#play");
  await wait(page, () => window.wend.people.inside > 100 && window.wend.people.frames > 10);
  said("1,000 people walk");
  await page.selectOption("#people-colour", "density");
  for (const kind of ["speed", "waiting", "profile", "goal", "density"]) {
    await page.selectOption("#people-colour", kind);
    check(`people coloured by ${kind}`, (await colours(page)) > 10);
  }
  for (const palette of ["cividis", "traffic", "viridis"]) {
    await page.selectOption("#ramp", palette);
    check(`palette ${palette}`, (await colours(page)) > 10);
  }
  await page.click("label:has(#map)");
  await wait(page, () => window.wend.crowd?.left > 20);
  await page.evaluate(() => window.wend.link.send("person", { slot: 3 }));
  await wait(page, () => window.wend.person?.doing.length > 5 || window.wend.person === undefined);
  await page.evaluate(() => window.wend.link.send("edit", { edit: "door", layer: 0, points: [[11, 4.5], [11, 5.5]], open: false }));
  await wait(page, () => window.wend.state.world.components === 2 && !window.wend.state.busy);
  said("the door is shut");
  const still = await app(page, () => window.wend.people.frames);
  await wait(page, (n) => window.wend.people.frames > n + 5, still);
  await page.screenshot({ path: file("crowd.png") });
  await page.click("#play");
  const recording = await save(page, "#save-sqlite");
  check("the recording is an SQLite file", (await readFile(recording)).subarray(0, 15).toString() === "SQLite format 3");
  said("1,000 people, recorded, a door shut before them");

  // --- exports
  check("PNG", (await readFile(await save(page, "#save-png"))).subarray(1, 4).toString() === "PNG");
  check("SVG", (await readFile(await save(page, "#save-svg"), "utf8")).includes("<svg"));
  run("check", await save(page, "#save-wend"));
  run("info", await save(page, "#save-env"), "--quiet");
  check("TOML", (await readFile(await save(page, "#save-toml"), "utf8")).includes("[[source]]"));
  await page.click("#save");
  await page.click("#save-webm");
  await page.waitForTimeout(700);
  check("WebM", (await stat(await save(page, "#save-webm"))).size > 1000);
  await page.click("#save");
  await page.click("#save-gif");
  await page.waitForTimeout(600);
  const gif = await readFile(await save(page, "#save-gif"));
  check("GIF", gif.subarray(0, 6).toString() === "GIF89a" && gif[gif.length - 1] === 0x3b);
  const decoded = await page.evaluate(async (url) => { const image = new Image(); image.src = url; await image.decode(); return image.naturalWidth; }, `data:image/gif;base64,${gif.toString("base64")}`);
  check("the GIF can be read", decoded > 100, `${decoded}`);
  said("exported PNG, SVG, WEND, ENV, TOML, WebM, GIF");

  // --- the other kinds of files
  await open(page, 2);
  check("the world is drawn", (await colours(page)) > 10);
  await open(page, 3);
  check("the scenario has a source", (await app(page, () => window.wend.state.scenario.sources.length)) === 1);
  await page.keyboard.press(" ");
  await wait(page, () => window.wend.people.frames > 3 && window.wend.people.inside === 60);
  await open(page, 4);
  check("a recording has a timeline", await page.locator("#timeline").isVisible());
  check("60 people at the start", (await app(page, () => window.wend.people.inside)) === 60);
  await page.locator("#timeline").evaluate((input) => { input.value = input.max; input.dispatchEvent(new Event("input")); input.dispatchEvent(new Event("change")); });
  await wait(page, () => window.wend.people.inside < 30);
  await open(page, 5);
  check("four meshes side by side", (await page.locator(".compare-label").count()) === 4);
  await reference("compare");
  await page.screenshot({ path: file("compare.png") });
  said("world, scenario, recording and comparison opened");

  // --- two windows share the state; small, dark
  const small = await openWindow(browser.context, program.address, errors, { width: 400, height: 800 });
  await ready(small);
  await small.click("#theme");
  await small.screenshot({ path: file("small.png") });
  await small.evaluate(() => window.wend.link.send("open", { demo: "city" }));
  await wait(page, () => window.wend.state.document?.name === "city" && !window.wend.state.busy && window.wend.world);
  said("two windows show the same");

  // --- a tablet: everything within reach, a finger draws; a floor plan from nothing
  await small.setViewportSize({ width: 820, height: 1180 });
  const wide = await small.evaluate(() => ({ page: document.documentElement.scrollWidth, window: innerWidth }));
  check("nothing sticks out on a tablet", wide.page <= wide.window, JSON.stringify(wide));
  await small.screenshot({ path: file("tablet.png") });
  const fingers = await Fingers.on(browser.context, small);
  const view = await small.locator("#view > canvas").boundingBox();
  const spot = (x, y) => ({ x: view.x + x * view.width, y: view.y + y * view.height });
  const camera = () => small.evaluate(() => { const { camera, controls } = window.wend.stage; return { x: camera.position.x, away: camera.position.distanceTo(controls.target) }; });
  const first = await camera();
  await fingers.drag([[spot(0.4, 0.4), spot(0.6, 0.45)]]);
  const turned = await camera();
  check("one finger turns the view", Math.abs(turned.x - first.x) > 0.05 * first.away && Math.abs(turned.away - first.away) < 0.01 * first.away, JSON.stringify([first, turned]));
  await fingers.drag([[spot(0.4, 0.5), spot(0.25, 0.5)], [spot(0.6, 0.5), spot(0.75, 0.5)]]);
  const nearer = await camera();
  check("two fingers come nearer", nearer.away < 0.7 * first.away, JSON.stringify([first, nearer]));
  await small.keyboard.press("4");
  await small.click("#tool-obstacle");
  await fingers.drag([[spot(0.45, 0.5), spot(0.55, 0.6)]]);
  await wait(small, () => window.wend.state.items.length === 1 && !window.wend.state.busy);
  await small.screenshot({ path: file("finger.png") });
  await small.close();
  await page.evaluate(() => window.wend.link.send("open", { demo: "empty" }));
  await wait(page, () => window.wend.state.document?.name === "floor plan" && !window.wend.state.busy && window.wend.world);
  await page.keyboard.press("4");
  await page.click("#tool-room");
  await drag(page, [5, 5, 0], [15, 15, 0]);
  await drag(page, [14, 8, 0], [24, 12, 0]);
  await page.click("#build-plan");
  await wait(page, () => Math.abs(window.wend.state.world.area - 136) < 8 && !window.wend.state.busy);
  await ready(page);
  await page.keyboard.press("5");
  await page.keyboard.press("f");
  await page.waitForTimeout(300);
  for (const [tool, from, to] of [["source", [6, 6, 0], [9, 9, 0]], ["exit", [20, 9, 0], [22, 11, 0]], ["line", [17, 7, 0], [17, 13, 0]]]) {
    await page.click(`#tool-${tool}`);
    await drag(page, from, to);
    await wait(page, (kind) => window.wend.state.crowd[`${kind}s`].length === 1, tool);
  }
  await page.screenshot({ path: file("drawn.png") });
  await page.keyboard.press("g");
  const eye = await app(page, () => window.wend.stage.walking && window.wend.stage.camera.position.z);
  check("the camera walks at the height of eyes", eye > 1.2 && eye < 2.2, `${eye}`);
  await page.keyboard.press("Escape");
  said("a plan drawn from nothing, sources, exits and lines placed by hand");
  await page.evaluate(() => window.wend.link.send("open", { demo: "city" }));
  await wait(page, () => window.wend.state.document?.name === "city" && !window.wend.state.busy && window.wend.world);

  // --- 100,000 people
  await page.evaluate(() => window.wend.sendCrowd((c) => { c.sources = [{ id: "everywhere", layer: 0, area: [], count: 100000, rate: 0 }]; c.exits = []; c.roam = true; }));
  const received = await app(page, () => window.wend.link.received);
  const started = Date.now();
  await page.evaluate(() => window.wend.link.send("run", { action: "start" }));
  await wait(page, () => window.wend.people.inside > 90000 && window.wend.people.frames > 5);
  const figures = await app(page, () => ({ inside: window.wend.people.inside, drawn: window.wend.people.drawn, engine: window.wend.crowd, render: window.wend.stage.frameMs, bytes: window.wend.link.received, frames: window.wend.people.frames, fps: window.wend.fps }));
  await page.screenshot({ path: file("hundred_thousand.png") });
  said(`100,000 people: ${figures.inside} inside, engine ${figures.engine.engineMs.toFixed(0)} ms + frame ${figures.engine.frameMs.toFixed(1)} ms, page ${figures.render.toFixed(1)} ms per picture (software rendering), ${((figures.bytes - received) / (Date.now() - started) / 1000).toFixed(2)} MB/s`);
  await page.evaluate(() => window.wend.link.send("run", { action: "reset" }));
  await wait(page, () => window.wend.people.inside === 0);
} catch (error) {
  check("the test ran to its end", false, error.stack);
} finally {
  await browser.close();
  const code = await program.end();
  check("the program ends with Ctrl-C", code === 0, `exit ${code}`);
}
check("no error on the console", errors.length === 0, JSON.stringify(errors.slice(0, 5)));
said(failed === 0 ? "passed" : `${failed} failed; pictures in ${folder}`);
process.exit(failed === 0 ? 0 : 1);
