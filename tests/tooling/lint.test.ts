import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** One violation per rule: where it is planted, what it reads, which rule must catch it. */
const planted: readonly (readonly [rule: string, path: string, source: string])[] = [
  ['typescript(no-explicit-any)', 'libs/db/src/any.ts', 'export const x: any = 1\n'],
  ['typescript(no-floating-promises)', 'libs/db/src/floating.ts', 'export function f(): void {\n  Promise.resolve(1)\n}\n'],
  ['typescript(no-misused-promises)', 'libs/db/src/misused.ts', 'export function f(): void {\n  ;[1].forEach(async () => undefined)\n}\n'],
  ['typescript(no-non-null-assertion)', 'libs/db/src/bang.ts', 'export const x = [1][0]!\n'],
  ['typescript(ban-ts-comment)', 'libs/db/src/ignore.ts', '// @ts-ignore\nexport const x: number = 1\n'],
  ['typescript(only-throw-error)', 'libs/db/src/throw.ts', "export function f(): void {\n  throw 'text'\n}\n"],
  [
    'typescript(switch-exhaustiveness-check)',
    'libs/db/src/switch.ts',
    "export function f(x: 'a' | 'b'): void {\n  switch (x) {\n    case 'a':\n      return\n  }\n}\n",
  ],
  ['typescript(consistent-type-imports)', 'libs/db/src/type-import.ts', "import { Buffer } from 'node:buffer'\nexport type B = Buffer\n"],
  ['eslint(no-empty)', 'libs/db/src/empty.ts', 'export function f(): void {\n  try {\n    f()\n  } catch {}\n}\n'],
  ['eslint(no-eval)', 'libs/db/src/eval.ts', "export const x: unknown = eval('1')\n"],
  [
    'eslint(no-else-return)',
    'libs/db/src/else.ts',
    'export function f(x: boolean): number {\n  if (x) {\n    return 1\n  } else {\n    return 2\n  }\n}\n',
  ],
  ['eslint(no-console)', 'libs/db/src/console.ts', "console.log('x')\nexport {}\n"],
  ['eslint(eqeqeq)', 'libs/db/src/eqeqeq.ts', 'export const f = (x: unknown): boolean => x == 1\n'],
  ['import(no-default-export)', 'libs/db/src/default.ts', 'export default 1\n'],
  ['unicorn(filename-case)', 'libs/db/src/CamelCase.ts', 'export const x = 1\n'],
  ['eslint(max-lines)', 'libs/db/src/long.ts', `export const x = [\n${'  1,\n'.repeat(400)}]\n`],
  ['eslint(max-lines-per-function)', 'libs/db/src/warned.ts', `export function f(): void {\n${'  f()\n'.repeat(60)}}\n`],
  ['tollgate(max-function-lines)', 'libs/db/src/stopped.ts', `export function f(): void {\n${'  f()\n'.repeat(80)}}\n`],
  ['eslint(no-restricted-properties)', 'libs/db/src/env.ts', "export const x = process.env['A']\n"],
  ['eslint(no-restricted-properties)', 'libs/domain/src/clock.ts', 'export const x = Date.now()\n'],
  ['eslint(no-restricted-properties)', 'libs/providers/src/dice.ts', 'export const x = Math.random()\n'],
  ['tollgate(no-clock)', 'libs/domain/src/date.ts', 'export const x = new Date()\n'],
  ['tollgate(no-object-getter)', 'libs/redis/src/getter.ts', 'export const f = (x: number) => ({\n  get x() {\n    return x\n  },\n})\n'],
  ['eslint(no-restricted-globals)', 'services/relay/src/fetch.ts', "export const x = fetch('http://127.0.0.1')\n"],
  ['eslint(no-restricted-globals)', 'libs/upstream/src/stream.ts', 'export const x = new TransformStream()\n'],
  ['eslint(no-restricted-properties)', 'services/relay/src/global-fetch.ts', "export const x = globalThis.fetch('http://127.0.0.1')\n"],
  [
    'eslint(no-restricted-imports)',
    'services/relay/src/web.ts',
    "import { ReadableStream as R } from 'node:stream/web'\nexport const x = R\n",
  ],
  ['vitest(no-disabled-tests)', 'libs/db/src/skipped.test.ts', "import { it } from 'vitest'\n\nit.skip('x', () => undefined)\n"],
  ['vitest(no-focused-tests)', 'libs/db/src/only.test.ts', "import { it } from 'vitest'\n\nit.only('x', () => undefined)\n"],
  [
    'react-hooks(rules-of-hooks)',
    'web/console/src/hooks.tsx',
    "import { useState } from 'react'\n\nexport function Thing({ on }: { on: boolean }): null {\n  if (on) useState(1)\n  return null\n}\n",
  ],
  [
    'react-hooks(exhaustive-deps)',
    'web/console/src/deps.tsx',
    "import { useEffect } from 'react'\n\nexport function Thing({ on }: { on: boolean }): null {\n  useEffect(() => {\n    document.title = String(on)\n  }, [])\n  return null\n}\n",
  ],
  ['tollgate(no-cjk-in-tsx)', 'web/console/src/text.tsx', 'export const Title = (): unknown => <h1>渠道</h1>\n'],
  [
    'tollgate(no-cjk-in-tsx)',
    'web/console/src/attribute.tsx',
    'export const Title = (): unknown => <h1 title="渠道" lang={`${\'x\'}，`} />\n',
  ],
  [
    'tollgate(no-redis-eval)',
    'libs/jobs/src/lua.ts',
    "export const f = (redis: { eval(s: string): unknown }): unknown => redis.eval('return 1')\n",
  ],
  [
    'tollgate(no-redis-eval)',
    'services/worker/src/lua.ts',
    "export const f = (redis: { defineCommand(s: string): void }): void => redis.defineCommand('x')\n",
  ],
  ['tollgate(assertion-needs-reason)', 'libs/db/src/as.ts', 'export const f = (x: unknown): number => x as number\n'],
  ['tollgate(todo-needs-issue)', 'libs/db/src/todo.ts', `// ${'TO'}DO: later\nexport const x = 1\n`],
]

