// @vitest-environment node
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chunksOf, gzipSizes, LOGIN_LIMIT, LOGIN_PARTS, readManifest, ROUTE_LIMIT, routeSizes, sum, type Manifest } from './budget.ts'

describe('the built console', () => {
  const dist = mkdtempSync(join(tmpdir(), 'tollgate-console-'))
  const root = join(import.meta.dirname, '..')
  let manifest: Manifest = {}
  const withPaths: string[] = []
  beforeAll(async () => {
    // Vite builds for what NODE_ENV says, and a test runner says `test`.
    vi.stubEnv('NODE_ENV', 'production')
    await build({
      root,
      configFile: join(root, 'vite.config.ts'),
      mode: 'production',
      logLevel: 'error',
      build: { outDir: dist, emptyOutDir: true },
      plugins: [{ name: 'paths', moduleParsed: ({ id, code }) => void (code?.includes(root) && withPaths.push(id)) }],
    })
    vi.unstubAllEnvs()
    manifest = readManifest(dist)
  }, 120_000)
  afterAll(() => rmSync(dist, { recursive: true, force: true }))

  it('brings the sign-in page within its budget', () => {
    expect(sum(gzipSizes(dist, manifest, chunksOf(manifest, LOGIN_PARTS)))).toBeLessThanOrEqual(LOGIN_LIMIT)
  })

  it('brings every route within its budget', () => {
    const routes = routeSizes(dist, manifest)

    expect(routes.size).toBeGreaterThan(4)
    expect([...routes].filter(([, size]) => size > ROUTE_LIMIT)).toEqual([])
  })

  // The bundler weighs modules by the length of their code.
  it('is cut the same in every folder: no module holds the path of the build', () => {
    expect(withPaths).toEqual([])
  })
})

describe('chunksOf', () => {
  it('follows static imports once and refuses a part that is not there', () => {
    const manifest: Manifest = { a: { file: 'a.js', imports: ['b'] }, b: { file: 'b.js', imports: ['a'] } }

    expect(chunksOf(manifest, ['a'])).toEqual(['a', 'b'])
    expect(() => chunksOf(manifest, ['c'])).toThrow('no c')
  })
})
