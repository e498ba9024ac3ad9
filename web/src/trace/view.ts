/** The trace: every variable under its tokens; what a value was made of, and where its heads looked. */

import { fill, h } from "../dom";
import { Arcs, type Arc } from "./arcs";
import { label, nameOf, Selected, show, type Row, type Trace, type Value } from "./data";
import { explainPair, explainValue } from "./explain";
import { Steps } from "./steps";

/** A line of the table: a row of the trace, or a step inside of one. */
export interface Line {
  name: string; type: string; values: Value[] | null; selector: number | null;
  row: Row | null; via: string; isToken: boolean; isLast: boolean;
}
/** What should have come out: at every position, or of what is written. */
export interface Wanted { values: Value[]; generate: boolean }
/** The value that is looked at, and the heads behind it, those first that fetched it. */
export interface Looked {
  trace: Trace; selected: Selected[]; row: Row | null; position: number; selectors: number[]; visible: number;
}
export interface Options {
  dock: HTMLElement; opensAt: "first" | "last"; looked: (view: TraceView, looked: Looked) => void;
  /** Pixels that the table may take, where its own box is only as wide as the table. */
  room?: () => number;
}

const LIT = ["here", "operand", "attended", "before"];

export class TraceView {
  readonly steps = new Steps((visible, isNext) => this.go(visible, isNext));
  private trace: Trace | null = null;
  private wanted: Wanted | null = null;
  private selected: Selected[] = [];
  private lines: Line[] = [];
  private cells: HTMLTableCellElement[][] = [];
  private wantedCells: HTMLTableCellElement[] = [];
  private heads: HTMLElement[] = [];
  private opened = new Set<string>();
  private at: { line: number; position: number } | null = null;
  private visible = 0;
  private lit: HTMLElement[] = [];
  private table: HTMLTableElement = h("table");
  private readonly arcs = new Arcs();
  private drawn: Arc[] = [];
  private width = 0;
  private readonly notes = h("div", { class: "notes" });
  private readonly scroll = h("div", { class: "scroll", tabindex: "-1" });

  constructor(root: HTMLElement, private readonly options: Options) {
    root.classList.add("trace");
    root.append(this.notes, this.steps.element, this.scroll);
    // What is hidden has no size, so names and arcs are measured again when it is shown.
    new ResizeObserver(() => {
      const room = this.room();
      if (room === this.width) return;
      this.width = room;
      if (room) requestAnimationFrame(() => this.measure());
    }).observe(this.scroll);
  }

  private room(): number { return this.options.room?.() ?? this.scroll.clientWidth; }

  /** Give the names what room there is beside the values, and draw the arcs where the columns are. */
  private measure(): void {
    if (!this.at || !this.table.isConnected) return;
    this.scroll.style.setProperty("--more", "0px");
    this.scroll.style.setProperty("--more", `${Math.max(0, this.room() - this.table.offsetWidth - 2)}px`);
    this.arcs.draw(this.table, this.drawn, this.at.position, this.selected.length > 0);
  }

  /** Draw a trace; the place that was looked at stays, if it is still there. */
  show(trace: Trace, wanted: Wanted | null): void {
    const shape = (each: Trace): string => JSON.stringify([each.length, each.prompt, each.rows.map((row) => row.name)]);
    const isSame = this.trace !== null && shape(this.trace) === shape(trace);
    const wasAtEnd = this.trace !== null && this.visible >= this.trace.length;
    this.trace = trace;
    this.wanted = wanted;
    this.selected = trace.selectors.map((selector) => new Selected(selector.bits));
    if (!isSame) {
      this.at = null;
      // A generation that failed is opened where it did.
      this.visible = this.options.opensAt === "first" && trace.error === null ? this.first : trace.length;
    } else if (wasAtEnd) this.visible = trace.length;
    this.build();
  }

  /** Light up the rows that a line of the program makes, or none. */
  lightRows(line: number | null): void {
    this.table.querySelectorAll("th.lit").forEach((each) => each.classList.remove("lit"));
    this.lines.forEach((each, number) => {
      if (line !== null && each.row?.line === line) this.cells[number][0]?.parentElement?.firstElementChild?.classList.add("lit");
    });
  }

