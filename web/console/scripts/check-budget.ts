import { join } from 'node:path'
import { chunksOf, gzipSizes, LOGIN_LIMIT, LOGIN_PARTS, readManifest, ROUTE_LIMIT, routeSizes, sum } from './budget.ts'

const dist = join(import.meta.dirname, '../dist')
const manifest = readManifest(dist)
const login = gzipSizes(dist, manifest, chunksOf(manifest, LOGIN_PARTS))
const total = sum(login)
const routes = [...routeSizes(dist, manifest)].sort(([, a], [, b]) => b - a)

if (process.argv.includes('--list')) for (const [file, size] of [...login].sort(([, a], [, b]) => b - a)) console.log(`  ${size}\t${file}`)
console.log(`login: ${total} of ${LOGIN_LIMIT} bytes gzip`)
for (const [route, size] of routes) console.log(`${route.replace('?tsr-split=component', '')}: ${size} of ${ROUTE_LIMIT}`)

if (total > LOGIN_LIMIT || routes.some(([, size]) => size > ROUTE_LIMIT)) {
  console.error(
    'A bundle is over its budget (web/console/README.md: sign-in page 220 KB, a route 121 KB). Load what is not needed at once on demand.',
  )
  process.exitCode = 1
}
