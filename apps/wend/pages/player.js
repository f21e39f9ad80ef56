"use strict";
(() => {
  const data = JSON.parse(document.getElementById("player-data").textContent);
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const heads = new Uint32Array(bytes(data.heads).buffer);
  const radii = new Float32Array(bytes(data.radii).buffer);
  const places = new Uint16Array(bytes(data.places).buffer);
  const layers = bytes(data.layers);
  const count = radii.length;
  const first = new Uint32Array(count);
  for (let i = 1; i < count; ++i) first[i] = first[i - 1] + heads[2 * i - 1];
  const canvas = document.getElementById("player");
  const pen = canvas.getContext("2d");
  const slider = document.getElementById("player-time");
  const label = document.getElementById("player-label");
  const button = document.getElementById("player-play");
  const colour = document.getElementById("player-colour");
  const pace = document.getElementById("player-pace");
  const layer = document.getElementById("player-layer");
  const edits = data.edits, paths = edits.paths.map(p => new Path2D(p)), base = edits.worlds[0].layers;
  // What differs from the free space at the begin, per world and layer.
  const differences = new Map();
  const changed = (path, l) => {
    if (path === base[l]) return null;
    const key = path + "," + l;
    if (!differences.has(key)) {
      const both = new Path2D(paths[path]);
      both.addPath(paths[base[l]]);
      differences.set(key, both);
    }
    return differences.get(key);
  };
  const latest = (list, key) => {
    let found = null;
    for (const item of list) if (item[key] <= now) found = item;
    return found;
  };
  slider.max = data.samples - 1;
  slider.step = 0.01;
  let now = 0, playing = false, lastTick = 0, bodies = 0;
  const dx = data.max[0] - data.min[0], dy = data.max[1] - data.min[1];
  const view = {zoom: 1, x: 0, y: 0};
  const ramp = [[68,1,84],[68,57,131],[49,104,142],[33,145,140],[53,183,121],[144,215,67],[253,231,37]];
  const heat = s => {
    const at = Math.min(1, Math.max(0, s)) * (ramp.length - 1), i = Math.min(ramp.length - 2, Math.floor(at)), t = at - i;
    return "rgb(" + [0, 1, 2].map(k => Math.round((1 - t) * ramp[i][k] + t * ramp[i + 1][k])).join() + ")";
  };
  const shades = Array.from({length: 33}, (_, i) => heat(i / 32));
  const names = data.profiles;
  const tints = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#e377c2"];
  const resize = () => {
    const width = canvas.parentElement.clientWidth, ratio = window.devicePixelRatio || 1;
    const height = Math.max(240, Math.min(640, width * dy / dx));
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.height = height + "px";
    draw();
  };
  const here = [];
  const gather = () => {
    here.length = 0;
    const k = Math.floor(now), t = now - k, only = layer.value === "all" ? -1 : +layer.value;
    for (let i = 0; i < count; ++i) {
      const start = heads[2 * i], n = heads[2 * i + 1];
      if (k < start || k >= start + n) continue;
      const a = first[i] + k - start, b = k + 1 < start + n ? a + 1 : a;
      if (only >= 0 && layers[a] !== only) continue;
      const ax = places[2 * a] / 65535 * dx, ay = places[2 * a + 1] / 65535 * dy;
      let bx = places[2 * b] / 65535 * dx, by = places[2 * b + 1] / 65535 * dy;
      if (Math.hypot(bx - ax, by - ay) > 5) { bx = ax; by = ay; }
      here.push({i, x: ax + t * (bx - ax), y: ay + t * (by - ay), l: layers[a],
                 v: Math.hypot(bx - ax, by - ay) * data.fps});
    }
    return here;
  };
  const crowding = people => {
    const cells = new Map(), key = (x, y, l) => (Math.floor(x) * 100003 + Math.floor(y)) * 64 + l;
    for (const p of people) {
      const k = key(p.x, p.y, p.l);
      cells.has(k) ? cells.get(k).push(p) : cells.set(k, [p]);
    }
    for (const p of people) {
      let near = 0;
      for (let a = -1; a <= 1; ++a) for (let b = -1; b <= 1; ++b) {
        for (const q of cells.get(key(p.x + a, p.y + b, p.l)) || []) if ((p.x - q.x) ** 2 + (p.y - q.y) ** 2 <= 1) ++near;
      }
      p.d = near / Math.PI;
    }
  };
  const shown = id => layer.value === "all" || data.layerIds[+layer.value] === id;
  // Exits, sources, doors, stairs, lines and regions of the scenario, under the persons.
  const marks = scale => {
    for (const mark of data.marks) {
      if (!shown(mark.layer)) continue;
      pen.beginPath();
      for (const loop of mark.loops) {
        loop.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
        if (mark.closed) pen.closePath();
      }
      const door = mark.kind === "door" && edits.doors[mark.id] ? latest(edits.doors[mark.id], "from") : null;
      const isShut = door && !door.open;
      pen.strokeStyle = mark.colour;
      pen.lineWidth = (isShut ? 4 : 1.6) / scale;
      const dashed = ["region", "source", "smoke", "stage"].includes(mark.kind) || (door && door.open);
      pen.setLineDash(dashed ? [5 / scale, 4 / scale] : []);
      if (mark.kind === "exit") {
        pen.fillStyle = mark.colour + "40";
        pen.fill();
      }
      pen.stroke();
    }
    pen.setLineDash([]);
  };
  // Bodies on their way, and what happened in the last two seconds.
  const moving = scale => {
    let count = 0;
    for (const body of edits.bodies) {
      if (now < body.from || now >= body.until || !shown(body.layer)) continue;
      let left = (now - body.from) * body.pace, at = body.path[body.path.length - 1];
      for (let i = 0; i + 1 < body.path.length; ++i) {
        const [ax, ay] = body.path[i], [bx, by] = body.path[i + 1], piece = Math.hypot(bx - ax, by - ay);
        if (left < piece) { at = [ax + left / piece * (bx - ax), ay + left / piece * (by - ay)]; break; }
        left -= piece;
      }
      pen.beginPath();
      body.outline.forEach(([x, y], i) => i ? pen.lineTo(at[0] + x, at[1] + y) : pen.moveTo(at[0] + x, at[1] + y));
      pen.closePath();
      pen.fillStyle = "#d98b4a";
      pen.fill();
      pen.strokeStyle = "#7a3b10";
      pen.lineWidth = 1.6 / scale;
      pen.stroke();
      ++count;
    }
    return count;
  };
  const news = () => edits.events.filter(e => e.at <= now && e.at > now - 2 * data.fps).map(e => e.text);
  // Names, the scale bar and the north arrow (up is the larger y), in pixels.
  const legend = (scale, ox, oy) => {
    const ratio = window.devicePixelRatio || 1, size = 11 * ratio;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.font = size + "px sans-serif";
    pen.lineWidth = 3 * ratio;
    const write = (text, x, y, colour) => {
      pen.strokeStyle = "rgba(255,255,255,0.85)";
      pen.strokeText(text, x, y);
      pen.fillStyle = colour;
      pen.fillText(text, x, y);
    };
    pen.textAlign = "center";
    const names = [];
    for (const mark of data.marks) {
      if (!shown(mark.layer) || !mark.loops.length) continue;
      const points = mark.loops[0], mean = k => points.reduce((sum, p) => sum + p[k], 0) / points.length;
      const half = pen.measureText(mark.id).width / 2 + 2 * ratio;
      const inside = Math.max(half, Math.min(canvas.width - half, ox + mean(0) * scale));
      let y = Math.max(size, oy - mean(1) * scale - (mark.closed ? 0 : 5 * ratio));
      // A name that would cover another one moves down; a lift has one name, however many floors are shown.
      const covers = t => Math.abs(t.x - inside) < t.half + half && Math.abs(t.y - y) < size;
      if (names.some(t => covers(t) && t.mark.id === mark.id && t.mark.kind === mark.kind)) continue;
      for (let i = 0; i < 8 && names.some(covers); ++i) y += size;
      names.push({x: inside, y, half, mark});
      write(mark.id, inside, y, mark.colour);
    }
    const longest = canvas.width / 4 / scale, power = 10 ** Math.floor(Math.log10(longest));
    const metres = longest >= 5 * power ? 5 * power : longest >= 2 * power ? 2 * power : power;
    const x = 12 * ratio, y = canvas.height - 12 * ratio, end = x + metres * scale, north = end + 70 * ratio;
    for (const [width, colour] of [[4, "rgba(255,255,255,0.85)"], [1.5, "#222"]]) {
      pen.lineWidth = width * ratio;
      pen.strokeStyle = colour;
      pen.beginPath();
      pen.moveTo(x, y - 5 * ratio); pen.lineTo(x, y); pen.lineTo(end, y); pen.lineTo(end, y - 5 * ratio);
      pen.moveTo(north, y); pen.lineTo(north, y - 18 * ratio);
      pen.moveTo(north - 4 * ratio, y - 11 * ratio); pen.lineTo(north, y - 18 * ratio); pen.lineTo(north + 4 * ratio, y - 11 * ratio);
      pen.stroke();
    }
    pen.textAlign = "left";
    pen.lineWidth = 3 * ratio;
    write(metres + " m", end + 6 * ratio, y, "#222");
    write("N (y)", north + 8 * ratio, y, "#222");
    news().slice(-6).forEach((text, i) => write(text, 12 * ratio, (18 + 15 * i) * ratio, "#7a3b10"));
  };
  const draw = () => {
    const fit = Math.min(canvas.width / dx, canvas.height / dy) * 0.98;
    const scale = fit * view.zoom;
    const ox = canvas.width / 2 - (dx / 2 + view.x) * scale, oy = canvas.height / 2 + (dy / 2 + view.y) * scale;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = "#8d8880";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.setTransform(scale, 0, 0, -scale, ox, oy);
    const world = latest(edits.worlds, "from") || edits.worlds[0];
    world.layers.forEach((path, l) => {
      if (layer.value !== "all" && +layer.value !== l) return;
      const difference = changed(path, l);
      if (difference) {
        pen.fillStyle = "#c8743c";
        pen.fill(difference, "evenodd");
      }
      pen.fillStyle = world.layers.length > 1 && layer.value === "all" ? "rgba(246,243,236,0.75)" : "#f6f3ec";
      pen.fill(paths[path], "evenodd");
      pen.strokeStyle = "#3a3632";
      pen.lineWidth = 1.2 / scale;
      pen.stroke(paths[path]);
    });
    bodies = moving(scale);
    marks(scale);
    const people = gather();
    if (colour.value === "density") crowding(people);
    for (const p of people) {
      pen.fillStyle = colour.value === "speed" ? shades[Math.round(Math.min(1, p.v / 1.6) * 32)]
        : colour.value === "density" ? shades[Math.round(Math.min(1, p.d / 5) * 32)]
        : tints[data.kinds[p.i] % tints.length];
      pen.beginPath();
      pen.arc(p.x, p.y, Math.max(radii[p.i], 1.4 / scale), 0, 2 * Math.PI);
      pen.fill();
    }
    legend(scale, ox, oy);
    label.textContent = (now / data.fps).toFixed(1) + " s, " + people.length + " inside";
    slider.value = now;
  };
  const tick = stamp => {
    if (!playing) return;
    if (lastTick) now += (stamp - lastTick) / 1000 * data.fps * +pace.value;
    lastTick = stamp;
    if (now >= data.samples - 1) { now = data.samples - 1; stop(); }
    draw();
    if (playing) requestAnimationFrame(tick);
  };
  const stop = () => { playing = false; button.textContent = "Play"; };
  const toggle = () => {
    if (playing) { stop(); return; }
    if (now >= data.samples - 1) now = 0;
    playing = true;
    lastTick = 0;
    button.textContent = "Pause";
    requestAnimationFrame(tick);
  };
  button.addEventListener("click", toggle);
  slider.addEventListener("input", () => { now = +slider.value; draw(); });
  for (const control of [colour, layer]) control.addEventListener("change", draw);
  canvas.addEventListener("wheel", e => {
    e.preventDefault();
    view.zoom = Math.min(60, Math.max(1, view.zoom * (e.deltaY < 0 ? 1.2 : 1 / 1.2)));
    if (view.zoom === 1) { view.x = 0; view.y = 0; }
    draw();
  }, {passive: false});
  canvas.addEventListener("pointermove", e => {
    if (!e.buttons) return;
    const scale = Math.min(canvas.width / dx, canvas.height / dy) * 0.98 * view.zoom, ratio = window.devicePixelRatio || 1;
    view.x -= e.movementX * ratio / scale;
    view.y += e.movementY * ratio / scale;
    draw();
  });
  document.addEventListener("keydown", e => {
    if (e.key === " " && e.target === document.body) { e.preventDefault(); toggle(); }
  });
  window.addEventListener("resize", resize);
  window.player = {seek: t => { now = Math.min(data.samples - 1, Math.max(0, t * data.fps)); draw(); }, toggle,
                   state: () => ({now: now / data.fps, playing, inside: here.length, bodies, news: news(),
                                   world: edits.worlds.indexOf(latest(edits.worlds, "from") || edits.worlds[0])})};
  resize();
})();
