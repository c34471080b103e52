import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Pool, type Dispatcher } from 'undici'
import { listen, vendorOrigin } from './listen.ts'

/**
 * The floor with the ledger's two calls: money is held before the vendor is called and charged before the last byte is sent. The minimum of
 * a gateway with exact charges; no keys, prices, channel selection or log. Responses and streams are handled alike.
 *
 * `npx node floor/floor-with-ledger.ts VENDOR_PORT MODULE`: MODULE exports `openLedgerClient` (services/relay/test/ledger-client.ts);
 * REDIS_URL is in the environment.
 */
type LedgerClient = { hold(authorization: string): Promise<object>; settle(held: object): Promise<void> }

const { openLedgerClient } = (await import(String(process.argv[3]))) as { openLedgerClient(redisUrl: string): Promise<LedgerClient> }
const ledgerClient = await openLedgerClient(String(process.env['REDIS_URL']))
const pool = new Pool(vendorOrigin, { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })

const server = createServer({ noDelay: true }, (incoming, outgoing) => {
  const parts: Buffer[] = []
  incoming.on('data', (part: Buffer) => parts.push(part))
  incoming.on('end', () => {
    const body = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    const authorization = String(incoming.headers.authorization)
    ledgerClient.hold(authorization).then(
      (held) => forward(incoming, outgoing, { body, authorization, held }),
      () => refuse(outgoing),
    )
  })
})

type HeldRequest = { readonly body: Buffer; readonly authorization: string; readonly held: object }

function forward(incoming: IncomingMessage, outgoing: ServerResponse, { body, authorization, held }: HeldRequest): void {
  /** The newest chunk, sent only after the charge. */
  let last: Buffer | undefined
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      outgoing.on('close', () => controller.abort(new Error('the client disconnected')))
      outgoing.on('drain', () => controller.resume())
    },
    onResponseStart: (_controller, status, headers) => {
      const length = headers['content-length']
      outgoing.writeHead(status, {
        'Content-Type': headers['content-type'] ?? 'application/json',
        ...(length === undefined ? {} : { 'Content-Length': length }),
      })
      if (length === undefined) outgoing.flushHeaders()
    },
    onResponseData: (controller, chunk) => {
      const before = last
      last = chunk
      if (before !== undefined && !outgoing.write(before)) controller.pause()
    },
    onResponseEnd: () => {
      ledgerClient.settle(held).then(
        () => outgoing.end(last),
        () => outgoing.destroy(),
      )
    },
    onResponseError: () => {
      const over = () => refuse(outgoing)
      ledgerClient.settle(held).then(over, over)
    },
  }
  pool.dispatch(
    { path: incoming.url ?? '/', method: 'POST', headers: { 'content-type': 'application/json', authorization }, body },
    handler,
  )
}

function refuse(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy()
  else outgoing.writeHead(502).end()
}

listen(server)
