// Starts the program and a browser, for the tests of the page.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const kFlags = [
  "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage",
  "--js-flags=--expose-gc",
];

export function findBrowser() {
  return ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
}

// The program with these files; gives its address and how to end it.
export function startProgram(wend, files, page, options = []) {
  return new Promise((resolve, reject) => {
    const child = spawn(wend, ["view", ...files, "--no-browser", "--page", page, ...options], { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (data) => {
      out += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\/\w+\//.exec(out);
      if (found) resolve({ address: found[0], child, end: () => new Promise((done) => { child.once("exit", (code) => done(code)); child.kill("SIGINT"); }) });
    });
    child.stderr.on("data", (data) => (err += data));
    child.once("exit", (code) => reject(new Error(`wend view ended with ${code}: ${err}`)));
  });
}

export async function startBrowser() {
  const profile = await mkdtemp(join(tmpdir(), "wend-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findBrowser(),
    headless: true,
    args: kFlags,
    viewport: { width: 1000, height: 640 },
    acceptDownloads: true,
  });
  return { context, close: async () => { await context.close(); await rm(profile, { recursive: true, force: true }); } };
}

// A window on the program, with everything it says on the console.
export async function openWindow(context, address, errors, size) {
  const page = await context.newPage();
  // Software rendering on a busy machine is slow.
  page.setDefaultTimeout(90000);
  if (size) await page.setViewportSize(size);
  page.on("console", (message) => { if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader/i.test(message.text())) errors.push(message.text()); });
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(address);
  await page.waitForFunction(() => window.wend?.connected && window.wend.catalogue);
  return page;
}

// Waits until the world is there and the program is idle.
export async function ready(page, timeout = 60000) {
  await page.waitForFunction(() => { const a = window.wend; return a.state && !a.state.busy && (a.world || a.compare || !a.state.document) && (a.compare || a.state.document === undefined || a.world); }, undefined, { timeout });
}