  /** Say what one square of a selector's picture means. */
  explainPair(number: number, query: number, key: number): void {
    fill(this.options.dock, ...explainPair(this.trace!, this.selected[number], number, query, key));
  }

  /** Positions that have been read before anything is written. */
  private get first(): number { const { prompt, length } = this.trace!; return prompt === null ? length : Math.min(prompt, length); }

  private key(row: Row): string { return `${row.name}:${row.line}`; }

  private listed(): Line[] {
    const trace = this.trace!;
    return trace.rows.flatMap((row, number): Line[] => {
      const isToken = number < trace.tokens.length;
      const own: Line = {
        name: row.name, type: row.type, values: isToken ? trace.tokens[number] : row.values,
        selector: null, row, via: "", isToken, isLast: number === trace.rows.length - 1,
      };
      if (!this.opened.has(this.key(row))) return [own];
      const inner = row.steps.slice(0, -1).map((step): Line => ({
        name: step.label, type: step.type, values: step.values, selector: step.selector, row: null, via: step.via, isToken: false, isLast: false,
      }));
      return [...inner, own];
    });
  }

  private build(): void {
    const trace = this.trace!;
    this.lines = this.listed();
    this.lit = [];
    fill(this.notes, trace.error && h("p", { class: "error", role: "alert" }, trace.error), ...trace.notes.map((note) => h("p", { class: "note" }, note)));
    const total = Math.max(trace.tokens[0]?.length ?? 0, trace.length);
    this.steps.begin(trace.prompt === null ? null : [this.first, trace.length], this.visible);
    if (!total) {
      fill(this.scroll, h("p", { class: "empty" }, "There are no tokens yet, so there is nothing to see."));
      fill(this.options.dock);
      return;
    }
    this.buildTable(total);
    for (let i = 0; i < total; i++) this.setColumn(i);
    this.tellStep();
    if (!this.at || this.at.line >= this.lines.length || this.at.position >= this.visible) {
      this.at = { line: this.lines.length - 1, position: this.visible - 1 };
    }
    this.point(this.at.line, this.at.position);
    this.measure();
    this.bringIntoView(this.cells[this.at.line]?.[this.at.position]);
    if (this.at.position === this.visible - 1) this.bringIntoView(this.cells[0][this.visible]);
  }

  private buildTable(total: number): void {
    const { prompt } = this.trace!;
    this.heads = Array.from({ length: total }, (_, i) => h("th", { scope: "col", class: i === prompt ? "first-written" : "" }, i));
    const positions = h("tr", { class: "positions" }, h("th", { class: "name" }, h("span", { class: "soft" }, "position")), ...this.heads);
    this.cells = [];
    const rows = this.lines.map((line, number) => {
      const style = [line.isToken ? "tokens" : "", line.row ? "" : "inner", line.isLast ? "last" : ""];
      const cells = Array.from({ length: total }, (_, i) => this.cell(line, number, i));
      this.cells.push(cells);
      return h("tr", { class: style.join(" ").trim() }, this.header(line), ...cells);
    });
    this.wantedCells = [];
    if (this.wanted) rows.push(this.wantedRow(total));
    this.table = h("table", { "aria-label": "Values at each position" }, h("thead", {}, positions), h("tbody", {}, ...rows));
    this.watch();
    fill(this.scroll, h("div", { class: "canvas" }, this.arcs.element, this.table));
  }

  private header(line: Line): HTMLElement {
    const { row } = line;
    const isOpen = row !== null && this.opened.has(this.key(row));
    const opener = row?.steps.length
      ? h("button", {
        class: "opener", type: "button", "aria-expanded": String(isOpen), title: isOpen ? "Close" : "Step into it",
        "aria-label": `${isOpen ? "Close" : "Step into"} ${row.name}`, onclick: () => this.toggle(row),
      }, isOpen ? "−" : "+")
      : h("span", { class: "opener" });
    return h("th", { class: "name", scope: "row", title: row ? line.type : `${line.name}, in ${line.via}` },
      h("div", {}, opener, !row && h("span", { class: "via" }, line.via), h("span", { class: "label" }, line.name), h("span", { class: "type" }, line.selector === null ? line.type : "how many")));
  }

