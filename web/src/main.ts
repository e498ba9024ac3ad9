/** The page: puts the parts together, and keeps the program, the input and the puzzle in one place. */

import { get, latest, post, Refused, type Call, type Checked, type Judged, type Network, type Puzzle, type Settings } from "./api";
import { AskView } from "./ask";
import { fill, find, h, prose } from "./dom";
import { Editor } from "./editor";
import { NetworkView } from "./network";
import { PuzzleCard, PuzzleList } from "./puzzles";
import { pack, unpack, type Shared } from "./share";
import { kept, save } from "./store";
import type { Trace, Value } from "./trace/data";
import { HeadPicture } from "./trace/pictures";
import { TraceView, type Wanted } from "./trace/view";

const EXAMPLES: Record<string, Shared & { title: string }> = {
  record: { title: "How far below the record?", text: "def below(x):\n    \"\"\"How far below the record?\"\"\"\n    return maximum(x) - x\n", input: "3 1 4 1 5 9 2 6", generate: false, puzzle: "" },
  induction: { title: "An induction head", text: "def induction(x):\n    \"\"\"What came after this token, the first time?\"\"\"\n    place = firsts(x, x) + 1\n    return index_select(x, place)\n", input: "3 1 4 1 5 3 1 4", generate: false, puzzle: "" },
  sort: { title: "Sort, one token at a time", text: "GO = -2\nEND = -3\n\n\ndef sort(x):\n    \"\"\"The least token that is greater than this one.\"\"\"\n    return kqv(x, x, x, gt, default=END, reduction=\"min\")\n", input: "4 7 2 9 5 GO", generate: true, puzzle: "" },
  mode: { title: "The most frequent token", text: "def mode(x):\n    how_often = num_prev(x, x)\n    winner = argmax(how_often)\n    return index_select(x, winner)\n", input: "3 1 1 4 1 3 3 3", generate: false, puzzle: "" },
  copy: { title: "Copy what was given", text: "START = -1\nGO = -2\nEND = -3\n\n\ndef copy(x):\n    \"\"\"What came after this token in the prompt? After GO, what came after START?\"\"\"\n    asked = where(x == GO, full(x, START), x)\n    following = induct(x, asked, 1)\n    return where(following == GO, full(x, END), following)\n", input: "START 4 7 2 9 GO", generate: true, puzzle: "" },
};

/** Where the editor and the trace stand side by side, as in style.css. */
const BESIDE = "(min-width: 1020px)";
/** Milliseconds without a key before the trace is drawn anew. */
const LEAST_PAUSE = 120;
const MOST_PAUSE = 700;

/** From a key to its diagnostics in the page, of which from question to answer, of which the check. */
interface Latency { total: number; call: number; check: number }
interface Wish { input: string; generate: boolean; wanted: Wanted }

class Page {
  private readonly editor: Editor;
  private readonly trace: TraceView;
  private readonly network: NetworkView;
  private readonly list: PuzzleList;
  private readonly card: PuzzleCard;
  private readonly input = find<HTMLInputElement>("#input");
  private readonly generate = find<HTMLInputElement>("#generate");
  private puzzle: Puzzle | null = null;
  private wish: Wish | null = null;
  private tab = "trace";
  /** Whether the text has no program that runs, and whether the last trace was refused. */
  private isBroken = false;
  private isRefused = false;
  private begun = 0;
  private traced = 0;
  /** Milliseconds that the last trace took, drawing included. */
  private lastTrace = 0;
  /** How long answers took, in milliseconds; benchmarks/keystroke.py reads it. */
  readonly latencies: Latency[] = [];

