/** The trace: every variable under its tokens; what a value was made of, and where its heads looked. */

import type { Row, Selector, Step, Trace, Value } from "./api";
import { fill, h, plural, prose, svg } from "./dom";

interface Line {
  name: string; type: string; values: Value[] | null; selector: number | null;
  row: Row | null; depth: number; via: string; last: boolean;
}
export interface Wanted { values: Value[]; generate: boolean }

const show = (value: Value): string => (value === null ? "·" : String(value));

/** A selector's triangle: row i of the packed bits begins at bit i(i+1)/2. */
class Grid {
  private readonly bytes: Uint8Array;
  constructor(readonly selector: Selector) {
    this.bytes = Uint8Array.from(atob(selector.bits), (char) => char.charCodeAt(0));
  }
  has(query: number, key: number): boolean {
    const bit = (query * (query + 1)) / 2 + key;
    return ((this.bytes[bit >> 3] >> (bit & 7)) & 1) === 1;
  }
  keys(query: number): number[] {
    return Array.from({ length: query + 1 }, (_, key) => key).filter((key) => this.has(query, key));
  }
}

export class TraceView {
  private trace: Trace | null = null;
  private wanted: Wanted | null = null;
  private grids: Grid[] = [];
  private lines: Line[] = [];
  private cells: HTMLTableCellElement[][] = [];
  private opened = new Set<string>();
  private at: { line: number; position: number } | null = null;
  private visible = 0;
  private timer = 0;
  private table: HTMLTableElement = h("table");
  private readonly steps = h("div", { class: "steps", role: "group", "aria-label": "Steps of writing" });
  private readonly scroll = h("div", { class: "scroll", tabindex: "-1" });
  private readonly dock = h("div", { class: "dock", "aria-live": "polite" });
  private readonly picture = h("div", { class: "attention" });
  private readonly notes = h("div", { class: "notes" });
  private arcs: SVGElement = svg("svg");
  private arcbox = h("div", { class: "arcbox" });

  constructor(root: HTMLElement, private readonly lit: (line: number | null) => void) {
    root.append(this.notes, this.steps, this.scroll, this.dock, this.picture);
  }

  /** Draw a trace; the place that was looked at stays, if it is still there. */
  show(trace: Trace, wanted: Wanted | null): void {
    const shape = (each: Trace): string => JSON.stringify([each.length, each.prompt, each.rows.map((row) => row.name)]);
    const same = this.trace !== null && shape(this.trace) === shape(trace);
    const wasAtEnd = !this.trace || this.visible >= this.trace.length;
    this.trace = trace;
    this.wanted = wanted;
    this.grids = trace.selectors.map((selector) => new Grid(selector));
    if (!same || wasAtEnd) this.visible = trace.length;
    if (!same) this.at = null;
    this.pause();
    this.build();
  }

  clear(): void { this.trace = null; this.pause(); fill(this.notes); fill(this.scroll); fill(this.steps); fill(this.dock); fill(this.picture); }

  private get isGeneration(): boolean { return this.trace?.prompt !== null; }
  private get first(): number { const t = this.trace!; return t.prompt === null ? t.length : Math.min(t.prompt, t.length); }

  private listed(): Line[] {
    const trace = this.trace!;
    const inputs = trace.tokens.length;
    return trace.rows.flatMap((row, number): Line[] => {
      const last = number === trace.rows.length - 1;
      const own: Line = { name: row.name, type: row.type, values: number < inputs ? trace.tokens[number] : row.values, selector: null, row, depth: 0, via: "", last };
      if (!this.opened.has(this.key(row)) || !row.steps.length) return [own];
      const inner = row.steps.slice(0, -1).map((step: Step): Line => ({
        name: step.label, type: step.type, values: step.values, selector: step.selector, row: null, depth: 1, via: step.via, last: false,
      }));
      return [...inner, own];
    });
  }
  private key(row: Row): string { return `${row.name}:${row.line}`; }

