import { createServer } from 'node:net'

/** A TCP port on 127.0.0.1 that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  if (address === null || typeof address === 'string') throw new Error('no TCP port was given')
  return address.port
}

/** Whether a program holds the port, on this machine's loopback or on all addresses. */
export async function isPortTaken(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) if (await isTakenOn(port, host)) return true
  return false
}

async function isTakenOn(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    // A machine without IPv6 answers EAFNOSUPPORT or EADDRNOTAVAIL: nobody holds the port there.
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE' || error.code === 'EACCES'))
    server.listen(port, host, () => server.close(() => resolve(false)))
  })
}
