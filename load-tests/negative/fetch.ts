import { createRequire } from 'node:module'
import type * as undici from 'undici'
import { Agent, fetch, type Dispatcher } from 'undici'
import { fromRelay } from './from-relay.ts'

/**
 * Negative control: every upstream call uses the Web-standard fetch and a ReadableStream. It uses this package's copy of undici, because the
 * global fetch would call this dispatcher again.
 */
const dispatcher = new Agent()
const { Client } = createRequire(fromRelay)('undici') as typeof undici // the relay's own copy, as its package.json pins it

/** The relay's pool calls its connections; `true` means that this one accepts another call. */
Client.prototype.dispatch = function dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
  void callByFetch(new URL(options.path, String(options.origin)), options, handler)
  return true
}

async function callByFetch(url: URL, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Promise<void> {
  const stop = new AbortController()
  let resumed = Promise.resolve()
  let open: () => void = () => undefined
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason) => stop.abort(reason),
    pause: () => void (resumed = new Promise((resolve) => (open = resolve))),
    resume: () => open(),
  }
  try {
    handler.onRequestStart?.(controller, {})
    const headers = pairsOf(options.headers).filter(([name]) => name.toLowerCase() !== 'content-length')
    const body = options.body instanceof Uint8Array || typeof options.body === 'string' ? Buffer.from(options.body) : null
    const answer = await fetch(url, {
      method: options.method,
      headers,
      body,
      signal: stop.signal,
      dispatcher,
    })
    handler.onResponseStart?.(controller, answer.status, Object.fromEntries(answer.headers), answer.statusText)
    for await (const chunk of answer.body ?? []) {
      handler.onResponseData?.(controller, Buffer.from(chunk))
      await resumed
    }
    handler.onResponseEnd?.(controller, {})
  } catch (error) {
    handler.onResponseError?.(controller, error instanceof Error ? error : new Error(String(error)))
  }
}

/** The relay's headers are a flat list: name, value, name, value. */
function pairsOf(headers: Dispatcher.DispatchOptions['headers']): [string, string][] {
  const list = Array.isArray(headers) ? headers : []
  return Array.from({ length: list.length / 2 }, (_, at) => [String(list[2 * at]), String(list[2 * at + 1])])
}
