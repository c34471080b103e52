import type { Outbound } from '@tollgate/outbound/outbound'
import { request } from '@tollgate/outbound/request'

const MAX_BYTES = 1024 * 1024

/** `fetch` through the guarded connections, as far as Stripe's SDK uses it. */
export function outboundFetch(outbound: Pick<Outbound, 'dispatch'>, timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init)
    const body = Buffer.from(await asked.arrayBuffer())
    const answer = await request(outbound, {
      method: asked.method === 'GET' ? 'GET' : 'POST',
      url: asked.url,
      headers: Object.fromEntries(asked.headers),
      ...(body.length === 0 ? {} : { body }),
      timeoutMs,
      maxBytes: MAX_BYTES,
      signal: asked.signal,
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
    }
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers })
  }
}