  constructor(settings: Settings, puzzles: Puzzle[], shared: Shared | null, isLinkBroken: boolean) {
    const picture = new HeadPicture(find("#attention"));
    this.trace = new TraceView(find("#trace"), { dock: find("#dock"), opensAt: "last", looked: (view, looked) => picture.look(view, looked) });
    this.network = new NetworkView(find("#network"));
    this.editor = new Editor(find("#editor"), "", {
      changed: () => this.changed(),
      call: (call) => this.showCall(call),
      run: () => void this.card.check(),
    });
    const events = {
      open: (puzzle: Puzzle) => this.open(puzzle),
      leave: () => this.view("puzzles"),
      text: () => this.editor.text,
      load: (text: string) => { this.editor.text = text; this.editor.view.focus(); },
      counterexample: (judged: Judged) => this.showCounterexample(judged),
      example: () => this.showExample(),
    };
    this.list = new PuzzleList(find("#puzzles"), puzzles, events);
    this.card = new PuzzleCard(find("#puzzle"), this.list, events);
    new AskView(find("#ask"), () => this.asked(), settings.ask);
    find('[data-tab="network"]').hidden = !settings.network;
    this.buildExamples();
    this.watch();
    const first = shared ?? { ...EXAMPLES.record, text: kept.drafts[""] || EXAMPLES.record.text };
    const known = puzzles.find((puzzle) => puzzle.id === first.puzzle) ?? null;
    const hasDraft = Boolean(kept.drafts[""]);
    this.take(first, known);
    if (isLinkBroken) this.notice(`${BROKEN_LINK} ${hasDraft ? "Here is the page as you left it." : "Here is an example instead."}`);
  }

  private notice(sentence: string): void {
    const notice = find("#notice");
    notice.hidden = !sentence;
    notice.textContent = sentence;
  }

  private take(shared: Shared, puzzle: Puzzle | null): void {
    this.puzzle = puzzle;
    this.wish = null;
    this.notice("");
    this.input.value = shared.input;
    this.generate.checked = shared.generate;
    this.card.show(puzzle);
    find("#welcome").hidden = puzzle !== null;
    this.setWish();
    const same = this.editor.text === shared.text;
    this.editor.text = shared.text;
    if (same) this.changed();
    this.view("play");
  }

  private open(puzzle: Puzzle): void {
    const text = kept.drafts[puzzle.id] ?? kept.solved[puzzle.id]?.text ?? puzzle.start;
    this.take({ text, input: puzzle.example.input, generate: puzzle.generate, puzzle: puzzle.id }, puzzle);
    scrollTo({ top: 0 });
    this.editor.view.focus();
  }

  /** The wanted output of the puzzle's own example, to stand below the program's. */
  private setWish(): void {
    const puzzle = this.puzzle;
    if (!puzzle) { this.wish = null; return; }
    const numbers = puzzle.example.output.split(" ").map((word): Value => (/^-?\d+$/.test(word) ? Number(word) : null));
    this.wish = { input: puzzle.example.input, generate: puzzle.generate, wanted: { values: numbers, generate: puzzle.generate } };
  }

  private showCounterexample(judged: Judged): void {
    const found = judged.counterexample!;
    this.input.value = found.input;
    this.generate.checked = found.generate;
    this.wish = { input: found.input, generate: found.generate, wanted: { values: found.expected, generate: found.generate } };
    this.show("trace");
    this.askTrace();
    // Where the trace stands below the puzzle, nobody would see it change.
    if (!matchMedia(BESIDE).matches) find(".right").scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }

  /** Once a puzzle is solved, its own example says more than the last input that went wrong. */
  private showExample(): void {
    if (!this.puzzle || this.input.value.trim() !== this.wish?.input) return;
    this.setWish();
    this.input.value = this.wish.input;
    this.generate.checked = this.wish.generate;
    this.askTrace();
    void this.remember();
  }

  private request(): { text: string; input: string; program: string } {
    return { text: this.editor.text, input: this.input.value, program: "" };
  }
  private asked(): unknown { return { ...this.request(), generate: this.generate.checked, until: "" }; }

  private changed(): void {
    this.begun = window.event instanceof UIEvent ? window.event.timeStamp : performance.now();
    clearTimeout(this.traced);
    kept.drafts[this.puzzle?.id ?? ""] = this.editor.text;
    this.sendCheck(this.editor.text);
    void this.remember();
  }

  private readonly sendCheck = latest(
    async (text: string) => {
      const asked = performance.now();
      const checked = await post<Checked>("check", { text });
      return { checked, call: performance.now() - asked };
    },
    ({ checked, call }, text: string) => {
      if (text !== this.editor.text) return;
      this.editor.mark(checked.diagnostics);
      this.latencies.push({ total: performance.now() - this.begun, call, check: 1000 * checked.seconds });
      this.showProblems(checked);
      this.showMeasures(checked);
      this.isBroken = !checked.programs.length;
      if (!this.isBroken) this.askTrace();
      this.showAge();
    },
    (error) => fill(find("#problems"), h("li", { class: "error" }, error instanceof Refused ? error.message : String(error))),
  );