  private build(): void {
    const trace = this.trace!;
    this.lines = this.listed();
    fill(this.notes, trace.error && h("p", { class: "error", role: "alert" }, trace.error), ...trace.notes.map((note) => h("p", {}, note)));
    const total = Math.max(trace.tokens[0]?.length ?? 0, trace.length);
    if (!total) { fill(this.scroll, h("p", { class: "empty" }, "Write some tokens above to see the program at work.")); fill(this.steps); fill(this.dock); fill(this.picture); return; }
    this.buildTable(total);
    this.buildSteps();
    this.reveal();
    if (!this.at || this.at.line >= this.lines.length || this.at.position >= this.visible) {
      this.at = { line: this.lines.length - 1, position: this.visible - 1 };
    }
    this.point(this.at.line, this.at.position);
    this.bringIntoView(this.cells[this.at.line]?.[this.at.position]);
  }

  private bringIntoView(cell: HTMLElement | undefined): void {
    if (!cell) return;
    const names = this.table.querySelector<HTMLElement>("th.name")?.offsetWidth ?? 0;
    const right = cell.offsetLeft + cell.offsetWidth + 8;
    if (right > this.scroll.scrollLeft + this.scroll.clientWidth) this.scroll.scrollLeft = right - this.scroll.clientWidth;
    else if (cell.offsetLeft < this.scroll.scrollLeft + names) this.scroll.scrollLeft = cell.offsetLeft - names - 8;
  }

  private buildTable(total: number): void {
    const trace = this.trace!;
    const inputs = trace.tokens.length;
    this.arcs = svg("svg", { class: "arcs", "aria-hidden": "true" });
    const head = h("tr", { class: "positions" }, h("th", { class: "name" }, h("span", { class: "soft" }, "position")),
      ...Array.from({ length: total }, (_, i) => h("th", { scope: "col" }, i)));
    this.cells = [];
    const rows = this.lines.map((line, number) => {
      const isToken = number < inputs && line.row !== null;
      const row = h("tr", { class: [isToken ? "tokens" : "", line.depth ? "inner" : "", line.last ? "last" : ""].join(" ").trim() });
      row.append(this.header(line));
      const cells = Array.from({ length: total }, (_, i) => this.cell(line, number, i, isToken));
      row.append(...cells);
      this.cells.push(cells);
      return row;
    });
    if (this.wanted) rows.push(this.wantedRow(total));
    this.table = h("table", { "aria-label": "Values at each position" }, h("thead", {}, head), h("tbody", {}, ...rows));
    this.watch();
    this.arcbox = h("div", { class: "arcbox" }, this.arcs as unknown as Node, h("div", { class: "mask" }));
    fill(this.scroll, h("div", { class: "canvas" }, this.arcbox, this.table));
  }

  private header(line: Line): HTMLElement {
    const label = line.depth ? [h("span", { class: "via" }, line.via), h("span", { class: "label" }, line.name)] : [h("span", { class: "label" }, line.name)];
    const row = line.row;
    const isOpen = row !== null && this.opened.has(this.key(row));
    const opener = row?.steps.length
      ? h("button", {
        class: "opener", type: "button", "aria-expanded": String(isOpen), title: isOpen ? "Close" : "Step into it",
        "aria-label": `${isOpen ? "Close" : "Step into"} ${row.name}`,
        onclick: () => { this.toggle(row); },
      }, isOpen ? "−" : "+")
      : h("span", { class: "opener" });
    return h("th", { class: "name", scope: "row", title: line.depth ? `${line.name}, in ${line.via}` : line.type }, h("div", {}, opener, ...label, h("span", { class: "type" }, line.type)));
  }

  private toggle(row: Row): void {
    const key = this.key(row);
    if (!this.opened.delete(key)) this.opened.add(key);
    const place = this.at?.position ?? this.visible - 1;
    this.lines = this.listed();
    this.at = { line: this.lines.findIndex((line) => line.row === row), position: place };
    this.build();
  }

  private cell(line: Line, number: number, i: number, isToken: boolean): HTMLTableCellElement {
    const trace = this.trace!;
    const td = h("td", { tabindex: "-1", dataset: { line: String(number), position: String(i) } });
    if (line.selector !== null) {
      if (i < trace.length) td.append(String(this.grids[line.selector].keys(i).length));
      td.classList.add("selector");
      return td;
    }
    const value = line.values?.[i];
    if (value === undefined) { td.classList.add("void"); return td; }
    const name = value === null ? "" : trace.names[String(value)];
    if (name && line.row?.named) { td.append(name); td.title = `token ${value}`; if (isToken && trace.prompt !== null && i >= trace.prompt) td.classList.add("written"); return td; }
    td.append(show(value));
    const isWritten = this.isGeneration && line.last;
    if (name && (isToken || isWritten)) td.append(h("small", {}, name));
    if (line.type === "Bool") td.classList.add(value ? "true" : "false");
    if (value === null) td.classList.add("false");
    if (isToken && trace.prompt !== null && i >= trace.prompt) td.classList.add("written");
    return td;
  }

