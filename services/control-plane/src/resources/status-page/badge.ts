import type { Language } from '@tollgate/http/language'
import { html } from 'hono/html'
import { textOf } from './escaped.ts'
import { nameOf, percentText } from './page.ts'
import { statusTexts } from './texts.ts'
import type { GroupState, StatusView } from './view.ts'

const COLOURS: Readonly<Record<GroupState, string>> = { operational: '#15803d', degraded: '#a16207', outage: '#b91c1c', unknown: '#556070' }
const LABELS: Readonly<Record<Language, string>> = { en: 'status', zh: '状态' }

/** A picture for a README: the state of all groups, or the availability of one. */
export async function renderBadge(view: StatusView, language: Language, groupName: string): Promise<string | undefined> {
  const t = statusTexts[language]
  const group = view.groups.find(({ name }) => name === groupName)
  if (groupName !== '' && group === undefined) return undefined
  const state = group?.state ?? view.state
  const label = group === undefined ? LABELS[language] : nameOf(group.name, t)
  const value = group === undefined ? t.state[state] : `${t.state[state]} · ${percentText(group.availability, t)}`
  const [left, right] = [widthOf(label), widthOf(value)]
  return await textOf(html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${value}">
<title>${label}: ${value}</title>
<rect width="${left + right}" height="20" rx="3" fill="#3b4351"/><path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="${COLOURS[state]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"><text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${value}</text></g>
</svg>
`)
}

/** The width of a text at 11 px with its margins: wide characters take twice the place. */
const widthOf = (text: string): number => [...text].reduce((sum, char) => sum + (char > '\u2E7F' ? 12 : 7), 12)
