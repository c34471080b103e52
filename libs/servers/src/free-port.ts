import { createServer } from 'node:net'

/** A TCP port on 127.0.0.1 that was free when it was checked. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  if (address === null || typeof address === 'string') throw new Error('the system assigned no TCP port')
  return address.port
}

/** Whether a process listens on the port, on the loopback interface or on all addresses. */
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
