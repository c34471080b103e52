import { createHash } from 'node:crypto'
import { KeptView } from '@tollgate/http/kept-view'
import type { Language } from '@tollgate/http/language'
import type { DirectListener } from '@tollgate/http/server'
import {
  makeStatusAnswer,
  readStatusCall,
  sendStatus,
  type StatusAnswer,
  type StatusCall,
  type StatusPath,
} from '@tollgate/http/status-answers'
import type { Deps } from '../../deps.ts'
import { renderBadge } from './badge.ts'
import { createFeed } from './feeds.ts'
import { renderPage } from './page.ts'
import { readStatusView, type StatusView } from './view.ts'

type Format = {
  readonly type: string
  /** Undefined: there is no such thing. */
  readonly render: (view: StatusView, language: Language, group: string) => Promise<string | undefined>
}

const FORMATS: Readonly<Record<StatusPath, Format>> = {
  '/status': { type: 'text/html; charset=utf-8', render: renderPage },
  '/status.json': { type: 'application/json', render: renderJson },
  '/status.rss': {
    type: 'application/rss+xml; charset=utf-8',
    render: async (view, language) => (await createFeed(view, language, 'rss')).rss2(),
  },
  '/status.atom': {
    type: 'application/atom+xml; charset=utf-8',
    render: async (view, language) => (await createFeed(view, language, 'atom')).atom1(),
  },
  '/status/badge.svg': { type: 'image/svg+xml', render: renderBadge },
}

async function renderJson({ address: _address, ...shown }: StatusView): Promise<string> {
  return JSON.stringify(shown)
}

/** A view that was read once, with the answers that were made of it. */
type Kept = { readonly view: StatusView; readonly rendered: Map<string, Promise<StatusAnswer | undefined>> }

/** How long answers are sent without a look at the database. */
const FRESH_MS = 15_000
const HEADERS = {
  'Cache-Control': `public, max-age=${FRESH_MS / 1000}`,
  Vary: 'Accept-Encoding, Accept-Language',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  // Nothing is loaded and nothing runs; other sites may show the badge and read the figures.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'Access-Control-Allow-Origin': '*',
} as const

/**
 * The public status page (ADR 120). It is outside of the endpoint table and of Hono, because no call of it may reach the database and a
 * flood of them may cost little. Its answers are kept in memory for 15 seconds.
 */
export function createStatusPage(deps: Deps): DirectListener {
  const onError = (cause: unknown): void => deps.log.warn({ err: cause }, 'The status page could not be read')
  const kept = new KeptView<Kept | undefined>({
    read: async () => {
      const view = await readStatusView(deps)
      return view === undefined ? undefined : { view, rendered: new Map() }
    },
    now: deps.now,
    onError,
    freshMs: FRESH_MS,
  })
  const find = async (call: StatusCall): Promise<StatusAnswer | undefined> => {
    const current = await kept.get()
    if (current === undefined) return undefined
    return await renderOnce(current, call).catch((error: unknown) => {
      onError(error)
      throw error
    })
  }
  return (incoming, outgoing) => {
    const call = readStatusCall(incoming)
    if (call === undefined) return false
    sendStatus(incoming, outgoing, find(call))
    return true
  }
}

async function renderOnce({ view, rendered }: Kept, { path, language, group }: StatusCall): Promise<StatusAnswer | undefined> {
  // Only groups that exist are kept, so that a caller cannot fill the memory.
  if (group !== '' && !view.groups.some(({ name }) => name === group)) return undefined
  const key = `${path} ${language} ${group}`
  const made = rendered.get(key) ?? prepare(FORMATS[path], view, { language, group })
  rendered.set(key, made)
  return await made
}

type Wanted = Pick<StatusCall, 'language' | 'group'>

async function prepare({ type, render }: Format, view: StatusView, { language, group }: Wanted): Promise<StatusAnswer | undefined> {
  const text = await render(view, language, group)
  if (text === undefined) return undefined
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  // The tag is weak, because the compressed form shares it.
  return await makeStatusAnswer({ headers: { ...HEADERS, 'Content-Type': type }, etag: `W/"${hash}"`, body: Buffer.from(text) })
}
