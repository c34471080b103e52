import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { names, phrases } from '../../scripts/language/vocabulary.ts'

const root = join(import.meta.dirname, '../..')

/** One violation each: where it is planted, the source, and the finding it must give. */
const planted: readonly (readonly [path: string, source: string, finding: string])[] = [
  ['services/relay/src/a.ts', 'export type Visit = { at: number }\n', '1: name: "Visit"'],
  ['services/relay/src/b.ts', '\nexport const runLane = 1\n', '2: name: "runLane"'],
  ['services/relay/src/c.ts', 'export const MOST_BYTES = 1\n', '1: name: "MOST_BYTES"'],
  ['services/relay/src/d.ts', '// The keeper opens the store.\n', '1: name: "keeper"'],
  ['services/relay/src/e.ts', "export const x = 'no lane is left'\n", '1: name: "lane"'],
  ['services/relay/src/f.ts', 'export const x = (y: number) => `a ${y} b ${`lane ${y}`}`\n', '1: name: "lane"'],
  ['services/relay/src/g.ts', '// Reads `Errand` from the route.\n', '1: name: "Errand"'],
  ['libs/redis/src/h.lua', 'local owner = KEYS[1] -- kept\n', '1: name: "owner"'],
  ['tests/lanes/i.ts', 'export const x = 1\n', '1: path: use'],
  ['libs/db/src/usage-folds.ts', 'export const x = 1\n', '1: path: use rollup'],
  ['deploy/standalone/src/place.ts', 'export const x = 1\n', '1: path: use paths'],
  ['libs/db/src/j.ts', '// Nobody reads it.\n', '1: phrase: "Nobody"'],
  ['libs/db/src/k.ts', '/** Kept\n * for\n * ever. */\n', '3: phrase: "for ever"'],
  ['libs/db/src/l.ts', "export const x = 'the token stands in the list'\n", '1: phrase: "stands in"'],
  ['docs/m.md', '# M\n\nThe row is written anew.\n', '3: phrase: "anew"'],
  ['docs/n.md', 'See [the guide](guides/none.md).\n', '1: reference: guides/none.md'],
  ['docs/o.md', 'Run `scripts/none.ts` first.\n', '1: reference: scripts/none.ts'],
  ['docs/p.md', 'Look into `libs/none/src`.\n', '1: reference: libs/none/src'],
  ['libs/db/src/q.ts', '// See promise L2 in absent.md.\n', '1: reference: absent.md'],
  ['libs/db/src/r.ts', '// See docs/m.md section 3.\n', '1: reference: m.md section 3'],
  ['libs/db/src/s.ts', '// As relay-facts says.\n', '1: reference: relay-facts'],
  ['libs/db/src/t.ts', '// Use @tollgate/db/none.\n', '1: reference: @tollgate/db/none'],
  ['libs/db/src/u.ts', 'export type U = {\n  /** Whether it is open. */\n  readonly is_open: boolean\n}\n', '2: opening: "Whether"'],
  ['libs/db/src/v.ts', 'export const V = z.object({\n  /**\n   * What it costs.\n   */\n  cost: z.int(),\n})\n', '2: opening: "What"'],
  ['libs/db/src/x.ts', '/** Whether it is open. */\nexport const isOpen = (at: number): boolean => at > 0\n', '1: opening: "Whether"'],
  ['libs/db/src/w.tsx', "export type W = {\n  /** Of the last\n   * day. */\n  'first-day'?: number }\n", '2: opening: "Of"'],
]

/** The same words where they are right. */
const right: readonly (readonly [path: string, source: string])[] = [
  ['libs/db/src/control-plane.ts', '// The control plane airplane heartbeat.\nexport const planeOf = 1\n'],
  ['libs/db/src/kysely.ts', 'export const x = { dialect: 1 }\n'],
  ['libs/db/src/mail.ts', "export const x = ['nobody', 'nobody@example.com']\n"],
  ['libs/db/src/regexp.ts', "export const x = /['\"]/.test('a') ? 'b' : 'c'\nexport const y = 4 / 2 / 1\n"],
  ['libs/db/src/folding.ts', 'export const foldCase = (text: string): string => text.toLowerCase()\n'],
  ['libs/db/src/opening.ts', '/** True if it is open. */\nexport const isOpen = (at: number): boolean => at > 0\n'],
  [
    'libs/db/src/field.ts',
    'export type Field = {\n  /** What-if runs. Of all kinds. */\n  runs: number\n  /** Whatever it is. */\n  x: number\n}\n',
  ],
  ['web/console/src/draft.ts', '// A draft of the form.\nexport const draft = 1\n'],
  ['docs/links.md', '[code](../libs/db/src/mail.ts), [docs](.), `@tollgate/db/mail`, libs/db, [there](https://example.com/none.md)\n'],
  ['CHANGELOG.md', '# Changelog\n\nThe lane is a channel key now.\n'],
]

let scratch = ''
let output = ''
let exitCode = 0

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'tollgate-language-'))
  for (const [path, source] of [...planted, ...right]) await write(path, source)
  execFileSync('git', ['init', '-q'], { cwd: scratch })
  ;({ output, exitCode } = await check())
}, 60_000)

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true })
})

describe('the language check', () => {
  it.each(planted)('finds the violation in %s', (path, _, finding) => {
    expect(output).toContain(`${path}:${finding}`)
  })

  it.each(right)('accepts %s', (path) => {
    expect(output.split('\n').filter((line) => line.startsWith(`${path}:`))).toEqual([])
  })

  it('fails when it found something, and reads only the paths it is given', async () => {
    expect(exitCode).toBe(1)
    expect(await check('CHANGELOG.md', 'web')).toEqual({ output: '', exitCode: 0 })
    expect((await check('docs/')).output).not.toMatch(/^libs\//m)
  })

  it('knows the phrases of the style rules', () => {
    const texts = [
      'nobody',
      'whoever',
      'anew',
      'for ever',
      'mended',
      'stands in',
      'is no part of',
      'in the clothing of',
      'comes to its end',
      'no one',
      'What is left of the limits.',
    ]

    expect(texts.filter((text) => !phrases.some(([phrase]) => text.match(phrase) !== null))).toEqual([])
  })

  it('says what to write instead for every old word', () => {
    expect(names.filter(({ use }) => use === '')).toEqual([])
  })
})

async function write(path: string, source: string): Promise<void> {
  await mkdir(dirname(join(scratch, path)), { recursive: true })
  await writeFile(join(scratch, path), source)
}

async function check(...paths: string[]): Promise<{ output: string; exitCode: number }> {
  const args = [join(root, 'scripts/check-language.ts'), '--root', scratch, ...paths]
  return await new Promise((resolve) => {
    const child = execFile(process.execPath, args, { maxBuffer: 64 << 20 }, (_, stdout, stderr) => {
      resolve({ output: stdout + stderr, exitCode: child.exitCode ?? 1 })
    })
  })
}
