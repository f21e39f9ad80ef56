// Builds the page: one script, one style sheet and one HTML file in build/viewer.
import { build } from "esbuild";
import { cp, mkdir, readFile, rm, stat } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "build", "viewer");
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  entryPoints: { app: join(here, "src", "main.ts"), style: join(here, "src", "style.css") },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2020",
  legalComments: "linked",
  logLevel: "warning",
});
await cp(join(here, "src", "index.html"), join(out, "index.html"));
await cp(join(here, "src", "icon.svg"), join(out, "icon.svg"));
let bytes = 0;
for (const name of ["app.js", "style.css", "index.html"]) {
  bytes += gzipSync(await readFile(join(out, name))).length;
  await stat(join(out, name));
}
const kMost = 1.5e6; // bytes
if (bytes > kMost) throw new Error(`the page is ${(bytes / 1e6).toFixed(2)} MB compressed; it must stay below ${kMost / 1e6} MB`);
console.log(`page: ${(bytes / 1e6).toFixed(2)} MB compressed in ${out}`);
