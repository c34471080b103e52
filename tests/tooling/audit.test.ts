import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/audit.ts')

describe('the audit of dependencies', () => {
  let folder = ''
  let registry: Server
  let runs = 0
  let answer: { status: number; body: unknown }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-audit-'))
    const dependencies = { leftish: '1.0.0' }
    const installed = { version: '1.0.0', resolved: 'https://registry.example/leftish-1.0.0.tgz', integrity: 'sha512-AAAA' }
    const packages = { '': { name: 'audited', version: '1.0.0', dependencies }, 'node_modules/leftish': installed }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'audited', version: '1.0.0', dependencies }))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ name: 'audited', lockfileVersion: 3, requires: true, packages }))
    registry = createServer((incoming, reply) => {
      incoming.resume()
      incoming.on('end', () => {
        const isAudit = incoming.url?.includes('/security/') === true
        reply.writeHead(isAudit ? answer.status : 404, { 'content-type': 'application/json' })
        reply.end(JSON.stringify(isAudit ? answer.body : {}))
      })
    })
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    registry.close()
    await rm(folder, { recursive: true })
  })

  const advisory = (severity: string) => ({
    leftish: [
      {
        id: 1,
        url: 'https://github.com/advisories/GHSA-test',
        title: 'Leaks',
        severity,
        vulnerable_versions: '<2.0.0',
        cwe: [],
        cvss: { score: 1, vectorString: null },
      },
    ],
  })
  const run = async (port?: number): Promise<{ code: number; text: string }> => {
    const address = registry.address()
    const own = typeof address === 'object' && address !== null ? address.port : 0
    // npm caches what it knows of a version.
    runs += 1
    const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port ?? own}/`, npm_config_cache: join(folder, `cache-${runs}`) }
    return await new Promise((resolve) => {
      execFile(process.execPath, [script], { cwd: folder, env }, (error, stdout) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout })
      })
    })
  }

  it('fails on a high vulnerability and names it', async () => {
    answer = { status: 200, body: advisory('high') }

    expect(await run()).toEqual({
      code: 1,
      text: 'high: leftish: Leaks https://github.com/advisories/GHSA-test\naudit: 1 advisories, 1 of them high or critical\n',
    })
  })

  it('lists a moderate vulnerability and passes', async () => {
    answer = { status: 200, body: advisory('moderate') }

    const { code, text } = await run()

    expect([code, text.split('\n')[0]]).toEqual([0, 'moderate: leftish: Leaks https://github.com/advisories/GHSA-test'])
  })

  it('passes with a line that says so when the registry has no audit endpoint', async () => {
    answer = { status: 405, body: {} }

    const { code, text } = await run()

    expect(code).toBe(0)
    expect(text).toMatch(/^audit skipped: the registry answered no audit request \(405 Method Not Allowed[^\n]*\)\n$/)
  })

  it('passes with a line that says so without a network', async () => {
    const { code, text } = await run(1)

    expect(code).toBe(0)
    expect(text).toMatch(/^audit skipped: the registry answered no audit request \([^\n]+\)\n$/)
  })
})