  private wantedRow(total: number): HTMLTableRowElement {
    const trace = this.trace!;
    const { values, generate } = this.wanted!;
    const shift = generate ? (trace.prompt ?? 0) - 1 : 0;
    const output = trace.rows[trace.rows.length - 1].values;
    const cells = Array.from({ length: total }, (_, i) => {
      const value = values[i - shift];
      if (value === undefined || value === null || i < shift) return h("td", { class: "void" });
      const wrong = output[i] !== value;
      return h("td", { class: wrong ? "wrong" : "right" }, String(value), h("small", {}, wrong ? "✗" : "✓"));
    });
    return h("tr", { class: "wanted" }, h("th", { class: "name", scope: "row" }, h("div", {}, h("span", { class: "opener" }), h("span", { class: "label" }, "wanted"))), ...cells);
  }

  private watch(): void {
    const cellOf = (event: Event): HTMLTableCellElement | null => {
      const cell = (event.target as Element).closest<HTMLTableCellElement>("td[data-line]");
      return cell && Number(cell.dataset.position) < this.visible ? cell : null;
    };
    const look = (event: Event): void => {
      const cell = cellOf(event);
      if (cell) this.point(Number(cell.dataset.line), Number(cell.dataset.position));
    };
    this.table.addEventListener("pointerover", look);
    this.table.addEventListener("click", (event) => { look(event); cellOf(event)?.focus(); });
    this.table.addEventListener("focusin", look);
    const moves: Record<string, [number, number]> = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -1e6], End: [0, 1e6] };
    this.table.addEventListener("keydown", (event) => {
      const cell = cellOf(event);
      const move = moves[event.key];
      if (!cell || !move) return;
      event.preventDefault();
      const line = Math.max(0, Math.min(this.lines.length - 1, Number(cell.dataset.line) + move[0]));
      const position = Math.max(0, Math.min(this.visible - 1, Number(cell.dataset.position) + move[1]));
      this.cells[line][position].focus();
    });
  }

  /** Light up a value, what it was made of, and where its heads looked. */
  private point(line: number, position: number): void {
    const trace = this.trace!;
    if (!this.cells[line]?.[position]) return;
    this.at = { line, position };
    this.table.querySelectorAll(".here, .operand, .attended, .before").forEach((cell) => cell.classList.remove("here", "operand", "attended", "before"));
    this.table.querySelectorAll('td[tabindex="0"]').forEach((cell) => cell.setAttribute("tabindex", "-1"));
    const cell = this.cells[line][position];
    cell.setAttribute("tabindex", "0");
    cell.classList.add("here");
    const shown = this.lines[line];
    const lineOf = (row: number): number => this.lines.findIndex((each) => each.row === trace.rows[row]);
    const arcs: [number, boolean][] = [];
    if (shown.row) {
      for (const other of shown.row.here) this.cells[lineOf(other)]?.[position]?.classList.add("operand");
      for (const [selector, rows, isDirect] of shown.row.heads) {
        for (const key of this.grids[selector].keys(position)) {
          arcs.push([key, isDirect]);
          for (const other of rows) this.cells[lineOf(other)]?.[key]?.classList.add(isDirect ? "attended" : "before");
        }
      }
    } else if (shown.selector !== null) {
      for (const key of this.grids[shown.selector].keys(position)) {
        arcs.push([key, true]);
        this.cells[0][key]?.classList.add("attended");
      }
    }
    this.drawArcs(arcs, position);
    this.explain(shown, position);
    this.drawGrid(shown, position);
    this.lit(shown.row?.line ?? null);
  }

  private drawArcs(keys: [number, boolean][], query: number): void {
    const positions = this.table.querySelectorAll<HTMLElement>("thead th");
    const left = (i: number): number => positions[i + 1].offsetLeft + positions[i + 1].offsetWidth / 2;
    const width = this.table.offsetWidth;
    // The same for every value: a table that moves under the pointer can't be pointed at.
    const height = this.grids.length ? Math.max(30, Math.min(74, 18 + (width - positions[0].offsetWidth) / 7)) : 8;
    fill(this.arcs as unknown as Element);
    this.arcs.setAttribute("width", String(width));
    this.arcs.setAttribute("height", String(height));
    this.arcbox.style.height = `${height}px`;
    (this.arcbox.lastElementChild as HTMLElement).style.width = `${positions[0].offsetWidth}px`;
    for (const [key, isDirect] of keys.slice(0, 120)) {
      const from = left(key), to = left(query), rise = Math.min(height - 4, 14 + (to - from) / 5);
      const path = key === query
        ? `M ${to - 5} ${height} C ${to - 14} ${height - 20} ${to + 14} ${height - 20} ${to + 5} ${height}`
        : `M ${to} ${height} C ${to} ${height - rise * 1.25} ${from} ${height - rise * 1.25} ${from} ${height}`;
      this.arcs.append(svg("path", { d: path, class: isDirect ? "arc" : "arc way" }));
      this.arcs.append(svg("path", { d: `M ${from - 4} ${height - 6} L ${from} ${height} L ${from + 4} ${height - 6}`, class: isDirect ? "arc" : "arc way" }));
    }
  }

  private explain(line: Line, position: number): void {
    const trace = this.trace!;
    const value = line.values?.[position];
    const name = value !== undefined && value !== null ? trace.names[String(value)] : "";
    const parts: (Node | null)[] = [];
    if (line.selector !== null) {
      const keys = this.grids[line.selector].keys(position);
      parts.push(h("p", {}, h("b", {}, `position ${position}`), keys.length ? ` looks at ${this.places(keys)}` : " finds nothing to look at", h("span", { class: "soft" }, `  ${line.name}`)));
    } else {
      parts.push(h("p", {}, h("b", {}, line.row ? line.name : "step"), ` at position ${position} is `, h("b", { class: "value" }, value === undefined ? "·" : show(value), name ? ` ${name}` : ""), line.row && line.row.line ? h("span", { class: "soft" }, `  ${this.source(line.row.line)}`) : h("span", { class: "soft" }, `  ${line.name}`)));
      for (const [selector, , isDirect] of line.row?.heads ?? []) {
        const keys = this.grids[selector].keys(position);
        const what = keys.length ? `looks at ${this.places(keys)}` : "finds nothing, and takes the default";
        parts.push(h("p", { class: isDirect ? "head" : "head way" }, `${isDirect ? "Its head" : "On the way, a head"} ${what}`, h("span", { class: "soft" }, `  ${trace.selectors[selector].label}`)));
      }
    }
    const library = line.via && trace.library[line.via];
    if (library) parts.push(h("pre", { class: "library" }, library));
    fill(this.dock, ...parts);
  }

  private places(keys: number[]): string {
    const few = keys.slice(0, 12).join(", ") + (keys.length > 12 ? ", …" : "");
    return `${plural(keys.length, "position")}: ${few}`;
  }
  private source(line: number): string {
    return (this.trace!.listing.find(([number]) => number === line)?.[1] ?? "").trim();
  }

  /** The whole attention of the head behind a value: who looks at whom. */
  private drawGrid(line: Line, position: number): void {
    const trace = this.trace!;
    const direct = line.row?.heads.find(([, , isDirect]) => isDirect) ?? line.row?.heads[0];
    const number = line.selector ?? (direct ? direct[0] : null);
    if (number === null || this.visible > 64) { fill(this.picture); return; }
    const grid = this.grids[number];
    const n = this.visible;
    const size = Math.max(7, Math.min(20, Math.floor(300 / n)));
    const labelled = size >= 13;
    // Keys may be anything, positions plus one for instance: so positions stand there too.
    const { keys, queries } = grid.selector;
    const widest = (values: Value[]): number => 8 * Math.max(...values.slice(0, n).map((value) => show(value).length));
    const left = labelled ? 24 + widest(queries) : 2;
    const top = labelled ? 36 : 2;
    const drawing = svg("svg", { width: left + n * size + 2, height: top + n * size + 2, class: "grid", role: "img", "aria-label": "Who looks at whom: one row a position that looks" });
    const text = (x: number, y: number, anchor: string, style: string, what: string): void => {
      drawing.append(svg("text", { x, y, "text-anchor": anchor, class: style }, document.createTextNode(what)));
    };
    for (let i = 0; i < n; i++) {
      if (labelled) {
        const now = i === position ? "now" : "";
        text(14, top + (i + 0.68) * size, "end", `place ${now}`, String(i));
        text(left - 5, top + (i + 0.68) * size, "end", now, show(queries[i] ?? null));
        text(left + (i + 0.5) * size, 11, "middle", "place", String(i));
        text(left + (i + 0.5) * size, top - 7, "middle", "", show(keys[i] ?? null));
      }
      for (let j = 0; j <= i; j++) {
        const on = grid.has(i, j);
        const inset = on ? 1 : size / 2 - 1;
        drawing.append(svg("rect", { x: left + j * size + inset, y: top + i * size + inset, width: size - 2 * inset, height: size - 2 * inset, rx: on ? 2 : 1, class: `${on ? "on" : "off"}${i === position ? " now" : ""}` }));
      }
    }
    fill(this.picture, h("h3", {}, "Who looks at whom"),
      h("p", { class: "soft" }, ...prose(`\`${trace.selectors[number].label}\``), h("br"), "A row is a position that looks, with its query; a column is one that is looked at, with its key."), h("div", { class: "gridbox" }, drawing));
  }

  /** Steps of writing: at each, one more position has been read, and its output is the next token. */
  private buildSteps(): void {
    const trace = this.trace!;
    if (!this.isGeneration) { fill(this.steps); return; }
    const range = h("input", { type: "range", min: this.first, max: trace.length, step: 1, value: this.visible, "aria-label": "Step of writing" });
    range.addEventListener("input", () => { this.pause(); this.go(Number(range.value)); });
    const button = (what: string, label: string, act: () => void): HTMLElement =>
      h("button", { type: "button", "aria-label": label, title: label, class: "step", dataset: { act: label }, onclick: act }, what);
    fill(this.steps,
      button("|◀", "First step", () => { this.pause(); this.go(this.first); }),
      button("◀", "Previous step", () => { this.pause(); this.go(this.visible - 1); }),
      button("▶", "Next step", () => { this.pause(); this.go(this.visible + 1); }),
      button("▶|", "Last step", () => { this.pause(); this.go(trace.length); }),
      h("button", { type: "button", class: "play", onclick: () => this.play() }, "Play"),
      range, h("output", {}));
  }

  private go(step: number): void {
    this.visible = Math.max(this.first, Math.min(this.trace!.length, step));
    this.reveal();
    this.point(this.lines.length - 1, this.visible - 1);
    this.bringIntoView(this.cells[0][Math.min(this.visible, this.cells[0].length - 1)]);
  }

  private reveal(): void {
    if (!this.isGeneration) return;
    const trace = this.trace!;
    const hidden = (i: number): boolean => i > this.visible;
    this.table.querySelectorAll<HTMLElement>("tr").forEach((row) => {
      row.querySelectorAll<HTMLElement>("th[scope=col], td").forEach((cell, i) => { cell.classList.toggle("hidden", hidden(i)); });
    });
    this.cells.forEach((cells, number) => cells.forEach((cell, i) => {
      cell.classList.toggle("coming", i === this.visible && number === 0);
      cell.classList.toggle("later", i >= this.visible && number > 0);
    }));
    const output = this.steps.querySelector("output");
    const next = trace.rows[trace.rows.length - 1].values[this.visible - 1];
    if (output) fill(output, `step ${this.visible - this.first + 1} of ${trace.length - this.first + 1}: writes `, h("b", {}, next === undefined ? "nothing" : show(next), next !== undefined && next !== null && trace.names[String(next)] ? ` ${trace.names[String(next)]}` : ""));
    const range = this.steps.querySelector<HTMLInputElement>("input");
    if (range) range.value = String(this.visible);
  }

  private play(): void {
    if (this.timer) { this.pause(); return; }
    if (this.visible >= this.trace!.length) this.go(this.first);
    this.label("Pause");
    this.timer = window.setInterval(() => {
      this.go(this.visible + 1);
      if (this.visible >= this.trace!.length) this.pause();
    }, 700);
  }
  private pause(): void { clearInterval(this.timer); this.timer = 0; this.label("Play"); }
  private label(text: string): void { const button = this.steps.querySelector(".play"); if (button) button.textContent = text; }
}