/** The same words where they are right. */
const allowed: readonly (readonly [path: string, source: string])[] = [
  ['libs/config/src/env.ts', "export const x = process.env['A']\n"],
  ['libs/domain/src/date-of.ts', 'export const f = (at: number): Date => new Date(at)\n'],
  ['libs/outbound/src/later.ts', 'export const x = Date.now()\n'],
  ['libs/redis/src/scripts.ts', "export const f = (redis: { eval(s: string): unknown }): unknown => redis.eval('return 1')\n"],
  ['libs/db/src/const.ts', "export const x = ['a'] as const\n"],
  [
    'libs/db/src/proven.ts',
    '// The column is an int4: the driver answers a number.\nexport const f = (x: unknown): number => x as number\n',
  ],
  ['libs/db/src/issue.ts', `// ${'TO'}DO(#12): later\nexport const x = 1\n`],
  ['web/console/src/i18n/zh/x.ts', "export const x = { title: '渠道' } as const\n"],
  ['services/relay/src/client.test.ts', "export const x = fetch('http://127.0.0.1')\n"],
  ['web/console/vite.config.ts', 'export default {}\n'],
]

type Finding = { readonly rule: string; readonly path: string }

let scratch = ''
let findings: Finding[] = []

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'tollgate-lint-'))
  await cp(join(root, '.oxlintrc.json'), join(scratch, '.oxlintrc.json'))
  await cp(join(root, 'scripts/lint-plugin.mjs'), join(scratch, 'scripts/lint-plugin.mjs'))
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    module: 'nodenext',
    jsx: 'react-jsx',
    noEmit: true,
    skipLibCheck: true,
    lib: ['es2024', 'dom'],
  }
  await writeFile(join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['libs', 'services', 'web'] }))
  for (const [path, source] of [...planted.map(([, ...file]) => file), ...allowed]) {
    await mkdir(dirname(join(scratch, path)), { recursive: true })
    await writeFile(join(scratch, path), source)
  }
  findings = await lint(scratch)
}, 60_000)

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true })
})

describe('the lint configuration', () => {
  it.each(planted)('%s catches %s', (rule, path) => {
    expect(findings.filter((finding) => finding.path === path).map((finding) => finding.rule)).toContain(rule)
  })

  it.each(allowed)('leaves %s alone', (path) => {
    expect(findings.filter((finding) => finding.path === path)).toEqual([])
  })

  it('has a planted violation for every rule it turns on', async () => {
    const config: { rules: Record<string, unknown>; overrides: { rules: Record<string, unknown> }[] } = JSON.parse(
      await readFile(join(root, '.oxlintrc.json'), 'utf8'),
    )
    const turnedOn = [config.rules, ...config.overrides.map(({ rules }) => rules)].flatMap((rules) =>
      Object.entries(rules).flatMap(([name, setting]) => (String(setting).startsWith('off') ? [] : [name.split('/').at(-1) ?? ''])),
    )

    const caught = new Set(planted.map(([rule]) => /\((.+)\)/.exec(rule)?.[1]))

    expect([...new Set(turnedOn)].filter((name) => !caught.has(name))).toEqual([])
  })
})

async function lint(folder: string): Promise<Finding[]> {
  const stdout = await new Promise<string>((resolve) => {
    // The path of the type-aware part, because a link to our node_modules would make it read the whole repository.
    const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(root, 'node_modules/.bin/tsgolint') }
    execFile(join(root, 'node_modules/.bin/oxlint'), ['-f', 'json'], { cwd: folder, env, maxBuffer: 64 << 20 }, (_, out) => resolve(out))
  })
  const { diagnostics }: { diagnostics: { code: string; filename: string }[] } = JSON.parse(stdout)
  return diagnostics.map(({ code, filename }) => ({ rule: code, path: filename }))
}
