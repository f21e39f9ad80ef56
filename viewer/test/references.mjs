// Pictures of the page against references: the 3D view alone, without text, drawn at a fixed size and made small, so that
// neither fonts nor single pixels of lines matter. To write new references: WEND_REFERENCES=write make browser.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "references");
const kWidth = 96; // of a reference; it is drawn five times as large
const kHeight = 64;
// Two pictures are the same if channels differ by at most this on average, of 255, ...
export const kMeanDifference = 3;
// ... and at most this share of the pixels by more than 48 in a channel: thin lines move by a pixel between renderers.
export const kOutliers = 0.03;

// The view as it is, fitted into the picture.
function takePicture(page) {
  return page.evaluate(([width, height]) => {
    const { stage } = window.wend;
    const { renderer, camera, controls } = stage;
    const kept = [camera.position.clone(), controls.target.clone()];
    const ratio = renderer.getPixelRatio();
    renderer.setPixelRatio(1);
    renderer.setSize(5 * width, 5 * height, false);
    const split = renderer.domElement.style.cssText;
    renderer.domElement.style.cssText = `width:${5 * width}px;height:${5 * height}px`;
    camera.aspect = (stage.beside ? 2.5 * width : 5 * width) / (5 * height);
    camera.updateProjectionMatrix();
    stage.fit(window.wend.box());
    stage.render();
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const pen = canvas.getContext("2d");
    pen.imageSmoothingQuality = "high";
    pen.drawImage(renderer.domElement, 0, 0, width, height);
    renderer.domElement.style.cssText = split;
    camera.position.copy(kept[0]);
    controls.target.copy(kept[1]);
    renderer.setPixelRatio(ratio);
    stage.resize();
    return canvas.toDataURL("image/png");
  }, [kWidth, kHeight]);
}

// How two pictures differ, by the browser, which can read PNG.
function difference(page, a, b) {
  return page.evaluate(async ([first, second]) => {
    const read = async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      const pen = canvas.getContext("2d");
      pen.drawImage(image, 0, 0);
      return pen.getImageData(0, 0, image.width, image.height);
    };
    const [p, q] = [await read(first), await read(second)];
    if (p.width !== q.width || p.height !== q.height) return { mean: 255, outliers: 1 };
    let sum = 0;
    let far = 0;
    for (let i = 0; i < p.data.length; i += 4) {
      const d = [0, 1, 2].map((c) => Math.abs(p.data[i + c] - q.data[i + c]));
      sum += d[0] + d[1] + d[2];
      if (Math.max(...d) > 48) ++far;
    }
    const pixels = p.width * p.height;
    return { mean: sum / (3 * pixels), outliers: far / pixels };
  }, [a, b]);
}

const same = (d) => d.mean <= kMeanDifference && d.outliers <= kOutliers;
const taken = new Map();

export async function compareWithReference(page, name, check, into) {
  const picture = await takePicture(page);
  await writeFile(join(into, `reference_${name}.png`), Buffer.from(picture.split(",")[1], "base64"));
  const file = join(folder, `${name}.png`);
  if (process.env.WEND_REFERENCES === "write") await writeFile(file, Buffer.from(picture.split(",")[1], "base64"));
  if (!existsSync(file)) return check(`there is a reference '${name}'`, false, "WEND_REFERENCES=write make browser makes it");
  const reference = `data:image/png;base64,${(await readFile(file)).toString("base64")}`;
  const d = await difference(page, picture, reference);
  check(`the view '${name}' is that of the reference`, same(d), `mean difference ${d.mean.toFixed(1)} of at most ${kMeanDifference}, ${(100 * d.outliers).toFixed(1)} % of the pixels far off of at most ${100 * kOutliers} %; look at reference_${name}.png beside viewer/test/references/${name}.png`);
  // The comparison itself can tell views apart.
  for (const [other, url] of taken) check(`the views '${name}' and '${other}' can be told apart`, !same(await difference(page, picture, url)));
  taken.set(name, picture);
}
