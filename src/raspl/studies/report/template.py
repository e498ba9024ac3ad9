"""The report's frame. It holds its own style and needs no script and no network."""

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What algorithms can Transformers learn? Report, {{scale}} scale</title>
<style>
:root { --ink: #1b2430; --soft: #5a6675; --line: #dfe4ea; --back: #ffffff; --code: #f4f6f8; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back);
  max-width: 1080px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 26px; line-height: 1.2; margin: 8px 0; }
h2 { font-size: 19px; margin: 0 0 8px; }
h3 { font-size: 15px; margin: 14px 0 0; }
p.soft { color: var(--soft); font-size: 13.5px; }
a { color: #0b4f8a; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 10px 0; font-size: 13.5px; }
th { text-align: left; color: var(--soft); font-weight: 600; }
th, td { padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child, td.short { white-space: nowrap; }
td.long { min-width: 14em; }
.badge { display: inline-block; padding: 0 8px; border-radius: 9px; font-size: 12px;
  font-weight: 600; white-space: nowrap; border: 1px solid transparent; }
.holds { background: #1d6f42; color: #fff; }
.fails { background: #fff; color: #a3200d; border-color: #a3200d; }
.open { background: #fff3d0; color: #6b4b00; border-color: #d8b65a; }
.none { background: #eceff2; color: #5a6675; }
section { border-top: 2px solid var(--ink); margin-top: 36px; padding-top: 14px; }
figure { margin: 12px 0; }
figure svg { max-width: 100%; height: auto; }
pre, code { font-family: ui-monospace, monospace; font-size: 12.5px; background: var(--code); }
pre { padding: 10px 12px; overflow-x: auto; border-radius: 6px; }
code { padding: 2px 6px; border-radius: 4px; }
details { margin: 6px 0; }
summary { cursor: pointer; }
@media print { details { display: none; } section { break-inside: avoid; } }
</style></head><body>
<h1>What algorithms can Transformers learn?</h1>
<p>Every result of the paper “What Algorithms can Transformers Learn? A Study in Length
Generalization”, judged on runs at <b>{{scale}}</b> scale, {{seeds}}. {{tally}}</p>
<p class="soft">{{thresholds}}</p>
{{scorecard}}
<h2>The conjecture's scorecard</h2>
<p class="soft">Predictions were stored before the runs shown{{searched}}; hover over one for its
reasons.</p>
{{conjecture}}
{{notes}}
{{sections}}
</body></html>
"""