  private toggle(row: Row): void {
    const key = this.key(row);
    if (!this.opened.delete(key)) this.opened.add(key);
    const position = this.at?.position ?? this.visible - 1;
    this.at = { line: this.listed().findIndex((line) => line.row === row), position };
    this.build();
    this.table.querySelectorAll<HTMLElement>("button.opener").forEach((button) => {
      if (button.getAttribute("aria-label")?.endsWith(` ${row.name}`)) button.focus();
    });
  }

  private cell(line: Line, number: number, i: number): HTMLTableCellElement {
    const trace = this.trace!;
    const td = h("td", { tabindex: "-1", dataset: { line: String(number), position: String(i) } });
    if (i === trace.prompt) td.classList.add("first-written");
    if (line.selector !== null) {
      td.classList.add("selector");
      if (i < trace.length) td.append(String(this.selected[line.selector].keys(i).length));
      return td;
    }
    const value = line.values?.[i];
    if (value === undefined) { td.classList.add("void"); return td; }
    const isNamed = line.row?.named ?? false;
    const name = nameOf(trace, value);
    td.append(label(trace, value, isNamed));
    if (isNamed) td.title = `token ${show(value)}`;
    else if (name && (line.isToken || (trace.prompt !== null && line.isLast))) td.append(h("small", {}, name));
    if (value === null) td.classList.add("false");
    else if (line.type === "Bool") td.classList.add(value ? "true" : "false");
    if (line.isToken && trace.prompt !== null && i >= trace.prompt) td.classList.add("written");
    return td;
  }

