/**
 * `node scripts/release-notes.ts TAG`: prints the section of CHANGELOG.md for a release. Fails unless the tag, package.json, the chart and the
 * changelog state the same version.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [tag = ''] = process.argv.slice(2)

try {
  process.stdout.write(notesOf(tag))
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

function notesOf(release: string): string {
  const version = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(release)?.[1]
  if (version === undefined) throw new Error(`${release || 'the tag'} does not read v1.2.3`)
  const stated: Record<string, unknown> = {
    'package.json': JSON.parse(read('package.json')).version,
    'helm/tollgate/Chart.yaml version': /^version: (.+)$/m.exec(read('helm/tollgate/Chart.yaml'))?.[1],
    'helm/tollgate/Chart.yaml appVersion': /^appVersion: (.+)$/m.exec(read('helm/tollgate/Chart.yaml'))?.[1],
  }
  for (const [place, found] of Object.entries(stated)) {
    if (found !== version) throw new Error(`${place} states ${String(found)}, the tag ${version}`)
  }
  const [, section] = read('CHANGELOG.md').split(`\n## [${version}]`)
  if (section === undefined) throw new Error(`CHANGELOG.md has no section [${version}]`)
  return `${section.split('\n## ')[0]?.split('\n').slice(1).join('\n').trim()}\n`
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
