import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@tollgate/servers/free-port'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Paths } from '../machine/paths.ts'
import { startArguments, startService, type Service } from './service.ts'

/** A service that ends as often as the file `ends` says, with its exit code, and then is ready. */
const SERVICE = `
import { createServer } from 'node:http'
import { readFileSync, appendFileSync } from 'node:fs'
const [, code, times] = process.argv.slice(1)
appendFileSync('starts', '.')
if (readFileSync('starts', 'utf8').length <= Number(times)) {
  process.stderr.write('worker: no store\\n')
  process.exit(Number(code))
}
createServer((_, answer) => answer.end()).listen(Number(process.env.PORT), '127.0.0.1')
`

describe('a service that ends before it is ready', () => {
  let root: string
  const services: Service[] = []
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tollgate-service-'))
  })
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()))
    await rm(root, { recursive: true })
  })

  const started = async (name: string, ends: string): Promise<{ service: Service; starts: () => Promise<number> }> => {
    const home = join(root, name)
    await mkdir(join(home, 'services/worker'), { recursive: true })
    await mkdir(join(home, 'state/log'), { recursive: true })
    await mkdir(join(home, 'state/pids'))
    await writeFile(join(home, 'services/worker/main.mjs'), SERVICE)
    const paths = { root: home, stateDir: join(home, 'state') } as Paths // a service needs no other
    await writeFile(join(home, 'services/worker/package.json'), JSON.stringify({ scripts: { start: 'node main.mjs' } }))
    const port = await findFreePort()
    const args = [...(await startArguments(paths, 'worker')), ...ends.split(' ')]
    const service = await startService({
      paths,
      name: 'worker',
      args,
      port,
      env: { ...process.env, PORT: String(port) },
      showLine: () => undefined,
    })
    services.push(service)
    return { service, starts: async () => (await readFile(join(home, 'starts'), 'utf8')).length }
  }

  it('is started again where a store did not answer', async () => {
    const { service, starts } = await started('away', '75 2')
    await service.untilReady(new AbortController().signal)
    expect(await starts()).toBe(3)

    const { pid } = JSON.parse(await readFile(join(root, 'away/state/pids/worker.json'), 'utf8')) as { pid: number }
    process.kill(pid, 'SIGKILL')
    // It is watched like one that was ready at once.
    await expect.poll(starts).toBe(4)
  })

  it('is a failure in one line where it ended for another reason', async () => {
    const { service, starts } = await started('wrong', '1 2')
    await expect(service.untilReady(new AbortController().signal)).rejects.toThrow(/^worker did not start \(exit code 1\): .*no store/)
    expect(await starts()).toBe(1)
  })
})
