/** The heads of a program as pictures: the one behind a value, or all of them. */

import { fill, h, prose } from "../dom";
import { Matrix } from "./matrix";
import type { Selected, Trace } from "./data";
import type { Looked, TraceView } from "./view";

const ABOUT = "A row is a position that looks, with its query; a column is one that is looked at, with its key.";

/** The head behind the value that is looked at. */
export class HeadPicture {
  constructor(private readonly root: HTMLElement) {}

  look(view: TraceView, { trace, selected, selectors, position, visible }: Looked): void {
    const [number] = selectors;
    if (number === undefined || !trace.grids) { fill(this.root); return; }
    const matrix = new Matrix(trace, number, selected[number], (query, key) => view.explainPair(number, query, key));
    matrix.draw(visible, position);
    fill(this.root, h("h3", {}, "Who looks at whom"),
      h("p", { class: "soft" }, ...prose(`\`${trace.selectors[number].label}\``), h("br"), ABOUT),
      h("div", { class: "gridbox" }, matrix.element as unknown as Node));
  }
}

/** All heads at once; those behind the value that is looked at are lit. */
export class HeadPictures {
  private readonly all: { figure: HTMLElement; matrix: Matrix }[];

  constructor(root: HTMLElement, view: TraceView, trace: Trace, selected: Selected[]) {
    this.all = trace.selectors.map((selector, number) => {
      const matrix = new Matrix(trace, number, selected[number], (query, key) => view.explainPair(number, query, key));
      const figure = h("figure", {}, h("figcaption", {}, selector.title), h("div", { class: "gridbox" }, matrix.element as unknown as Node));
      return { figure, matrix };
    });
    fill(root, h("p", { class: "soft" }, ABOUT), h("div", { class: "grids" }, ...this.all.map((each) => each.figure)));
  }

  look({ selectors, position, visible }: Looked): void {
    this.all.forEach(({ figure, matrix }, number) => {
      const isLit = selectors.includes(number);
      figure.classList.toggle("lit", isLit);
      matrix.draw(visible, isLit ? position : null);
    });
  }
}
