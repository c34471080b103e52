import { createServer, type Server } from 'node:http'

export type Health = {
  readonly host: string
  readonly port: number
  /** Why the worker is not ready; undefined: it is ready. */
  readonly findObstacle: () => Promise<string | undefined>
}

/** Serves `/healthz` (the process runs) and `/readyz` (its stores answer). */
export async function startHealth({ host, port, findObstacle }: Health): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/healthz') return answer(200, { status: 'ok' })
    if (request.url !== '/readyz') return answer(404, { status: 'unknown path' })
    void findObstacle()
      .catch(() => 'a dependency does not answer')
      .then((reason) => (reason === undefined ? answer(200, { status: 'ready' }) : answer(503, { status: 'not ready', reason })))
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, resolve)
  await promise
  return server
}
