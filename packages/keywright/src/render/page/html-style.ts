/* How the page looks. Colours are variables, set for light, for dark, and for a
 * theme that the reader chose. */

const light = `--bg:#f7f8fa;--card:#fff;--ink:#141a24;--muted:#5a6577;--faint:#9aa5b5;--rule:#e2e6ed;--accent:#4338ca;--tint:#eef0fe;--code:#f3f5f9;--var:#9333ea;--warn:#92400e;--warnbg:#fef6e7;--good:#047857;--shadow:0 1px 2px rgb(15 23 42/.05),0 4px 14px rgb(15 23 42/.04);--string:#0369a1;--hash:#7c3aed;--list:#b45309;--set:#047857;--zset:#be185d;--stream:#0f766e`
const dark = `--bg:#0d1117;--card:#151b24;--ink:#e6e9ef;--muted:#9aa6b8;--faint:#66758a;--rule:#28313e;--accent:#a5b4fc;--tint:#1e2340;--code:#1b222d;--var:#d8b4fe;--warn:#fcd34d;--warnbg:#2b2413;--good:#6ee7b7;--shadow:none;--string:#7dd3fc;--hash:#c4b5fd;--list:#fcd34d;--set:#6ee7b7;--zset:#f9a8d4;--stream:#5eead4`

