import type { Endpoint, ResultOf } from '@tollgate/contracts/endpoint'
import { http, HttpResponse, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'

/** Requests to the fake control plane, in order. */
export type Asked = {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Headers
  readonly body: unknown
}

/** A control plane that knows only what a test tells it; every other call is answered with 501 and its own name. */
export function fakeControlPlane() {
  const asked: Asked[] = []
  const server = setupServer(
    http.all('*/api/*', ({ request }) =>
      HttpResponse.json({ success: false, message: `untold: ${request.method} ${request.url}` }, { status: 501 }),
    ),
  )
  const respond = (endpoint: Endpoint, make: (asked: Asked) => Response): void =>
    server.use(
      on(endpoint)(patternOf(endpoint), async ({ request }) => {
        const url = new URL(request.url)
        const text = await request.text()
        const body: unknown = text === '' ? undefined : JSON.parse(text)
        const one = {
          method: request.method,
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          headers: request.headers,
          body,
        }
        asked.push(one)
        return make(one)
      }),
    )

  return {
    server,
    asked,
    /** Answers a declared call with data of its declared type, in the envelope unless the endpoint has its own shape. */
    answer: <E extends Endpoint>(endpoint: E, data: ResultOf<E>, message = ''): void =>
      // The border to msw: what a contract declares is JSON.
      respond(endpoint, () => HttpResponse.json((endpoint.answer === undefined ? { success: true, message, data } : data) as JsonBodyType)),
    /** As `answer`, with what the server says beside the data. */
    warn: <E extends Endpoint>(endpoint: E, data: ResultOf<E>, warnings: readonly string[]): void =>
      // The border to msw: what a contract declares is JSON.
      respond(endpoint, () => HttpResponse.json({ success: true, message: '', data, warnings } as JsonBodyType)),
    /** As `answer`, with what depends on the query. */
    answerBy: <E extends Endpoint>(endpoint: E, dataOf: (query: Asked['query']) => ResultOf<E>): void =>
      // The border to msw: what a contract declares is JSON.
      respond(endpoint, ({ query }) => HttpResponse.json({ success: true, message: '', data: dataOf(query) } as JsonBodyType)),
    /** `field`: the field of the body that the server found wrong. */
    refuse: (endpoint: Endpoint, message: string, field?: string): void =>
      respond(endpoint, () => HttpResponse.json({ success: false, message, ...(field === undefined ? {} : { field }) })),
    /** Refuses some of the calls; the others succeed without data. */
    refuseIf: (endpoint: Endpoint, message: string, isRefused: (asked: Asked) => boolean): void =>
      respond(endpoint, (one) => HttpResponse.json(isRefused(one) ? { success: false, message } : { success: true, message: '' })),
    fail: (endpoint: Endpoint, status: number, body: JsonBodyType = { success: false, message: '' }): void =>
      respond(endpoint, () => HttpResponse.json(body, { status })),
    silence: (endpoint: Endpoint): void => respond(endpoint, () => HttpResponse.error()),
    to: (endpoint: Endpoint): readonly Asked[] => {
      const pattern = new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      return asked.filter(({ method, path }) => method === endpoint.method && pattern.test(path))
    },
  }
}

const on = (endpoint: Endpoint) => ({ GET: http.get, POST: http.post, PUT: http.put, DELETE: http.delete })[endpoint.method]

const patternOf = (endpoint: Endpoint): string => `*${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`
