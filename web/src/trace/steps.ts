/** Steps of writing: at each, one more position has been read, and its output is the next token. */

import { fill, h } from "../dom";

const PAUSE = 750;

export class Steps {
  readonly element = h("div", { class: "steps", role: "group", "aria-label": "Steps of writing" });
  private readonly range = h("input", { type: "range", step: 1, "aria-label": "Step of writing" });
  private readonly said = h("output", {});
  private readonly player = h("button", { type: "button", class: "play", title: "Play or pause (P)", onclick: () => this.play() }, "Play");
  private readonly back: HTMLButtonElement[];
  private readonly onward: HTMLButtonElement[];
  private first = 0;
  private last = 0;
  private at = 0;
  private timer = 0;

  /** `moved` is told how many positions have been read, and whether that was a step forward. */
  constructor(private readonly moved: (visible: number, isNext: boolean) => void) {
    const button = (sign: string, label: string, key: string, to: () => number): HTMLButtonElement => h("button", {
      type: "button", "aria-label": label, title: `${label} (${key})`, onclick: () => { this.pause(); this.go(to()); },
    }, sign);
    this.back = [button("|◀", "First step", "Home", () => this.first), button("◀", "Previous step", "←", () => this.at - 1)];
    this.onward = [button("▶", "Next step", "→", () => this.at + 1), button("▶|", "Last step", "End", () => this.last)];
    this.range.addEventListener("input", () => { this.pause(); this.go(Number(this.range.value)); });
  }

  /** Steps from so many positions read to so many; none if there is nothing to step through. */
  begin(bounds: [number, number] | null, at: number): void {
    this.pause();
    if (!bounds) { fill(this.element); return; }
    [this.first, this.last] = bounds;
    this.range.min = String(this.first);
    this.range.max = String(this.last);
    fill(this.element, ...this.back, ...this.onward, this.player, this.range, this.said);
    this.set(at);
  }

  go(to: number): void {
    const before = this.at;
    this.set(to);
    this.moved(this.at, this.at === before + 1);
  }

  /** What the step writes, as it is told behind its number. */
  tell(...parts: (Node | string)[]): void {
    fill(this.said, `step ${this.at - this.first + 1} of ${this.last - this.first + 1}`, ...parts);
  }

  /** A key that was pressed somewhere on a page with nothing but the trace. */
  press(event: KeyboardEvent): void {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: this.first, End: this.last }[event.key];
    const isPlay = event.key === "p" || event.key === "P";
    if (!this.element.firstChild || (to === undefined && !isPlay) || event.target === this.range) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (to === undefined) { this.play(); return; }
    this.pause();
    this.go(to);
  }

  pause(): void { clearInterval(this.timer); this.timer = 0; this.player.textContent = "Play"; }

  private set(to: number): void {
    this.at = Math.max(this.first, Math.min(this.last, to));
    this.range.value = String(this.at);
    for (const button of this.back) button.disabled = this.at === this.first;
    for (const button of this.onward) button.disabled = this.at === this.last;
  }

  private play(): void {
    if (this.timer) { this.pause(); return; }
    if (this.at === this.last) this.go(this.first);
    this.player.textContent = "Pause";
    this.timer = window.setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.last) this.pause();
    }, PAUSE);
  }
}
