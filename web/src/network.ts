/** The compiled network, layer by layer: what each head looks at, what each MLP writes. */

import type { Head, Network } from "./api";
import { fill, h, plural, svg } from "./dom";

export class NetworkView {
  private network: Network | null = null;
  private at = 0;

  constructor(private readonly root: HTMLElement) {}

  say(sentence: string): void { this.network = null; fill(this.root, h("p", { class: "empty" }, sentence)); }

  show(network: Network): void {
    const length = network.tokens[0].length;
    if (!this.network || this.network.tokens[0].length !== length) this.at = length - 1;
    this.network = network;
    this.draw();
  }

  private draw(): void {
    const network = this.network!;
    const heads = network.layers.reduce((sum, layer) => sum + layer.heads.length, 0);
    const facts = h("p", { class: "lead" },
      `A real Transformer that computes this program: ${plural(network.layers.filter((l) => l.heads.length).length, "layer")}, ${plural(heads, "head")}, ${network.parameters.toLocaleString("en")} weights, a stream ${network.width} wide. `,
      h("b", {}, network.agrees ? "✓ It gives what the program gives" : "✗ It differs from the program here"),
      `, exactly up to ${network.longest.toLocaleString("en")} tokens.`);
    const stack = h("ol", { class: "stack" });
    stack.append(h("li", { class: "tokens" }, h("h3", {}, "Tokens"), this.tokens(network.tokens[0], "Choose the position to follow"), h("p", { class: "soft" }, "Choose a position to see where it looks in every layer.")));
    for (const layer of network.layers) {
      if (layer.heads.length) {
        stack.append(h("li", { class: "layer" }, h("h3", {}, `Layer ${layer.layer}: attention`),
          h("div", { class: "heads" }, ...layer.heads.map((head) => this.head(head)))));
      }
      if (layer.writes.length || layer.hidden) {
        stack.append(h("li", { class: "layer mlp" }, h("h3", {}, `Layer ${layer.layer}: MLP`),
          h("p", {}, `${plural(layer.hidden, "unit")} write `, ...layer.writes.flatMap((name, i) => [i ? ", " : "", h("code", {}, name)]))));
      }
    }
    stack.append(h("li", { class: "tokens" }, h("h3", {}, "Output"), this.tokens(network.output, "Output at each position")));
    fill(this.root, facts, stack, ...network.warnings.map((warning) => h("p", { class: "soft" }, warning)));
  }

  private tokens(values: number[], label: string): HTMLElement {
    const network = this.network!;
    return h("div", { class: "strip", role: "group", "aria-label": label }, ...values.map((value, i) => h("button", {
      type: "button", class: i === this.at ? "token now" : "token", "aria-pressed": String(i === this.at),
      onclick: () => { this.at = i; this.draw(); this.root.querySelector<HTMLElement>(".token.now")?.focus(); },
    }, value, network.names[String(value)] && label.startsWith("Choose") ? h("small", {}, network.names[String(value)]) : null)));
  }

  private head(head: Head): HTMLElement {
    const network = this.network!;
    const n = head.attention.length;
    const size = Math.max(8, Math.min(20, Math.floor(260 / (n + 1))));
    const drawing = svg("svg", { width: (n + 1) * size + 34, height: n * size + 24, class: "weights", role: "img", "aria-label": `Attention of the head that makes ${head.variable}` });
    const text = (x: number, y: number, anchor: string, label: string, now: boolean): void => {
      drawing.append(svg("text", { x, y, "text-anchor": anchor, class: now ? "now" : "" }, document.createTextNode(label)));
    };
    const labelled = size >= 12;
    if (labelled) text(30 + size / 2, 12, "middle", "∅", false);
    head.attention.forEach((row, i) => {
      if (labelled) {
        text(26, 20 + (i + 0.7) * size, "end", String(network.tokens[0][i]), i === this.at);
        text(30 + (i + 1.5) * size, 12, "middle", String(network.tokens[0][i]), false);
      }
      row.slice(0, i + 2).forEach((weight, j) => {
        const cell = svg("rect", { x: 30 + j * size + 1, y: 20 + i * size + 1, width: size - 2, height: size - 2, rx: 2, class: i === this.at ? "weight now" : "weight", "fill-opacity": 0.08 + 0.92 * weight });
        cell.append(svg("title", {}, document.createTextNode(`position ${i} gives ${j ? `position ${j - 1}` : "nothing (∅)"} the weight ${weight}`)));
        drawing.append(cell);
      });
    });
    const row = head.attention[this.at] ?? [];
    const looked = row.flatMap((weight, j) => (weight > 0.02 ? [`${j ? `position ${j - 1}` : "∅, nothing"}${weight < 0.98 ? ` (${Math.round(100 * weight)} %)` : ""}`] : []));
    return h("figure", {}, h("figcaption", {}, h("code", {}, head.variable), ` ${head.does}`), drawing,
      h("p", { class: "soft" }, `Position ${this.at} looks at ${looked.slice(0, 6).join(", ")}${looked.length > 6 ? " and others" : ""}.`));
  }
}
