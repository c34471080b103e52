import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** One entry of Vite's manifest, as far as it is read here. */
type Chunk = { readonly file: string; readonly imports?: readonly string[]; readonly isDynamicEntry?: boolean; readonly name?: string }
export type Manifest = Readonly<Record<string, Chunk>>

export const LOGIN_LIMIT = 210_000
export const ROUTE_LIMIT = 120_000

/** What the first visit of the sign-in page fetches without a click: the entry, the route, and one language's texts. */
export const LOGIN_PARTS = [
  'index.html',
  'src/routes/login.tsx?tsr-split=component',
  ...['common', 'display', 'errors', 'shell', 'sign-in'].map((namespace) => `src/i18n/zh/${namespace}.ts`),
]

/** Every chunk reachable by static imports. A part that is not in the manifest is a mistake of the list, not a saving. */
export function chunksOf(manifest: Manifest, parts: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  const collect = (key: string): void => {
    if (seen.has(key)) return
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`The manifest has no ${key}`)
    seen.add(key)
    for (const next of chunk.imports ?? []) collect(next)
  }
  for (const part of parts) collect(part)
  return [...seen]
}

export function gzipSizes(dist: string, manifest: Manifest, keys: readonly string[]): ReadonlyMap<string, number> {
  const files = new Set(keys.map((key) => manifest[key]?.file ?? ''))
  return new Map(
    [...files].filter((file) => file.endsWith('.js')).map((file) => [file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length]),
  )
}

export const sum = (sizes: ReadonlyMap<string, number>): number => [...sizes.values()].reduce((total, size) => total + size, 0)

/** A route's own chunks: what its page needs beyond what the sign-in page has brought already. */
export function routeSizes(dist: string, manifest: Manifest): ReadonlyMap<string, number> {
  const shared = new Set(chunksOf(manifest, ['index.html']))
  const routes = Object.keys(manifest).filter((key) => key.startsWith('src/routes/') && key.includes('tsr-split=component'))
  return new Map(
    routes.map((key) => [
      key,
      sum(
        gzipSizes(
          dist,
          manifest,
          chunksOf(manifest, [key]).filter((one) => !shared.has(one)),
        ),
      ),
    ]),
  )
}

export function readManifest(dist: string): Manifest {
  // Written by Vite in the same command.
  return JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
}
