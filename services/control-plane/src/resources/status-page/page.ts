import { OTHER_MODELS } from '@tollgate/domain/status-page/model-groups'
import type { Language } from '@tollgate/http/language'
import { html, raw } from 'hono/html'
import { textOf } from './escaped.ts'
import { STYLE } from './style.ts'
import { statusTexts, type StatusTexts } from './texts.ts'
import type { GroupStatus, PublicIncident, StatusDay, StatusView } from './view.ts'

/** A part of the page; what is put into a template is escaped. */
type Part = ReturnType<typeof html>

const BAR = { step: 6, width: 4, height: 32 } as const
/** A day below it is listed with its figures. */
const LISTED_BELOW = 0.999

/** The public page: no script, one file, in the reader's language. */
export async function renderPage(view: StatusView, language: Language): Promise<string> {
  const t = statusTexts[language]
  const open = view.incidents.filter(({ state }) => state !== 'resolved')
  const past = view.incidents.filter(({ state }) => state === 'resolved')
  return await textOf(html`<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${t.title(view.name)}</title>
<link rel="alternate" type="application/rss+xml" title="RSS" href="/status.rss?lang=${language}">
<link rel="alternate" type="application/atom+xml" title="Atom" href="/status.atom?lang=${language}">
<style>${raw(STYLE)}</style>
</head>
<body>
<header>
<h1>${t.title(view.name)}</h1>
<a href="/status?lang=${t.otherLanguage.code}" lang="${t.otherLanguage.code}" hreflang="${t.otherLanguage.code}">${t.otherLanguage.label}</a>
</header>
<main>
<p class="overall ${view.state}">${t.overall[view.state]}</p>
<p class="muted">${t.lead}</p>
${open.map((incident) => renderIncident(incident, t))}
<h2>${t.models}</h2>
${view.groups.length === 0 ? html`<p class="muted">${t.noGroups}</p>` : view.groups.map((group) => renderGroup(group, t))}
<h2>${t.incidents}</h2>
${past.length === 0 ? html`<p class="muted">${t.noIncidents}</p>` : past.map((incident) => renderIncident(incident, t))}
</main>
<footer>
<p>${t.counted}</p>
<p>${t.feeds}: <a href="/status.rss?lang=${language}">RSS</a> · <a href="/status.atom?lang=${language}">Atom</a> · <a href="/status.json">JSON</a></p>
</footer>
</body>
</html>
`)
}

export const nameOf = (name: string, t: StatusTexts): string => (name === OTHER_MODELS ? t.other : name)

function renderGroup({ name, state, availability, first_token_ms, days }: GroupStatus, t: StatusTexts): Part {
  const shown = nameOf(name, t)
  return html`<section class="group">
<div class="head"><h3>${shown}</h3><span class="tag ${state}">${t.state[state]}</span></div>
<svg viewBox="0 0 ${days.length * BAR.step - BAR.step + BAR.width} ${BAR.height}" preserveAspectRatio="none" role="img" aria-label="${t.barsLabel(shown, percentText(availability, t))}">${days.map((day, nth) => renderBar(day, nth, t))}</svg>
<div class="ends muted"><span>${t.oldest}</span><span>${t.newest}</span></div>
<dl><div><dt>${t.availability}</dt><dd>${percentText(availability, t)}</dd></div><div><dt>${t.firstToken}</dt><dd>${secondsText(first_token_ms, t)}</dd></div></dl>
${renderDays(days, t)}
</section>`
}

function renderBar({ date, availability, first_token_ms }: StatusDay, nth: number, t: StatusTexts): Part {
  const { level, height } = barOf(availability)
  const title = `${date}: ${percentText(availability, t)} · ${secondsText(first_token_ms, t)}`
  return html`<rect class="${level}" x="${nth * BAR.step}" y="${BAR.height - height}" width="${BAR.width}" height="${height}"><title>${title}</title></rect>`
}

/** Levels differ in height too, for those who do not tell the colours apart. */
function barOf(availability: number | null): { readonly level: string; readonly height: number } {
  if (availability === null) return { level: 'none', height: 6 }
  if (availability >= LISTED_BELOW) return { level: 'full', height: BAR.height }
  if (availability >= 0.99) return { level: 'high', height: 28 }
  return availability >= 0.9 ? { level: 'low', height: 22 } : { level: 'down', height: 14 }
}

function renderDays(days: readonly StatusDay[], t: StatusTexts): Part | '' {
  const listed = days.filter(({ availability }) => availability !== null && availability < LISTED_BELOW).toReversed()
  if (listed.length === 0) return ''
  return html`<details><summary>${t.faultyDays(listed.length)}</summary><table>
<thead><tr><th scope="col">${t.day}</th><th scope="col">${t.availability}</th><th scope="col">${t.firstToken}</th></tr></thead>
<tbody>${listed.map((day) => html`<tr><td>${day.date}</td><td>${percentText(day.availability, t)}</td><td>${secondsText(day.first_token_ms, t)}</td></tr>`)}</tbody>
</table></details>`
}

function renderIncident({ id, title, state, groups, started_at, resolved_at, updates }: PublicIncident, t: StatusTexts): Part {
  const affected = groups.map((name) => nameOf(name, t)).join(' · ')
  return html`<article class="incident ${state}" id="incident-${id}">
<div class="head"><h3>${title}</h3><span class="tag ${state}">${t.incident[state]}</span></div>
<p class="muted">${t.since(timeText(started_at), resolved_at === null ? null : timeText(resolved_at))}${affected === '' ? '' : html`<br>${t.affected}: ${affected}`}</p>
<ol>${updates.map((update) => html`<li><strong>${t.incident[update.state]}</strong> <time datetime="${update.at}" class="muted">${timeText(update.at)}</time><p>${update.text}</p></li>`)}</ol>
</article>`
}

export const percentText = (share: number | null, { noData }: Pick<StatusTexts, 'noData'>): string =>
  share === null ? noData : `${(share * 100).toFixed(2).replace(/\.?0+$/, '')}%`

const secondsText = (ms: number | null, { noData }: StatusTexts): string => (ms === null ? noData : `${(ms / 1000).toFixed(2)} s`)

const timeText = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`