  /** A trace that takes long waits for a longer pause, so that it never holds up the next key. */
  private askTrace(): void {
    clearTimeout(this.traced);
    this.traced = window.setTimeout(() => {
      if (this.tab === "network") this.sendNetwork(this.request());
      this.sendTrace({ ...this.request(), generate: this.generate.checked });
    }, Math.min(MOST_PAUSE, Math.max(LEAST_PAUSE, 4 * this.lastTrace)));
  }

  private readonly sendTrace = latest(
    async (asked: { input: string; generate: boolean }) => {
      const begun = performance.now();
      const answer = await post<{ trace: Trace | null; error?: string }>("trace", asked);
      return { ...answer, begun };
    },
    ({ trace, error, begun }, asked) => {
      const message = find("#tracemessage");
      message.hidden = !error;
      fill(message, ...prose(error ?? ""));
      this.isRefused = !trace;
      this.showAge();
      if (!trace) return;
      const fits = this.wish && this.wish.input === asked.input.trim() && this.wish.generate === asked.generate;
      this.trace.show(trace, fits ? this.wish!.wanted : null);
      this.lastTrace = performance.now() - begun;
    },
    (error) => {
      const message = find("#tracemessage");
      message.hidden = false;
      fill(message, error instanceof Refused ? error.message : String(error));
      this.isRefused = true;
      this.showAge();
    },
  );

  /** A trace that is not of what the editor and the input say looks like it. */
  private showAge(): void {
    find("#stale").hidden = !this.isBroken;
    find('[data-panel="trace"]').classList.toggle("old", this.isBroken || this.isRefused);
  }

  private readonly sendNetwork = latest(
    (asked: unknown) => post<{ network: Network | null; error?: string }>("network", asked),
    ({ network, error }) => { if (network) this.network.show(network, this.generate.checked); else this.network.say(error ?? ""); },
    (error) => this.network.say(error instanceof Refused ? error.message : String(error)),
  );

  private showProblems(checked: Checked): void {
    fill(find("#problems"), ...checked.diagnostics.slice(0, 8).map((found) => h("li", { class: found.severity },
      h("button", { type: "button", class: "place", onclick: () => this.editor.goTo(found.line, found.column) }, `line ${found.line}`),
      h("div", {}, h("p", {}, ...prose(found.message)), h("p", { class: "soft" }, ...prose(`Instead: ${ended(found.instead)}`)),
        found.fixes.length ? h("div", { class: "row" }, ...found.fixes.map((fix) => h("button", { type: "button", class: "fix", onclick: () => this.editor.apply(fix) }, ...prose(fix.title)))) : null))),
      checked.diagnostics.length > 8 && h("li", {}, `and ${checked.diagnostics.length - 8} more`));
  }

  private showMeasures(checked: Checked): void {
    const target = find("#measures");
    const program = checked.programs.reduce<Checked["programs"][number] | null>((last, each) => (!last || each.line > last.line ? each : last), null);
    if (!program) { fill(target, h("span", { class: "soft" }, "No program runs yet.")); return; }
    const { heads, depth, bits } = program.measures;
    fill(target,
      h("span", { title: "How often a position looks at others: the attention heads of a Transformer." }, h("b", {}, heads), ` attention ${heads === 1 ? "head" : "heads"}`),
      h("span", { title: "Heads that wait for one another: the layers that a Transformer needs." }, h("b", {}, depth), ` ${depth === 1 ? "layer" : "layers"} deep`),
      h("span", { title: "How much there is to say: the length of the program's shortest description." }, h("b", {}, bits), " bits"));
  }

  private showCall(call: Call | null): void {
    const target = find("#call");
    if (!call) { fill(target); return; }
    const [doc] = call.doc.split("\n\n");
    fill(target, h("code", {}, `${call.name}(`, ...call.parameters.flatMap((parameter, i) => [i ? ", " : "", i === call.active ? h("b", {}, parameter) : parameter]), ")"), " ", h("span", { class: "soft" }, ...prose(doc.replaceAll("\n", " "))));
  }

  private buildExamples(): void {
    const select = find<HTMLSelectElement>("#examples");
    for (const [name, example] of Object.entries(EXAMPLES)) select.append(h("option", { value: name }, example.title));
    select.addEventListener("change", () => {
      const example = EXAMPLES[select.value];
      if (example) this.take(example, null);
      select.value = "";
    });
  }

