import { AppError } from '@tollgate/contracts/app-error'
import type { Language } from '@tollgate/http/language'
import type { Deps } from '../../deps.ts'
import type { RelayCall } from './service.ts'

type Sent = RelayCall & { readonly credential: string }
type Trace = { readonly language: Language; readonly traceparent: string | undefined }

/** Headers of the relay's answer that the console reads. */
const FORWARDED = ['content-type', 'x-oneapi-request-id', 'x-request-id', 'retry-after']

/** Sends a call to the relay and passes its answer on as it arrives. When the reader goes away, so does the call. */
export function forwardToRelay({ inner, env, budgets }: Deps, sent: Sent, trace: Trace): Promise<Response> {
  const answered = Promise.withResolvers<Response>()
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => void (feed = controller),
      pull: () => call.resume(),
      cancel: () => call.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  )
  const call = inner.dispatch(
    {
      method: 'POST',
      origin: env.RELAY_URL.replace(/\/$/, ''),
      path: sent.path,
      headers: headersOf(sent, trace),
      body: sent.body,
      poolKey: 'playground',
      connections: budgets.playgroundCalls.limits.total,
    },
    {
      onHead: (status, headers) => {
        const kept = new Headers()
        for (const name of FORWARDED) {
          const value = headers[name]
          if (typeof value === 'string') kept.set(name, value)
        }
        answered.resolve(new Response(stream, { status, headers: kept }))
      },
      onData: (chunk) => {
        feed?.enqueue(chunk)
        if ((feed?.desiredSize ?? 1) <= 0) call.pause()
      },
      onEnd: () => feed?.close(),
      onError: (cause) => {
        // After the head was sent, the broken stream is the answer; before, it is the error of an address that does not answer.
        answered.reject(new AppError('playground.unreachable', {}, { cause }))
        feed?.error(cause)
      },
    },
  )
  return answered.promise
}

function headersOf({ content_type, credential, body }: Sent, { language, traceparent }: Trace): string[] {
  return [
    'content-type',
    content_type,
    'authorization',
    `Bearer ${credential}`,
    'accept-language',
    language,
    'content-length',
    String(Buffer.byteLength(body)),
    ...(traceparent === undefined ? [] : ['traceparent', traceparent]),
  ]
}
