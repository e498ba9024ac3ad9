/** Arcs above the table: from a position to those that it looks at. */

import { fill, h, svg } from "../dom";

const MOST = 120;

export interface Arc { key: number; isDirect: boolean }

export class Arcs {
  private readonly drawing = svg("svg", { class: "arcs", "aria-hidden": "true" });
  private readonly mask = h("div", { class: "mask" });
  readonly element = h("div", { class: "arcbox" }, this.drawing as unknown as Node, this.mask);

  /** The height is the same for every value: a table that moves under the pointer can't be pointed at. */
  draw(table: HTMLTableElement, arcs: Arc[], query: number, hasHeads: boolean): void {
    const columns = table.querySelectorAll<HTMLElement>("thead th");
    const middle = (i: number): number => columns[i + 1].offsetLeft + columns[i + 1].offsetWidth / 2;
    const width = table.offsetWidth;
    const names = columns[0].offsetWidth;
    const height = hasHeads ? Math.max(30, Math.min(74, 18 + (width - names) / 7)) : 8;
    fill(this.drawing as unknown as Element);
    this.drawing.setAttribute("width", String(width));
    this.drawing.setAttribute("height", String(height));
    this.element.style.height = `${height}px`;
    this.mask.style.width = `${names}px`;
    for (const { key, isDirect } of arcs.slice(0, MOST)) {
      const from = middle(key), to = middle(query), rise = 1.25 * Math.min(height - 4, 14 + (to - from) / 5);
      const path = key === query
        ? `M ${to - 5} ${height} C ${to - 14} ${height - 20} ${to + 14} ${height - 20} ${to + 5} ${height}`
        : `M ${to} ${height} C ${to} ${height - rise} ${from} ${height - rise} ${from} ${height}`;
      const style = isDirect ? "arc" : "arc way";
      this.drawing.append(svg("path", { d: path, class: style }));
      this.drawing.append(svg("path", { d: `M ${from - 4} ${height - 6} L ${from} ${height} L ${from + 4} ${height - 6}`, class: style }));
    }
  }
}