  private watch(): void {
    this.input.addEventListener("input", () => { this.askTrace(); void this.remember(); });
    this.generate.addEventListener("change", () => { this.askTrace(); void this.remember(); });
    document.querySelectorAll<HTMLElement>("[data-view]").forEach((button) => button.addEventListener("click", () => this.view(button.dataset.view!)));
    const tabs = [...document.querySelectorAll<HTMLElement>("[data-tab]")];
    for (const tab of tabs) {
      tab.addEventListener("click", () => this.show(tab.dataset.tab!));
      tab.addEventListener("keydown", (event) => {
        const shown = tabs.filter((each) => !each.hidden);
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length];
        this.show(next.dataset.tab!);
        next.focus();
      });
    }
    find("#first-puzzle").addEventListener("click", () => this.open(this.list.puzzles[0]));
    find("#share").addEventListener("click", () => void this.share());
    find("#theme").addEventListener("click", () => setTheme(currentTheme() === "dark" ? "light" : "dark"));
    addEventListener("hashchange", () => void this.fromLink());
    addEventListener("pagehide", save);
  }

  /** Play or puzzles. */
  private view(name: string): void {
    find("#play").hidden = name !== "play";
    find("#puzzles").hidden = name !== "puzzles";
    document.querySelectorAll<HTMLElement>("nav [data-view]").forEach((button) => button.setAttribute("aria-current", String(button.dataset.view === name)));
    if (name === "puzzles") { this.list.draw(); scrollTo({ top: 0 }); }
  }

  private show(tab: string): void {
    this.tab = tab;
    document.querySelectorAll<HTMLElement>("[data-tab]").forEach((each) => {
      const chosen = each.dataset.tab === tab;
      each.setAttribute("aria-selected", String(chosen));
      each.tabIndex = chosen ? 0 : -1;
    });
    document.querySelectorAll<HTMLElement>("[data-panel]").forEach((panel) => { panel.hidden = panel.dataset.panel !== tab; });
    if (tab === "network") { this.network.say("Compiling …"); this.sendNetwork(this.request()); }
  }

  private shared(): Shared {
    return { text: this.editor.text, input: this.input.value, generate: this.generate.checked, puzzle: this.puzzle?.id ?? "" };
  }
  private remembering = 0;
  private link = "";
  /** The address of the page always holds what is on it. */
  private async remember(): Promise<void> {
    clearTimeout(this.remembering);
    this.remembering = window.setTimeout(async () => {
      this.link = await pack(this.shared());
      history.replaceState(null, "", `#${this.link}`);
      save();
    }, 400);
  }
  private async fromLink(): Promise<void> {
    const fragment = location.hash.slice(1);
    if (!fragment || fragment === this.link || document.getElementById(fragment)) return;
    const shared = await unpack(fragment);
    if (!shared) this.notice(`${BROKEN_LINK} The page stays as it was.`);
    else this.take(shared, this.list.puzzles.find((puzzle) => puzzle.id === shared.puzzle) ?? null);
  }
  private async share(): Promise<void> {
    const button = find("#share");
    this.link = await pack(this.shared());
    history.replaceState(null, "", `#${this.link}`);
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Link copied";
    } catch {
      button.textContent = "The link is in the address bar";
    }
    setTimeout(() => { button.textContent = "Share"; }, 2500);
  }
}

const BROKEN_LINK = "This link could not be read: part of it may be missing.";
const ended = (sentence: string): string => (/[.?!…]$/.test(sentence) ? sentence : `${sentence}.`);

function currentTheme(): string {
  return document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  kept.theme = theme;
  save();
}

async function start(): Promise<void> {
  if (kept.theme) document.documentElement.dataset.theme = kept.theme;
  try {
    const [settings, { puzzles }] = await Promise.all([get<Settings>("settings"), get<{ puzzles: Puzzle[] }>("puzzles")]);
    find("#version").textContent = `raspl ${settings.version}`;
    const fragment = location.hash.slice(1);
    const isLink = fragment !== "" && !document.getElementById(fragment);
    const shared = isLink ? await unpack(fragment) : null;
    Object.assign(window, { playground: new Page(settings, puzzles, shared, isLink && !shared) });
    document.body.classList.add("ready");
  } catch (error) {
    fill(find("main"), h("p", { class: "error" }, `The playground can't start: ${(error as Error).message}. Reload the page to try again.`));
  }
}
void start();
