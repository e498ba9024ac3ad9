/** The list of puzzles, and the card of the one that is being solved. */

import { get, post, Refused, type Judged, type Measures, type Puzzle, type RecordLine, type Records } from "./api";
import { fill, h, plural, prose } from "./dom";
import { exported, imported, isBetter, kept, keepSolution, save } from "./store";

export interface PuzzleEvents {
  open: (puzzle: Puzzle) => void;
  leave: () => void;
  text: () => string;
  load: (text: string) => void;
  counterexample: (judged: Judged) => void;
  example: () => void;
}

function cost(measures: Pick<Measures, "heads" | "depth" | "bits">): string {
  return `${plural(measures.heads, "head")}, ${plural(measures.depth, "layer")} deep, ${measures.bits} bits`;
}
const matches = (a: Pick<Measures, "heads" | "depth" | "bits">, b: Measures): boolean => !isBetter(b, a);

export class PuzzleList {
  private records: Records | null = null;
  /** What became of an import: it outlives the section, which is drawn anew after it. */
  private readonly said = h("p", { class: "soft", id: "imported", "aria-live": "polite" });

  constructor(private readonly root: HTMLElement, readonly puzzles: Puzzle[], private readonly events: PuzzleEvents) {
    void this.refresh();
  }

  async refresh(): Promise<void> {
    this.records = await get<Records>("records").catch(() => null);
    this.draw();
  }

  draw(): void {
    const done = this.puzzles.filter((puzzle) => kept.solved[puzzle.id]).length;
    const next = this.puzzles.find((puzzle) => !kept.solved[puzzle.id]);
    const chapters = [...new Set(this.puzzles.map((puzzle) => puzzle.chapter))];
    fill(this.root,
      h("div", { class: "hero" }, h("h1", {}, "Thirty puzzles"),
        h("p", { class: "lead" }, "From looking one token back to adding numbers. Each is solved by a few lines, made only of what a Transformer can do. You don't need to know anything yet: the hints explain everything."),
        next ? h("button", { type: "button", class: "primary", onclick: () => this.events.open(next) }, done ? `Go on with ${next.number}: ${next.title}` : `Start with ${next.number}: ${next.title}`) : h("p", {}, h("b", {}, "You have solved them all.")),
        h("p", { class: "soft" }, `${done} of ${this.puzzles.length} solved`)),
      ...chapters.map((chapter) => h("section", {}, h("h2", {}, chapter),
        h("ul", { class: "puzzles" }, ...this.puzzles.filter((puzzle) => puzzle.chapter === chapter).map((puzzle) => this.card(puzzle))))),
      this.keeping());
  }

  private card(puzzle: Puzzle): HTMLElement {
    const own = kept.solved[puzzle.id];
    const holder = this.records?.records[puzzle.id]?.[0];
    const state = own ? (matches(own, puzzle.best) ? "★ as good as the best known" : "✓ solved") : "";
    return h("li", {}, h("button", { type: "button", class: own ? "puzzle solved" : "puzzle", onclick: () => this.events.open(puzzle) },
      h("span", { class: "number" }, puzzle.number), h("span", { class: "title" }, puzzle.title),
      h("span", { class: "about" }, ...prose(puzzle.goal)), h("span", { class: "state" }, state),
      holder && h("span", { class: "holder" }, `record: ${holder.name}, ${plural(holder.heads, "head")}, ${holder.bits} bits`)));
  }

  /** The record board of a puzzle, best first; null if this server keeps none. */
  board(puzzle: Puzzle): RecordLine[] | null { return this.records?.is_kept ? this.records.records[puzzle.id] ?? [] : null; }

