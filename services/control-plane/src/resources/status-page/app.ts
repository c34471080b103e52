import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { languageOf, type Language } from '@tollgate/http/language'
import { Hono, type Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { hasTag } from '../../has-tag.ts'
import { renderBadge } from './badge.ts'
import { createFeed } from './feeds.ts'
import { FRESH_MS, KeptView, NothingKept } from './kept-view.ts'
import { renderPage } from './page.ts'
import { readStatusView, type StatusView } from './view.ts'

const compress = promisify(gzip)

type Format = {
  readonly path: string
  readonly type: string
  /** Undefined: there is no such thing. */
  readonly render: (view: StatusView, language: Language, group: string) => Promise<string | undefined>
}

const FORMATS: readonly Format[] = [
  { path: '/status', type: 'text/html; charset=utf-8', render: renderPage },
  { path: '/status.json', type: 'application/json', render: renderJson },
  {
    path: '/status.rss',
    type: 'application/rss+xml; charset=utf-8',
    render: async (view, language) => (await createFeed(view, language)).rss2(),
  },
  {
    path: '/status.atom',
    type: 'application/atom+xml; charset=utf-8',
    render: async (view, language) => (await createFeed(view, language)).atom1(),
  },
  { path: '/status/badge.svg', type: 'image/svg+xml', render: renderBadge },
]

async function renderJson({ address: _address, ...shown }: StatusView): Promise<string> {
  return JSON.stringify(shown)
}

type Rendered = { readonly body: string; readonly gzipped: Uint8Array<ArrayBuffer>; readonly etag: string }
/** A view that was read once, with the answers that were made of it. */
type Kept = { readonly view: StatusView; readonly rendered: Map<string, Promise<Rendered | undefined>> }

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
 * The public status page (ADR 120): outside of the endpoint table, because no call of it may reach the database. Its answers are kept in
 * memory for 15 seconds.
 */
export function createStatusPage(deps: Deps): Hono {
  const onError = (cause: unknown): void => deps.log.warn({ err: cause }, 'The status page could not be read')
  const kept = new KeptView<Kept | undefined>({
    read: async () => {
      const view = await readStatusView(deps)
      return view === undefined ? undefined : { view, rendered: new Map() }
    },
    now: deps.now,
    onError,
  })
  const app = new Hono()
  for (const format of FORMATS)
    app.get(format.path, async (c) => {
      const current = await kept.get()
      if (current === undefined) return c.notFound()
      const language = languageFor(c)
      const answer = await renderOnce(current, format, { language, group: c.req.query('group') ?? '' })
      return answer === undefined ? c.notFound() : send(c, format.type, answer)
    })
  app.onError((error, c) => {
    if (!(error instanceof NothingKept)) onError(error)
    return c.text('Service Unavailable', 503, { 'Retry-After': '5' })
  })
  return app
}

function languageFor(c: Context): Language {
  const asked = c.req.query('lang')
  return asked === 'zh' || asked === 'en' ? asked : languageOf(c.req.header('accept-language'), 'en')
}

type Wanted = { readonly language: Language; readonly group: string }

function renderOnce({ view, rendered }: Kept, { path, render }: Format, { language, group }: Wanted): Promise<Rendered | undefined> {
  // Only groups that exist are kept, so that a caller cannot fill the memory.
  const isKnown = group !== '' && view.groups.some(({ name }) => name === group)
  const key = `${path} ${language} ${isKnown ? group : ''}`
  if (group !== '' && !isKnown && path === '/status/badge.svg') return Promise.resolve(undefined)
  const made = rendered.get(key) ?? prepare(render(view, language, isKnown ? group : ''))
  rendered.set(key, made)
  return made
}

async function prepare(rendering: Promise<string | undefined>): Promise<Rendered | undefined> {
  const body = await rendering
  if (body === undefined) return undefined
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  // Weak, because the compressed form shares it.
  return { body, gzipped: new Uint8Array(await compress(body)), etag: `W/"${hash}"` }
}

function send(c: Context, type: string, { body, gzipped, etag }: Rendered): Response {
  const headers = { ...HEADERS, ETag: etag }
  if (hasTag(c, etag)) return c.body(null, 304, headers)
  const isGzip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  if (isGzip) return c.body(gzipped, 200, { ...headers, 'Content-Type': type, 'Content-Encoding': 'gzip' })
  return c.body(body, 200, { ...headers, 'Content-Type': type })
}
