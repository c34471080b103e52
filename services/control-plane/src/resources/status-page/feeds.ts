import type { Language } from '@tollgate/http/language'
import { Feed } from 'feed'
import { html } from 'hono/html'
import { textOf } from './escaped.ts'
import { nameOf } from './page.ts'
import { statusTexts } from './texts.ts'
import type { PublicIncident, StatusView } from './view.ts'

/** One item per incident; an update changes its date and its text. Atom's titles are HTML, those of RSS are texts. */
export async function createFeed(view: StatusView, language: Language, form: 'rss' | 'atom'): Promise<Feed> {
  const t = statusTexts[language]
  const base = view.address.replace(/\/+$/, '')
  const page = `${base}/status`
  const newest = view.incidents
    .map(({ changed_at }) => changed_at)
    .toSorted()
    .at(-1)
  const feed = new Feed({
    title: t.title(view.name),
    description: t.lead,
    id: page,
    link: page,
    language: language === 'zh' ? 'zh-CN' : 'en',
    generator: false,
    updated: new Date(newest ?? 0),
    author: { name: view.name },
    feedLinks: { rss: `${base}/status.rss`, atom: `${base}/status.atom` },
  })
  for (const incident of view.incidents) {
    const link = `${page}#incident-${incident.id}`
    const title = `${incident.title} (${t.incident[incident.state]})`
    feed.addItem({
      title: form === 'atom' ? await textOf(html`${title}`) : title,
      id: link,
      link,
      date: new Date(incident.changed_at),
      published: new Date(incident.started_at),
      content: await contentOf(incident, language),
    })
  }
  return feed
}

/** HTML whose texts are escaped. */
async function contentOf({ groups, updates }: PublicIncident, language: Language): Promise<string> {
  const t = statusTexts[language]
  const affected = groups.map((name) => nameOf(name, t)).join(' · ')
  return await textOf(
    html`${affected === '' ? '' : html`<p>${t.affected}: ${affected}</p>`}${updates.map(
      ({ state, text, at }) => html`<p><strong>${t.incident[state]}</strong> (${at}): ${linesOf(text)}</p>`,
    )}`,
  )
}

const linesOf = (text: string) => text.split('\n').map((line, at) => (at === 0 ? html`${line}` : html`<br>${line}`))
