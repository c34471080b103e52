import { createRequire } from 'node:module'
import { Agent, fetch, type Dispatcher } from 'undici'
import { fromRelay } from './from-relay.ts'

/**
 * Negative control: every upstream call goes through the Web-standard fetch, and its body through a ReadableStream. It is the fetch of
 * our own copy of undici: the global one would come back here through the global dispatcher.
 */
const dispatcher = new Agent()
const { Pool } = createRequire(fromRelay)('undici') as typeof import('undici') // the relay's own copy, as its package.json pins it

Pool.prototype.dispatch = function dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
  void callByFetch(new URL(options.path, String(options.origin ?? originOf(this))), options, handler)
  return true
}

/** A pool keeps its address under a symbol of undici's. */
function originOf(pool: object): string {
  const symbol = Object.getOwnPropertySymbols(pool).find((name) => name.description === 'url')
  const found: unknown = symbol === undefined ? undefined : Reflect.get(pool, symbol)
  if (!(found instanceof URL)) throw new Error('this undici keeps the address of a pool elsewhere: mend negative/fetch.ts')
  return found.origin
}

async function callByFetch(url: URL, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Promise<void> {
  const stop = new AbortController()
  let gate = Promise.resolve()
  let open: () => void = () => undefined
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason) => stop.abort(reason),
    pause: () => void (gate = new Promise((resolve) => (open = resolve))),
    resume: () => open(),
  }
  try {
    handler.onRequestStart?.(controller, {})
    const headers = Object.fromEntries(Object.entries(options.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-length'))
    const body = options.body instanceof Uint8Array || typeof options.body === 'string' ? Buffer.from(options.body) : null
    const answer = await fetch(url, {
      method: options.method,
      headers: headers as Record<string, string>,
      body,
      signal: stop.signal,
      dispatcher,
    })
    handler.onResponseStart?.(controller, answer.status, Object.fromEntries(answer.headers), answer.statusText)
    for await (const chunk of answer.body ?? []) {
      handler.onResponseData?.(controller, Buffer.from(chunk))
      await gate
    }
    handler.onResponseEnd?.(controller, {})
  } catch (error) {
    handler.onResponseError?.(controller, error instanceof Error ? error : new Error(String(error)))
  }
}
