import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'

/** Listens on a free port and prints it as one JSON line for bench/processes.ts. */
export function listen(server: Server): void {
  server.keepAliveTimeout = 76_000
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo // a listening TCP server has one
    process.stdout.write(`${JSON.stringify({ port })}\n`)
  })
}

/** Port of the vendor, the first argument of every proxy here. */
export const vendorOrigin = `http://127.0.0.1:${Number(process.argv[2])}`
