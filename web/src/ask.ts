/** Will a Transformer learn it? A forecast, then a short training, as they happen. */

import { Refused, stream } from "./api";
import { fill, h, plural, svg } from "./dom";

interface Point { step: number; loss: number; scores: Record<string, number> }
interface Task { examples: string[]; trained_to: number; tested: number[] }
interface Trained { exact_match: Record<string, number>; trained: number; is_converged: boolean }
interface Forecast { sentence: string; probability: Record<string, number>; reasons: string[]; program: string }
const percent = (share: number | undefined): string => (share === undefined ? "" : `${Math.round(100 * share)} %`);
/** What came out shows something about longer inputs only if the training itself came to its end. */
function trained({ trained: share, is_converged: isConverged }: Trained): string {
  if (isConverged) return `Trained: ${percent(share)} right at the trained lengths.`;
  return `Trained, but not to the end: ${percent(share)} right at the trained lengths, so what it does on longer inputs says little. A longer training may do better.`;
}
const SHAPES = ["", "6 4", "2 3", "10 3 2 3"];

export class AskView {
  private controller: AbortController | null = null;
  private points: Point[] = [];
  private task: Task | null = null;
  private readonly beside = h("div", { class: "scroll" });
  private readonly log = h("div", { class: "log", "aria-live": "polite" });
  private readonly chart = h("div", { class: "chart" });
  private readonly button: HTMLButtonElement;

  constructor(root: HTMLElement, private readonly request: () => unknown, enabled: boolean) {
    this.button = h("button", { type: "button", class: "primary", onclick: () => this.toggle() }, "Find out");
    const about = h("p", { class: "lead" }, "Your program becomes a task: random inputs, and its own outputs as the answers. First comes a forecast: a search looks for the shortest programs that explain such examples; it does not see yours. Then a small Transformer learns the task from scratch on short inputs, and is tested on longer ones.");
    if (!enabled) {
      root.append(about, h("p", { class: "empty" }, "This server does not train. On your own machine, `raspl play` does."));
      return;
    }
    root.append(about, this.button, this.log, this.chart);
    addEventListener("resize", () => { if (this.points.length) this.draw(); });
  }

  private toggle(): void {
    if (this.controller) { this.controller.abort(); return; }
    void this.run();
  }

  private async run(): Promise<void> {
    this.controller = new AbortController();
    this.points = [];
    const begun = performance.now();
    fill(this.log);
    fill(this.chart);
    this.button.textContent = "Stop";
    const status = h("p", { class: "status" }, "Turning the program into a task …");
    this.log.append(status);
    let chances: Record<string, number> = {};
    try {
      for await (const { kind, data } of stream("ask", this.request(), this.controller.signal)) {
        if (kind === "search") {
          status.textContent = `Looking for the shortest program that explains the examples … ${plural(Math.round((performance.now() - begun) / 1000), "second")}, now at programs of cost ${data.cost}`;
        } else if (kind === "task") {
          this.task = data as unknown as Task;
          status.textContent = "Looking for the shortest program that explains the examples …";
          this.log.prepend(h("div", { class: "examples" }, h("h3", {}, "Examples of the task"), ...this.task.examples.map((line) => h("code", {}, line))));
        } else if (kind === "forecast") {
          const made = data as unknown as Forecast;
          chances = made.probability;
          status.before(...this.forecast(made), this.beside);
          this.compare(chances, {});
          status.textContent = "Training starts …";
        } else if (kind === "training") {
          this.points.push(data as unknown as Point);
          status.textContent = data.step === data.steps ? "Testing on longer inputs …" : `Step ${data.step} of ${data.steps}, about ${plural(Math.ceil(Number(data.seconds_left)), "second")} left`;
          this.draw();
        } else if (kind === "trained") {
          this.compare(chances, data.exact_match as Record<string, number>);
          status.textContent = trained(data as unknown as Trained);
        } else if (kind === "error") {
          status.textContent = String(data.sentence);
          status.className = "error";
        }
      }
    } catch (error) {
      status.textContent = error instanceof Refused ? error.message : "Stopped.";
    }
    this.controller = null;
    this.button.textContent = "Find out again";
  }

  private forecast({ sentence, reasons, program }: Forecast): HTMLElement[] {
    const why = h("details", { class: "folded" }, h("summary", {}, "Why"), ...reasons.map((reason) => h("p", { class: "soft" }, reason)),
      program ? h("p", { class: "soft" }, "The shortest program found:") : null, program ? h("pre", {}, program) : null);
    return [h("h3", {}, "Forecast"), h("p", { class: "verdict" }, sentence), why];
  }

  /** What was forecast, and what came out. */
  private compare(chances: Record<string, number>, came: Record<string, number>): void {
    const { trained_to: trainedTo, tested } = this.task!;
    const lengths = [trainedTo, ...tested].map(String);
    const row = (title: string, shares: Record<string, number>): HTMLElement =>
      h("tr", {}, h("th", { scope: "row" }, title), ...lengths.map((length) => h("td", {}, percent(shares[length]))));
    fill(this.beside, h("table", { class: "compared" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "input length"), ...lengths.map((length, i) => h("th", { scope: "col" }, i ? length : `up to ${length} (trained)`)))),
      h("tbody", {}, row("chance that 90\u00a0% of answers are right", chances), row("answers right after training", came))));
  }

  private draw(): void {
    const width = Math.max(280, Math.min(640, this.chart.clientWidth)), height = 240, left = 48, bottom = 30, top = 12, right = 78;
    const steps = Math.max(...this.points.map((point) => point.step), 1);
    const lengths = [...new Set(this.points.flatMap((point) => Object.keys(point.scores)))].sort((a, b) => Number(a) - Number(b));
    const x = (step: number): number => left + (step / steps) * (width - left - right);
    const y = (share: number): number => top + (1 - share) * (height - top - bottom);
    const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "curve", role: "img", "aria-label": "Share of right answers, by training step" });
    for (const share of [0, 0.5, 1]) {
      chart.append(svg("line", { x1: left, x2: width - right, y1: y(share), y2: y(share), class: "rule" }));
      chart.append(svg("text", { x: left - 6, y: y(share) + 4, "text-anchor": "end" }, document.createTextNode(`${100 * share} %`)));
    }
    chart.append(svg("text", { x: left, y: height - 8 }, document.createTextNode("step 0")));
    chart.append(svg("text", { x: x(steps), y: height - 8, "text-anchor": "end" }, document.createTextNode(`step ${steps}`)));
    let labelled = -20;
    lengths.forEach((length, i) => {
      const seen = this.points.filter((point) => point.scores[length] !== undefined);
      if (!seen.length) return;
      chart.append(svg("polyline", { points: seen.map((point) => `${x(point.step)},${y(point.scores[length])}`).join(" "), class: `line c${i % 4}`, "stroke-dasharray": SHAPES[i % 4] }));
      labelled = Math.max(labelled + 15, y(seen[seen.length - 1].scores[length]) + 4);
      chart.append(svg("text", { x: x(steps) + 8, y: labelled, class: `c${i % 4}` }, document.createTextNode(`length ${length}`)));
    });
    fill(this.chart, h("h3", {}, "Right answers as it learns"), chart as unknown as Node);
  }
}