  private keeping(): HTMLElement {
    const file = h("input", { type: "file", accept: "application/json,.json", class: "hiddenfile", "aria-label": "Import solutions" });
    file.addEventListener("change", async () => {
      try {
        const solutions = imported(await file.files![0].text());
        await this.take(solutions);
      } catch (error) {
        this.said.textContent = `Nothing was imported: ${(error as Error).message}.`;
      }
      file.value = "";
    });
    const name = h("input", { id: "own-name", class: "text", maxlength: 24, placeholder: "your name", value: kept.name, autocomplete: "nickname" });
    name.addEventListener("input", () => { kept.name = name.value.trim(); save(); });
    return h("section", { class: "keeping" }, h("h2", {}, "Your solutions"),
      h("p", { class: "soft" }, "They are kept in this browser. Export them to a file, or bring them from another machine."),
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => download("raspl-solutions.json", exported()) }, "Export"),
        h("button", { type: "button", onclick: () => file.click() }, "Import"), file,
        this.records?.is_kept ? h("label", { for: "own-name" }, "Name on the record board ", name) : null), this.said);
  }

  private async take(solutions: Record<string, string>): Promise<void> {
    let taken = 0;
    const known = this.puzzles.filter((puzzle) => solutions[puzzle.id] !== undefined);
    for (const [i, puzzle] of known.entries()) {
      this.said.textContent = `Trying ${i + 1} of ${known.length} …`;
      const judged = await post<Judged>("attempt", { puzzle: puzzle.id, text: solutions[puzzle.id] }).catch(() => null);
      if (judged?.solved && judged.measures) { keepSolution(puzzle.id, solutions[puzzle.id], judged.measures); taken++; }
    }
    this.draw();
    const refused = known.length - taken;
    this.said.textContent = `${plural(taken, "solution")} imported.${refused ? ` ${plural(refused, "other")} did not pass the check.` : ""}`;
  }
}