export const style = `
:root{${light}}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}
:root[data-theme=dark]{${dark};color-scheme:dark}:root[data-theme=light]{color-scheme:light}
*{box-sizing:border-box}html{scroll-behavior:smooth;scroll-padding-top:24px}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;display:grid;grid-template-columns:264px minmax(0,1fr);min-height:100vh}
code,pre,kbd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.9em}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
[hidden]{display:none!important}:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-999px}.skip:focus{left:12px;top:12px;background:var(--card);padding:8px 12px;z-index:2}
nav{position:sticky;top:0;align-self:start;height:100vh;overflow:auto;padding:26px 18px 20px;border-right:1px solid var(--rule);background:var(--card);display:flex;flex-direction:column;gap:14px}
nav .brand{font-weight:700;font-size:17px;color:var(--ink);letter-spacing:-.01em;padding:0 8px}
.search{position:relative}.search input{width:100%;font:inherit;font-size:14px;padding:7px 30px 7px 11px;border:1px solid var(--rule);border-radius:8px;background:var(--bg);color:var(--ink)}
.search kbd{position:absolute;right:9px;top:8px;color:var(--faint);border:1px solid var(--rule);border-radius:4px;padding:0 5px;font-size:11px;pointer-events:none}.search input:focus+kbd{display:none}
nav ul{list-style:none;margin:0;padding:0;display:grid;gap:1px}nav ul.more{border-top:1px solid var(--rule);padding-top:12px}
nav li a{display:flex;justify-content:space-between;gap:8px;padding:4px 8px;border-radius:6px;color:var(--muted);font-size:14px}
nav li a:hover{background:var(--bg);color:var(--ink);text-decoration:none}nav li a[aria-current]{background:var(--tint);color:var(--accent);font-weight:550}
nav li.sub a{padding-left:18px;font-size:13px}nav li.sub code{overflow-wrap:anywhere;background:none;padding:0}.path a{color:inherit}nav li small{color:var(--faint);font-variant-numeric:tabular-nums;font-size:12px}
.theme,.link{font:inherit;border:0;background:none;cursor:pointer;color:var(--muted);text-align:left;padding:4px 8px}.theme{margin-top:auto;font-size:13px}.link{color:var(--accent);padding:0}
main{padding:52px clamp(20px,4vw,64px) 80px;max-width:1080px;width:100%}
.eyebrow{margin:0;color:var(--accent);font-weight:600;font-size:13px;letter-spacing:.02em}
h1{margin:2px 0 8px;font-size:38px;line-height:1.15;letter-spacing:-.025em}h2{margin:0 0 6px;font-size:23px;letter-spacing:-.015em;display:flex;gap:10px;align-items:center}
h3{margin:0;font-size:16px;font-weight:600}section{margin-top:52px}.lead{font-size:18px;color:var(--muted);margin:0 0 18px;max-width:66ch}.about{color:var(--muted);margin:0 0 14px;max-width:72ch}
.facts{list-style:none;display:flex;flex-wrap:wrap;gap:8px 26px;margin:18px 0 0;padding:14px 0 0;border-top:1px solid var(--rule);color:var(--muted)}.facts b{color:var(--ink);font-size:17px;font-variant-numeric:tabular-nums}
.badge{font-size:12px;font-weight:550;color:var(--accent);background:var(--tint);padding:2px 9px;border-radius:99px;letter-spacing:0}
.card:target{border-color:var(--accent)}.card{background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:18px 20px;margin-top:14px;box-shadow:var(--shadow)}
.card header{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center;justify-content:space-between}.card p{margin:10px 0 0;max-width:74ch}
.card.old h3{text-decoration:line-through;text-decoration-color:var(--faint);text-decoration-thickness:1px}
.pattern{font-size:15px;font-weight:600;overflow-wrap:anywhere}.pattern var{font-style:normal;color:var(--var)}
.marks{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:6px;font-size:12.5px;color:var(--muted)}
.marks li{border:1px solid var(--rule);border-radius:99px;padding:1px 10px}.marks .path{border-color:transparent;padding:1px 4px;color:var(--faint)}
.type{font-weight:600;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px}.type small{font-weight:400;opacity:.75}
${["string", "hash", "list", "set", "zset", "stream"].map((type) => `.t-${type}{color:var(--${type})}`).join("")}
.marks .on{color:var(--good)}.marks .bad,.marks .secret{color:var(--warn);background:var(--warnbg);border-color:transparent}.lock{color:var(--warn);font-weight:550;font-size:12.5px}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px;margin-top:14px}th{text-align:left;font-weight:550;color:var(--muted);font-size:12.5px;padding:4px 14px 6px 0;border-bottom:1px solid var(--rule);white-space:nowrap}
td{padding:6px 14px 6px 0;border-bottom:1px solid var(--rule);vertical-align:top}tbody tr:last-child td{border-bottom:0}table .pattern{font-size:13.5px;font-weight:500}.fields td:first-child{width:32%;overflow-wrap:anywhere}.fields td:last-child,.quiet{color:var(--muted);white-space:nowrap}
section>.scroll>table,section details table{background:var(--card);border:1px solid var(--rule);border-radius:12px;border-collapse:separate;border-spacing:0}section>.scroll>table :is(th,td):first-child,section details table :is(th,td):first-child{padding-left:16px}section>.scroll>table thead th,section details table thead th{padding-top:10px}
.example{background:var(--code);border-radius:8px;padding:10px 13px;margin:14px 0 0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px;line-height:1.5;color:var(--muted)}
p code,li code,td code{background:var(--code);border-radius:4px;padding:1px 5px}td .pattern,td>code,nav li code{background:none;padding:0}
.callout{background:var(--tint);border-radius:8px;padding:8px 13px;margin:10px 0 0;font-size:14px;max-width:74ch}.callout.warn{background:var(--warnbg);color:var(--warn)}
.who{font-size:14px;color:var(--muted)}.who b{font-weight:550;color:var(--ink)}.touches{display:flex;flex-wrap:wrap;gap:6px 14px}
.rules{background:var(--card);border:1px solid var(--rule);border-radius:12px;margin:14px 0 0;padding:12px 20px 12px 38px}.rules li{padding:4px 0}
.figure{margin:14px 0 0;background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:18px;box-shadow:var(--shadow)}.figure svg{display:block;max-width:100%;height:auto;margin:0 auto}figcaption{color:var(--muted);font-size:13.5px;margin-top:12px}
details{margin-top:12px}summary{cursor:pointer;color:var(--muted);font-size:14px}.source pre{background:var(--code);padding:12px 14px;border-radius:8px;overflow:auto;font-size:12.5px;line-height:1.45;max-height:360px}
.nothing{margin-top:60px;color:var(--muted)}footer{margin-top:64px;padding-top:16px;border-top:1px solid var(--rule);color:var(--faint);font-size:13px}
@media(max-width:860px){.figure svg{max-width:none;min-width:680px;width:680px}body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--rule)}nav ul{grid-template-columns:repeat(auto-fill,minmax(160px,1fr))}.theme{margin-top:0}main{padding-top:32px}h1{font-size:31px}}
@media print{:root{${light}}body{display:block;background:#fff;font-size:11pt}nav,.skip,.theme,.source{display:none}main{max-width:none;padding:0}.card,.figure,tr,.rules{break-inside:avoid;box-shadow:none}section{margin-top:26px}h2{break-after:avoid}}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
`
