import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that Linux (32768 to 60999), macOS and Windows give to outgoing connections, one of which could take a port between this
 * check and its use; above the last port that browsers and fetch refuse (10080).
 */
const RANGE = { from: 11_000, size: 21_000 } as const
const TRIES = 100
/** A program that asks for several gets different ones. */
const given = new Set<number>()

/** A TCP port on 127.0.0.1 that was free when it was checked, and that no outgoing connection takes. */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = RANGE.from + randomInt(RANGE.size)
    if (given.has(port)) continue
    given.add(port)
    if (!(await isPortTaken(port))) return port
  }
  throw new Error(`no free TCP port among ${TRIES}`)
}

/** True if a process listens on the port, on the loopback interface or on all addresses. */
export async function isPortTaken(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) if (await isTakenOn(port, host)) return true
  return false
}

async function isTakenOn(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    // Without IPv6 the error is EAFNOSUPPORT or EADDRNOTAVAIL: no process listens there.
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE' || error.code === 'EACCES'))
    server.listen(port, host, () => server.close(() => resolve(false)))
  })
}
