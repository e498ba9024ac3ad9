/** Who looks at whom: a row is a position that looks, a column one that is looked at. */

import { svg } from "../dom";
import { label, type Selected, type Trace } from "./data";

const LARGEST = 20;
const SMALLEST = 4;
/** Pixels below which numbers beside a row can't be read, and dots not be told from squares. */
const LABELLED = 13;
const DOTTED = 7;
const LETTER = 7;

export class Matrix {
  readonly element: SVGElement;
  private readonly size: number;
  private readonly left: number;
  private readonly top: number;
  private readonly isLabelled: boolean;
  private readonly isUpright: boolean;
  private readonly keys: string[];
  private readonly queries: string[];
  private visible = 0;
  private at: [number, number] | null = null;

  constructor(trace: Trace, number: number, private readonly selected: Selected, private readonly pointed: (query: number, key: number) => void) {
    const selector = trace.selectors[number];
    const n = trace.length;
    this.keys = selector.keys.map((value) => label(trace, value, selector.named[0]));
    this.queries = selector.queries.map((value) => label(trace, value, selector.named[1]));
    this.size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(Math.min(440, innerWidth - 110) / Math.max(1, n))));
    this.isLabelled = this.size >= LABELLED;
    const widest = (texts: string[]): number => LETTER * Math.max(1, ...texts.map((text) => text.length));
    // Wide keys stand upright, so that squares can stay small. Positions stand there too, since a
    // key may be anything, a position plus one for instance.
    this.isUpright = widest(this.keys) > this.size;
    this.left = this.isLabelled ? 26 + widest(this.queries) : 2;
    this.top = this.isLabelled ? 20 + (this.isUpright ? widest(this.keys) : 12) : 2;
    this.element = svg("svg", {
      width: this.left + n * this.size + 2, height: this.top + n * this.size + 2, class: "grid", tabindex: 0, role: "img",
      "aria-label": `Who looks at whom, ${selector.title}: arrow keys move over queries and keys`,
    });
    this.watch();
  }

  /** Draw the positions that have been read, and light up what one of them looks at. */
  draw(visible: number, query: number | null, key: number | null = null): void {
    this.visible = visible;
    this.element.replaceChildren();
    if (query !== null) this.put("rect", { x: 0, y: this.y(query), width: this.x(query + 1), height: this.size, class: "row" });
    if (key !== null) this.put("rect", { x: this.x(key), y: 0, width: this.size, height: this.y(visible), class: "row" });
    this.squares(query);
    if (query !== null && key !== null) {
      this.put("rect", { x: this.x(key), y: this.y(query), width: this.size, height: this.size, class: "at" });
    }
    if (this.isLabelled) this.labels(query);
  }

  private x(key: number): number { return this.left + key * this.size; }
  private y(query: number): number { return this.top + query * this.size; }

  private put(tag: string, props: Record<string, unknown>, text = ""): void {
    this.element.append(svg(tag, props, text ? document.createTextNode(text) : null));
  }

  /** One path a kind: a page may hold dozens of these pictures, of 20,000 squares each. */
  private squares(now: number | null): void {
    const inset = this.size >= DOTTED ? 1.5 : 0.5;
    const dot = this.size / 2 - 1;
    const paths = { off: "", on: "", now: "" };
    for (let query = 0; query < this.visible; query++) {
      for (let key = 0; key <= query; key++) {
        const isOn = this.selected.has(query, key);
        const edge = isOn ? inset : dot;
        if (!isOn && this.size < DOTTED) continue;
        const side = this.size - 2 * edge;
        paths[!isOn ? "off" : query === now ? "now" : "on"] += `M${this.x(key) + edge} ${this.y(query) + edge}h${side}v${side}h${-side}z`;
      }
    }
    if (this.size < DOTTED) paths.off = `M${this.left} ${this.top}V${this.y(this.visible)}H${this.x(this.visible)}z`;
    this.put("path", { d: paths.off, class: this.size < DOTTED ? "below" : "off" });
    this.put("path", { d: paths.on, class: "on" });
    this.put("path", { d: paths.now, class: "on now" });
  }

  private labels(now: number | null): void {
    for (let i = 0; i < this.visible; i++) {
      const style = i === now ? "now" : "";
      const middle = this.y(i) + 0.68 * this.size;
      this.put("text", { x: 14, y: middle, "text-anchor": "end", class: `place ${style}` }, String(i));
      this.put("text", { x: this.left - 6, y: middle, "text-anchor": "end", class: style }, this.queries[i]);
      const across = this.x(i) + this.size / 2;
      this.put("text", { x: across, y: 10, "text-anchor": "middle", class: "place" }, String(i));
      const place = this.isUpright
        ? { transform: `translate(${across + 4} ${this.top - 5}) rotate(-90)` }
        : { x: across, y: this.top - 6, "text-anchor": "middle" };
      this.put("text", place, this.keys[i]);
    }
  }

  private watch(): void {
    const look = (query: number, key: number): void => {
      if (query < 0 || key < 0 || query >= this.visible || key > query) return;
      if (this.at?.[0] === query && this.at[1] === key) return;
      this.at = [query, key];
      this.draw(this.visible, query, key);
      this.pointed(query, key);
    };
    this.element.addEventListener("pointermove", (event) => {
      const box = this.element.getBoundingClientRect();
      look(Math.floor((event.clientY - box.top - this.top) / this.size), Math.floor((event.clientX - box.left - this.left) / this.size));
    });
    this.element.addEventListener("pointerleave", () => { this.at = null; });
    const moves: Record<string, [number, number]> = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    this.element.addEventListener("keydown", (event) => {
      const move = moves[event.key];
      if (!move) return;
      event.preventDefault();
      event.stopPropagation();
      const [query, key] = this.at ?? [this.visible, this.visible - 1];
      const next = Math.max(0, Math.min(this.visible - 1, query + move[0]));
      look(next, Math.max(0, Math.min(next, key + move[1])));
    });
  }
}
