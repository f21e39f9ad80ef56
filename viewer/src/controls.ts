// Small pieces of the page: buttons, sliders, switches, cards. Each is an element with a label that screen readers read.

type Child = Node | string | undefined | false;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | ((event: any) => void) | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = `<path d="${path}" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`;
  return svg;
}

export function button(label: string, act: () => void, options: { kind?: string; title?: string; icon?: string; id?: string; disabled?: boolean } = {}): HTMLButtonElement {
  return el(
    "button",
    { type: "button", class: `button ${options.kind ?? ""}`, title: options.title, id: options.id, onclick: act, disabled: options.disabled, "aria-label": options.icon ? label : undefined },
    options.icon ? icon(options.icon) : undefined,
    options.kind?.includes("bare") ? undefined : label,
  );
}

export interface Slider {
  root: HTMLElement;
  input: HTMLInputElement;
  set(value: number): void;
}
export function slider(
  label: string,
  options: { min: number; max: number; step: number; value: number; unit?: string; meaning?: string; id?: string; show?: (value: number) => string },
  change: (value: number, done: boolean) => void,
): Slider {
  const digits = options.step >= 1 ? 0 : options.step >= 0.1 ? 1 : options.step >= 0.01 ? 2 : 3;
  const show = options.show ?? ((v: number) => `${v.toFixed(digits)}${options.unit ? ` ${options.unit}` : ""}`);
  const value = el("output", {}, show(options.value));
  const input = el("input", {
    type: "range",
    min: `${options.min}`,
    max: `${options.max}`,
    step: `${options.step}`,
    value: `${options.value}`,
    id: options.id,
    "aria-label": label,
  });
  const paint = (): void => {
    const share = (Number(input.value) - options.min) / (options.max - options.min || 1);
    input.style.setProperty("--share", `${100 * share}%`);
    value.textContent = show(Number(input.value));
  };
  input.addEventListener("input", () => {
    paint();
    change(Number(input.value), false);
  });
  input.addEventListener("change", () => change(Number(input.value), true));
  paint();
  const root = el("label", { class: "field", title: options.meaning }, el("span", { class: "row" }, el("span", {}, label), value), input, options.meaning ? el("small", {}, options.meaning) : undefined);
  return {
    root,
    input,
    set(next: number): void {
      if (document.activeElement === input && input.matches(":active")) return;
      input.value = `${next}`;
      paint();
    },
  };
}

export function toggle(label: string, value: boolean, change: (on: boolean) => void, options: { id?: string; meaning?: string; disabled?: boolean } = {}): HTMLLabelElement {
  const input = el("input", { type: "checkbox", id: options.id, disabled: options.disabled });
  input.checked = value;
  input.addEventListener("change", () => change(input.checked));
  return el("label", { class: "toggle", title: options.meaning }, input, el("span", { class: "track" }), el("span", {}, label));
}

export function choice(label: string, values: [string, string][], value: string, change: (value: string) => void, options: { id?: string; meaning?: string } = {}): HTMLLabelElement {
  const select = el("select", { id: options.id, "aria-label": label });
  for (const [name, text] of values) {
    const option = el("option", { value: name }, text);
    option.selected = name === value;
    select.append(option);
  }
  select.addEventListener("change", () => change(select.value));
  return el("label", { class: "field", title: options.meaning }, el("span", { class: "row" }, el("span", {}, label)), select, options.meaning ? el("small", {}, options.meaning) : undefined);
}

export function section(title: string, ...children: Child[]): HTMLElement {
  return el("section", {}, el("h2", {}, title), ...children);
}

export function facts(rows: [string, string][]): HTMLElement {
  const list = el("dl", { class: "facts" });
  for (const [name, value] of rows) list.append(el("dt", {}, name), el("dd", {}, value));
  return list;
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function seconds(value: number): string {
  if (value < 0.001) return `${number(value * 1e6)} µs`;
  return value < 1 ? `${number(value * 1000, value < 0.01 ? 1 : 0)} ms` : `${number(value, 2)} s`;
}

export function clock(value: number): string {
  const s = Math.floor(value);
  const h = Math.floor(s / 3600);
  const two = (v: number): string => `${v}`.padStart(2, "0");
  return `${h > 0 ? `${h}:` : ""}${h > 0 ? two(Math.floor(s / 60) % 60) : Math.floor(s / 60)}:${two(s % 60)}`;
}
