// The browser half of a live Plotly figure. Plotly itself is asked for once a page, when a figure
// first comes into sight; after that only the tails of traces travel.

/**
 * Exactly the synced traits of ragnb.panels.chart.Chart.
 * @typedef {{ label: string }} ChartTraits
 */
/** @typedef {import("./types").Model<ChartTraits>} Model */
/** @typedef {import("./types").FigurePatch} FigurePatch */
/** @typedef {{ data: Record<string, any>[], layout: Record<string, any> }} Figure */

const LIBRARY = "__ragnb_plotly__";

/**
 * Add what is new to a figure; arrays grow at their end.
 * @param {Figure} figure
 * @param {FigurePatch} patch
 */
export function grow(figure, patch) {
  if (patch.layout) figure.layout = patch.layout;
  for (const [place, trace] of Object.entries(patch.whole ?? {})) figure.data[+place] = trace;
  for (const [place, tails] of Object.entries(patch.tails ?? {})) {
    extend(figure.data[+place], tails);
  }
  if (patch.count !== undefined) figure.data.length = patch.count;
  return figure;
}

/**
 * @param {Record<string, any>} trace
 * @param {Record<string, any>} tails
 */
function extend(trace, tails) {
  for (const [name, tail] of Object.entries(tails)) {
    if (Array.isArray(tail)) trace[name] = [...(trace[name] ?? []), ...tail];
    else extend((trace[name] = { ...trace[name] }), tail);
  }
}

/**
 * Plotly, fetched from the kernel once for all figures of a page.
 * @param {Model} model
 * @returns {Promise<any>}
 */
function library(model) {
  const page = /** @type {Record<string, any>} */ (/** @type {unknown} */ (globalThis));
  page[LIBRARY] ??= new Promise((resolve, reject) => {
    /** @type {(message: any, buffers: DataView[]) => Promise<void>} */
    const hear = async (message, buffers) => {
      if (message?.kind !== "library") return;
      model.off("msg:custom", hear);
      try {
        const packed = new Blob([/** @type {BlobPart} */ (/** @type {unknown} */ (buffers[0]))]);
        const stream = packed.stream().pipeThrough(new DecompressionStream("gzip"));
        const text = await new Response(stream).text();
        const module = { exports: {} };
        new Function("module", "exports", "define", text)(module, module.exports, undefined);
        resolve(module.exports);
      } catch (error) {
        page[LIBRARY] = undefined;
        reject(error);
      }
    };
    model.on("msg:custom", hear);
    model.send({ kind: "library" });
  });
  return page[LIBRARY];
}

/**
 * The figure in the theme of the page.
 * @param {Figure} figure
 * @param {HTMLElement} place
 */
export function themed(figure, place) {
  const style = getComputedStyle(place);
  /** @type {Record<string, any>} */
  const layout = { ...figure.layout, font: { ...figure.layout.font, color: style.color } };
  const ground = style.getPropertyValue("--jp-layout-color1").trim() || "#fff";
  layout.hoverlabel = {
    ...layout.hoverlabel,
    bgcolor: ground,
    font: { color: style.color, size: 12 },
  };
  return { data: figure.data, layout };
}

export default {
  /** @param {{ model: Model, el: HTMLElement }} context */
  render({ model, el }) {
    const place = document.createElement("div");
    place.className = "rb-chart";
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", model.get("label"));
    place.style.minHeight = "380px";
    el.append(place);
    /** @type {Figure} */
    const figure = { data: [], layout: {} };
    let number = 0;
    let drawing = false;
    let again = false;
    let wired = false;
    let gone = false;

    const draw = async () => {
      if (gone || !number || place.clientWidth === 0) return;
      if (drawing) return void (again = true);
      drawing = true;
      try {
        const plotly = await library(model);
        do {
          again = false;
          const { data, layout } = themed(figure, place);
          const options = { displayModeBar: false, responsive: false };
          await plotly.react(place, data, { ...layout, width: place.clientWidth }, options);
          await new Promise(requestAnimationFrame);
        } while (again && !gone);
        if (!wired) {
          wired = true;
          /** @type {any} */ (place).on("plotly_click", (/** @type {any} */ event) => {
            const step = event.points.find((/** @type {any} */ each) => each.customdata !== undefined);
            if (step) model.send({ kind: "point", step: step.customdata });
          });
        }
        place.dataset.drawn = String(number);
      } finally {
        drawing = false;
      }
    };
    /** @type {(message: any) => void} */
    const hear = (message) => {
      if (message?.kind !== "figure") return;
      if (message.fresh) Object.assign(figure, { data: message.data, layout: message.layout });
      else if (message.n === number + 1) grow(figure, message);
      else if (message.n > number) return void model.send({ kind: "ready" });
      else return;
      number = message.n;
      void draw();
    };
    model.on("msg:custom", hear);
    const sizes = new ResizeObserver(() => void draw());
    sizes.observe(place);
    const themes = new MutationObserver(() => void draw());
    themes.observe(document.body, { attributeFilter: ["data-jp-theme-light", "class"] });
    model.send({ kind: "ready" });
    return () => {
      gone = true;
      model.off("msg:custom", hear);
      sizes.disconnect();
      themes.disconnect();
      place.remove();
      model.send({ kind: "gone" });
    };
  },
};
