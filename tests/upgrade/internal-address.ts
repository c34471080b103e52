import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { findFreePort } from '@tollgate/servers/free-port'

type Target = { readonly internalPort: number; readonly isServing: boolean }

/** One address for the internal ports of all control planes, as a service of Kubernetes is. */
export async function startInternalAddress(targets: () => readonly Target[]): Promise<{ readonly url: string; stop(): void }> {
  let next = 0
  const server = createServer((near) => {
    const serving = targets().filter(({ isServing }) => isServing)
    next += 1
    const target = serving[next % serving.length]
    if (target === undefined) return void near.destroy()
    const far = connect(target.internalPort, '127.0.0.1')
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.pipe(far).pipe(near)
  })
  const port = await findFreePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() }
}
