/** Colours pass 4.5:1 for texts and 3:1 for bars on their background, in both themes. */
export const STYLE = `
:root{--bg:#f7f8fa;--panel:#fff;--text:#1a1f29;--muted:#556070;--line:#dfe3e9;--link:#1d4ed8;--good:#15803d;--mid:#a16207;--bad:#b91c1c;--none:#8a94a3;--bar-high:#65892b}
@media (prefers-color-scheme:dark){:root{--bg:#0f1217;--panel:#171b22;--text:#e6e9ee;--muted:#9aa5b4;--line:#2a303a;--link:#8ab4ff;--good:#4ade80;--mid:#facc15;--bad:#f87171;--none:#6b7686;--bar-high:#a3c95a}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 Inter,system-ui,-apple-system,"PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif;font-variant-numeric:tabular-nums}
header,main,footer{max-width:880px;margin:0 auto;padding:0 16px}
header{display:flex;gap:16px;align-items:baseline;justify-content:space-between;padding-top:32px}
h1{font-size:22px;margin:0;overflow-wrap:anywhere}
h2{font-size:16px;margin:32px 0 12px}
h3{font-size:15px;margin:0;overflow-wrap:anywhere}
a{color:var(--link)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.muted{color:var(--muted)}
.overall{margin:20px 0 8px;padding:14px 16px;background:var(--panel);border:1px solid var(--line);border-left:4px solid var(--none);border-radius:8px;font-weight:600}
.overall.operational{border-left-color:var(--good)}.overall.degraded{border-left-color:var(--mid)}.overall.outage{border-left-color:var(--bad)}
.group,.incident{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:14px 16px;margin:0 0 12px}
.incident{border-left:4px solid var(--mid)}.incident.resolved{border-left-color:var(--good)}
.head{display:flex;gap:12px;justify-content:space-between;align-items:baseline}
.tag{font-weight:600;white-space:nowrap;color:var(--muted)}
.tag.operational,.tag.resolved{color:var(--good)}.tag.degraded,.tag.investigating,.tag.identified,.tag.monitoring{color:var(--mid)}.tag.outage{color:var(--bad)}
svg{display:block;width:100%;height:32px;margin:10px 0 4px}
.full{fill:var(--good)}.high{fill:var(--bar-high)}.low{fill:var(--mid)}.down{fill:var(--bad)}.none{fill:var(--none)}
.ends{display:flex;justify-content:space-between;font-size:12px}
dl{display:flex;flex-wrap:wrap;gap:4px 32px;margin:8px 0 0}
dl div{display:flex;gap:8px}dt{color:var(--muted)}dd{margin:0;font-weight:600}
details{margin-top:8px}summary{cursor:pointer;color:var(--muted)}
table{border-collapse:collapse;margin-top:6px;width:100%}
th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);font-weight:400}
th{color:var(--muted)}
ol{list-style:none;margin:8px 0 0;padding:0}
li{border-top:1px solid var(--line);padding:8px 0}li:last-child{padding-bottom:0}
li p{margin:2px 0 0;white-space:pre-line;overflow-wrap:anywhere}
footer{padding-top:24px;padding-bottom:40px;color:var(--muted);font-size:13px}
`