  private wantedRow(total: number): HTMLTableRowElement {
    const trace = this.trace!;
    const { values, generate } = this.wanted!;
    const shift = generate ? (trace.prompt ?? 0) - 1 : 0;
    const output = trace.rows[trace.rows.length - 1].values;
    this.wantedCells = Array.from({ length: total }, (_, i) => {
      const value = i < shift ? undefined : values[i - shift];
      if (value === undefined || value === null) return h("td", { class: "void" });
      const isWrong = output[i] !== value;
      return h("td", { class: isWrong ? "wrong" : "right" }, String(value), h("small", {}, isWrong ? "✗" : "✓"));
    });
    return h("tr", { class: "wanted" }, h("th", { class: "name", scope: "row" }, h("div", {}, h("span", { class: "opener" }), h("span", { class: "label" }, "wanted"))), ...this.wantedCells);
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
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity],
    };
    this.table.addEventListener("keydown", (event) => {
      const cell = cellOf(event);
      const move = moves[event.key];
      if (!cell || !move) return;
      event.preventDefault();
      event.stopPropagation();
      const line = Math.max(0, Math.min(this.lines.length - 1, Number(cell.dataset.line) + move[0]));
      const position = Math.max(0, Math.min(this.visible - 1, Number(cell.dataset.position) + move[1]));
      this.cells[line][position].focus();
    });
  }

  /** Light up a value, what it was made of, and where its heads looked. */
  private point(line: number, position: number): void {
    const cell = this.cells[line]?.[position];
    if (!cell) return;
    for (const each of this.lit) { each.classList.remove(...LIT); each.tabIndex = -1; }
    this.lit = [];
    this.at = { line, position };
    this.light(cell, "here");
    cell.tabIndex = 0;
    const shown = this.lines[line];
    this.drawn = shown.row ? this.lightSources(shown.row, position) : this.lightKeys(shown.selector, position);
    this.arcs.draw(this.table, this.drawn, position, this.selected.length > 0);
    fill(this.options.dock, ...explainValue(this.trace!, this.selected, shown, position));
    const heads = [...(shown.row?.heads ?? [])].sort((a, b) => Number(b[2]) - Number(a[2])).map(([selector]) => selector);
    this.options.looked(this, {
      trace: this.trace!, selected: this.selected, row: shown.row, position, visible: this.visible,
      selectors: shown.selector === null ? heads : [shown.selector],
    });
  }

  private light(cell: HTMLElement | undefined, style: string): void {
    if (!cell) return;
    cell.classList.add(style);
    this.lit.push(cell);
  }

  private lightSources(row: Row, position: number): Arc[] {
    const rows = this.trace!.rows;
    const lineOf = (number: number): number => this.lines.findIndex((line) => line.row === rows[number]);
    for (const other of row.here) this.light(this.cells[lineOf(other)]?.[position], "operand");
    return row.heads.flatMap(([selector, others, isDirect]) => this.selected[selector].keys(position).map((key) => {
      for (const other of others.length ? others : [0]) this.light(this.cells[lineOf(other)]?.[key], isDirect ? "attended" : "before");
      return { key, isDirect };
    }));
  }

  private lightKeys(selector: number | null, position: number): Arc[] {
    if (selector === null) return [];
    return this.selected[selector].keys(position).map((key) => {
      this.light(this.cells[0][key], "attended");
      return { key, isDirect: true };
    });
  }

  private go(visible: number, isNext: boolean): void {
    const before = this.visible;
    this.visible = visible;
    const last = this.heads.length - 1;
    for (let i = Math.max(0, Math.min(before, visible) - 1); i <= Math.min(last, Math.max(before, visible) + 1); i++) this.setColumn(i);
    this.tellStep();
    this.point(this.lines.length - 1, visible - 1);
    const next = this.cells[0][Math.min(visible, last)];
    this.bringIntoView(next);
    if (isNext && next.classList.contains("coming")) this.animate(this.cells[this.lines.length - 1][visible - 1], next);
  }

  /** What of a column is there yet: its values come when it is read, its token one step before. */
  private setColumn(i: number): void {
    const { prompt, error, length } = this.trace!;
    const isFailed = error !== null && i === length;
    const isHidden = prompt !== null && i > this.visible;
    this.heads[i].classList.toggle("hidden", isHidden);
    this.wantedCells[i]?.classList.toggle("hidden", isHidden);
    this.cells.forEach((cells, number) => {
      const { classList } = cells[i];
      const { isToken } = this.lines[number];
      classList.toggle("hidden", isHidden);
      classList.toggle("failed", isFailed && isToken);
      classList.toggle("coming", prompt !== null && i === this.visible && isToken && !isFailed);
      classList.toggle("later", i >= this.visible && !isToken);
    });
  }

  private tellStep(): void {
    const trace = this.trace!;
    if (trace.prompt === null) return;
    const output = trace.rows[trace.rows.length - 1];
    const next = output.values[this.visible - 1];
    if (next === undefined) { this.steps.tell(); return; }
    const name = nameOf(trace, next);
    const written = output.named ? label(trace, next, true) : name ? `${show(next)} ${name}` : show(next);
    this.steps.tell(`: position ${this.visible - 1} writes `, h("b", {}, written));
  }

  private bringIntoView(cell: HTMLElement | undefined): void {
    if (!cell) return;
    const names = this.table.querySelector<HTMLElement>("th.name")?.offsetWidth ?? 0;
    const right = cell.offsetLeft + cell.offsetWidth + 8;
    if (right > this.scroll.scrollLeft + this.scroll.clientWidth) this.scroll.scrollLeft = right - this.scroll.clientWidth;
    else if (cell.offsetLeft < this.scroll.scrollLeft + names) this.scroll.scrollLeft = cell.offsetLeft - names - 8;
  }

  /** The output moves up to where it is read next. */
  private animate(output: HTMLElement, token: HTMLElement): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const from = output.getBoundingClientRect(), to = token.getBoundingClientRect();
    token.animate([{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: "none" }], { duration: 380, easing: "cubic-bezier(.3,.8,.3,1)" });
  }
}