function download(name: string, text: string): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export class PuzzleCard {
  private hints = 0;
  private readonly open = { uses: false, board: false };
  private puzzle: Puzzle | null = null;
  private readonly result = h("div", { class: "result", "aria-live": "polite" });

  constructor(private readonly root: HTMLElement, private readonly list: PuzzleList, private readonly events: PuzzleEvents) {}

  show(puzzle: Puzzle | null): void {
    this.puzzle = puzzle;
    this.hints = 0;
    this.open.uses = this.open.board = false;
    fill(this.result);
    this.draw();
  }

  private draw(): void {
    const puzzle = this.puzzle;
    if (!puzzle) { fill(this.root); return; }
    const inputs = puzzle.example.input.split(" ");
    const outputs = puzzle.example.output.split(" ");
    const cells = (values: string[]): HTMLElement[] => values.map((value) => h("td", {}, value));
    fill(this.root, h("div", { class: "card puzzlecard" },
      h("div", { class: "row between" }, h("p", { class: "soft crumb" }, `Puzzle ${puzzle.number} of ${this.list.puzzles.length} · ${puzzle.chapter}`),
        h("button", { type: "button", class: "quiet", onclick: () => this.events.leave() }, "All puzzles")),
      h("h1", {}, puzzle.title), h("p", { class: "goal" }, ...prose(puzzle.goal)),
      puzzle.generate
        ? h("p", { class: "example" }, h("code", {}, puzzle.example.input), " then writes ", h("code", {}, puzzle.example.output))
        : h("div", { class: "scroll" }, h("table", { class: "example", "aria-label": "Example" }, h("tbody", {},
          h("tr", {}, h("th", { scope: "row" }, "x"), ...cells(inputs)), h("tr", { class: "out" }, h("th", { scope: "row" }, "wanted"), ...cells(outputs))))),
      this.folded("uses", "Functions worth knowing here",
        h("dl", {}, ...puzzle.uses.flatMap((use) => [h("dt", {}, h("code", {}, use.signature)), h("dd", { class: "soft" }, ...prose(use.doc))]))),
      this.hints ? h("ol", { class: "hints" }, ...puzzle.hints.slice(0, this.hints).map((hint) => h("li", {}, ...prose(hint)))) : null,
      h("div", { class: "row" },
        h("button", { type: "button", class: "primary", id: "check", onclick: () => void this.check() }, "Check my solution"),
        this.hints < puzzle.hints.length ? h("button", { type: "button", id: "hint", onclick: () => { this.hints++; this.draw(); (this.root.querySelector<HTMLElement>("#hint") ?? this.root.querySelector<HTMLElement>("#check"))?.focus(); } }, this.hints ? "Another hint" : "Hint") : null,
        h("button", { type: "button", class: "quiet", onclick: () => this.events.load(puzzle.start) }, "Start over")),
      this.result, this.board(puzzle)));
  }

  /** Something to unfold, which stays as it is when the card is drawn anew. */
  private folded(name: "uses" | "board", title: string, inside: HTMLElement): HTMLElement {
    const details = h("details", { class: `folded ${name}`, open: this.open[name] }, h("summary", {}, title), inside);
    details.addEventListener("toggle", () => { this.open[name] = details.open; });
    return details;
  }

  private board(puzzle: Puzzle): HTMLElement | null {
    const lines = this.list.board(puzzle);
    if (!lines?.length) return null;
    const cell = (value: string | number): HTMLElement => h("td", {}, value);
    return this.folded("board", `Record board: ${plural(lines.length, "entry", "entries")}`, h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, ...["", "name", "heads", "layers", "bits", "day"].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, ...lines.map((line, i) => h("tr", {}, cell(i + 1), cell(line.name), cell(line.heads), cell(line.depth), cell(line.bits), cell(line.when)))))));
  }

  async check(): Promise<void> {
    const puzzle = this.puzzle;
    if (!puzzle) return;
    const text = this.events.text();
    fill(this.result, h("p", { class: "soft" }, "Trying it on inputs of every length up to 200 …"));
    try {
      const judged = await post<Judged>("attempt", { puzzle: puzzle.id, text });
      if (this.puzzle !== puzzle) return;
      if (judged.error) fill(this.result, h("p", { class: "bad" }, "✗ ", ...prose(judged.error)));
      else if (judged.solved) this.solved(puzzle, text, judged);
      else this.wrong(judged);
    } catch (error) {
      fill(this.result, h("p", { class: "bad" }, error instanceof Refused ? error.message : "that did not work"));
    }
  }

  private wrong(judged: Judged): void {
    const { input, sentence } = judged.counterexample!;
    fill(this.result, h("p", { class: "bad" }, h("b", {}, "✗ Not yet. "), sentence),
      h("p", { class: "soft" }, `The shortest input found on which it is wrong is now in the trace: `, h("code", {}, input)));
    this.events.counterexample(judged);
  }

  private solved(puzzle: Puzzle, text: string, judged: Judged): void {
    const measures = judged.measures!;
    const best = judged.best!;
    keepSolution(puzzle.id, text, measures);
    const verdict = isBetter(measures, best) ? "Better than the best known. Tell us!" : matches(measures, best) ? "★ As good as the best known." : `The best known takes ${cost(best)}.`;
    const next = this.list.puzzles[puzzle.number];
    fill(this.result, h("p", { class: "good" }, h("b", {}, "✓ Solved. "), `Right on all ${judged.tested!.toLocaleString("en")} inputs, of up to 200 tokens.`),
      h("p", {}, `Yours takes ${cost(measures)}. ${verdict}`),
      next ? h("div", { class: "row" }, h("button", { type: "button", class: "primary", id: "next", onclick: () => this.events.open(next) }, `Next: ${next.title}`)) : null,
      this.list.board(puzzle) ? this.claiming(puzzle, text) : null);
    this.list.draw();
    this.events.example();
  }

  /** A name, and the button that puts the solution on the board under it. */
  private claiming(puzzle: Puzzle, text: string): HTMLElement {
    const name = h("input", { class: "text", maxlength: 24, value: kept.name, placeholder: "your name", autocomplete: "nickname", "aria-label": "Your name on the record board", required: true });
    const form = h("form", { class: "row claim" }, name, h("button", { id: "claim" }, "Put it on the record board"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      kept.name = name.value.trim();
      save();
      try {
        await post("records", { puzzle: puzzle.id, text, name: kept.name });
        await this.list.refresh();
        const lines = this.list.board(puzzle) ?? [];
        const place = lines.findIndex((line) => line.name === kept.name) + 1;
        this.open.board = true;
        this.draw();
        form.replaceWith(h("p", { class: "soft placed" }, place ? `On the board it is number ${place} of ${lines.length}.` : "The board is full of better ones."));
      } catch (error) {
        form.replaceWith(h("p", { class: "bad" }, error instanceof Refused ? error.message : "that did not work"));
      }
    });
    return form;
  }
}
