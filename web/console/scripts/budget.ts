import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** One entry of Vite's manifest, as far as it is read here. */
type Chunk = { readonly file: string; readonly imports?: readonly string[]; readonly isDynamicEntry?: boolean; readonly name?: string }
export type Manifest = Readonly<Record<string, Chunk>>

export const LOGIN_LIMIT = 220_000
export const ROUTE_LIMIT = 121_000

/** The entry of index.html. The bundler puts it into the group `app`, whose key in the manifest has a hash. */
const ENTRY = 'app'

/** Files that the first visit of the sign-in page fetches without a click: the entry, the route, and one language's texts. */
export const LOGIN_PARTS = [ENTRY, 'src/routes/login.tsx?tsr-split=component', 'src/i18n/always-zh.ts', 'src/i18n/zh/sign-in.ts']

/** Every chunk reachable by static imports. A part that is not in the manifest is a mistake of the list, not a saving. */
export function chunksOf(manifest: Manifest, parts: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  const collect = (part: string): void => {
    const key = part === ENTRY ? entryOf(manifest) : part
    if (seen.has(key)) return
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`The manifest has no ${key}`)
    seen.add(key)
    for (const next of chunk.imports ?? []) collect(next)
  }
  for (const part of parts) collect(part)
  return [...seen]
}

function entryOf(manifest: Manifest): string {
  const entry = Object.entries(manifest).find(([, chunk]) => chunk.name === ENTRY)
  if (entry === undefined) throw new Error('The manifest has no entry')
  return entry[0]
}

export function gzipSizes(dist: string, manifest: Manifest, keys: readonly string[]): ReadonlyMap<string, number> {
  const files = new Set(keys.map((key) => manifest[key]?.file ?? ''))
  return new Map(
    [...files].filter((file) => file.endsWith('.js')).map((file) => [file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length]),
  )
}

export const sum = (sizes: ReadonlyMap<string, number>): number => [...sizes.values()].reduce((total, size) => total + size, 0)

/** A route's own chunks: what its page needs beyond what the sign-in page and the routes around it have brought already. */
export function routeSizes(dist: string, manifest: Manifest): ReadonlyMap<string, number> {
  const routes = Object.keys(manifest).filter((key) => key.startsWith('src/routes/') && key.includes('tsr-split=component'))
  return new Map(
    routes.map((key) => {
      const around = routes.filter((one) => isAround(one, key))
      const brought = new Set(chunksOf(manifest, [ENTRY, ...around]))
      const own = chunksOf(manifest, [key]).filter((one) => !brought.has(one))
      return [key, sum(gzipSizes(dist, manifest, own))]
    }),
  )
}

/** `_app/_admin.tsx` is around `_app/_admin/channel.tsx`, which is around `_app/_admin/channel.add.tsx`. */
function isAround(outer: string, inner: string): boolean {
  const [path = ''] = outer.split('.tsx')
  return inner.startsWith(`${path}/`) || (inner.startsWith(`${path}.`) && inner !== outer)
}

export function readManifest(dist: string): Manifest {
  // Written by Vite in the same command.
  return JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
}
