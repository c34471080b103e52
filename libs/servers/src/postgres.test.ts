import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePort } from './free-port.ts'
import { startPostgres } from './postgres.ts'

let dir: string
beforeAll(async () => {
  // As root, the system user of the server must reach it.
  dir = await mkdtemp(join(process.getuid?.() === 0 ? '/var/tmp' : tmpdir(), 'tollgate-servers-'))
  await chmod(dir, 0o755)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

it('starts two servers at once on a machine that has no copy of the binaries yet', async () => {
  const start = async (name: string) =>
    startPostgres({ dataDir: join(dir, name), binDir: join(dir, 'bin'), port: await findFreePort(), isDurable: false })

  const [first, second] = await Promise.all([start('first'), start('second')])

  expect(first.url).not.toBe(second.url)
  await Promise.all([first.stop(), second.stop()])
})
