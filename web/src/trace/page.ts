/** A trace as a page of its own: the table, the program beside it, and the pictures of its heads. */

import { fill, find, h, plural } from "../dom";
import { Selected, type Trace } from "./data";
import { HeadPictures } from "./pictures";
import { TraceView, type Looked } from "./view";

const trace = JSON.parse(find("#data").textContent ?? "") as Trace;
const lines = new Map<number, HTMLElement>();
let pictures: HeadPictures | null = null;

function facts(): string {
  const total = trace.tokens[0].length;
  const found = [`${trace.bits}-bit`, plural(total, trace.prompt === null ? "position" : "token")];
  if (trace.prompt !== null) found.push(`${total - Math.min(total, trace.prompt)} written after a prompt of ${trace.prompt}`);
  return found.join(" · ");
}

function looked(_: TraceView, now: Looked): void {
  for (const line of lines.values()) line.classList.remove("lit");
  if (now.row) lines.get(now.row.line)?.classList.add("lit");
  pictures?.look(now);
}

/** The card is as wide as the table, and may become as wide as the page. */
function room(): number {
  const card = find(".card"), box = getComputedStyle(card);
  return find("main").clientWidth - parseFloat(box.paddingLeft) - parseFloat(box.paddingRight) - 2;
}

function listing(view: TraceView): HTMLElement[] {
  let previous: number | null = null;
  return trace.listing.flatMap(([number, text]) => {
    const gap = previous !== null && number > previous + 1 ? [h("div", {}, h("span", {}, "⋮"))] : [];
    previous = number;
    const line = h("div", { onpointerenter: () => view.lightRows(number), onpointerleave: () => view.lightRows(null) }, h("span", {}, number), text || " ");
    lines.set(number, line);
    return [...gap, line];
  });
}

find("main").hidden = false;
find(".facts").textContent = facts();
find(".when-written").hidden = trace.prompt === null;
const view = new TraceView(find("#trace"), { dock: find(".dock"), opensAt: "first", looked, room });
fill(find(".code"), ...listing(view));
if (trace.grids && trace.selectors.length && trace.length) {
  find(".selectors").hidden = false;
  find(".selectors").classList.toggle("many", trace.selectors.length > 2);
  pictures = new HeadPictures(find(".pictures"), view, trace, trace.selectors.map((selector) => new Selected(selector.bits)));
}
view.show(trace, null);
document.addEventListener("keydown", (event) => view.steps.press(event));
