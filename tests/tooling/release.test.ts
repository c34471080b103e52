import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const notes = (tag: string) => {
  try {
    return execFileSync(process.execPath, [join(root, 'scripts/release-notes.ts'), tag], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    // execFileSync throws an error with the output of the command.
    return (error as { stderr: string }).stderr
  }
}

describe('releases', () => {
  it('have one version: package.json, the chart and its application', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    const chart = read('helm/tollgate/Chart.yaml')

    expect(chart).toContain(`\nversion: ${version}\n`)
    expect(chart).toContain(`\nappVersion: ${version}\n`)
  })

  it('pack the command line into a package without dependencies that runs where nothing else is installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-pack-'))
    const packed = execFileSync(process.execPath, [join(root, 'scripts/pack-cli.ts'), folder], { encoding: 'utf8' }).trim()
    execFileSync('tar', ['-xzf', packed, '-C', folder])
    const run = (...args: string[]) => execFileSync(process.execPath, [join(folder, 'package/tollgate.mjs'), ...args], { encoding: 'utf8' })
    const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8')) as Record<string, unknown>
    const printed = [run('--version').trim(), run('plan', '--help')]
    rmSync(folder, { recursive: true })

    expect(printed[0]).toBe(manifest['version'])
    expect(printed[1]).toContain('Usage: tollgate plan')
    expect(manifest).toMatchObject({ name: 'tollgate', bin: { tollgate: 'tollgate.mjs' } })
    expect(manifest).not.toHaveProperty('dependencies')
  })

  it.each([
    ['release-1', 'does not read v1.2.3'],
    ['v9.9.9', 'package.json states'],
  ])('refuse the tag %s', (tag, reason) => {
    expect(notes(tag)).toContain(reason)
  })

  it('use actions by commit only, with the version beside it', () => {
    const folder = join(root, '.github/workflows')
    const uses = readdirSync(folder).flatMap((file) => read(`.github/workflows/${file}`).match(/uses: .*/g) ?? [])

    expect(uses.length).toBeGreaterThan(10)
    expect(uses.filter((line) => !/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })
})
