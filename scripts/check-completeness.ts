/**
 * `npm run check:complete`: every requirement has a proof that exists, and every text of the console is shown somewhere. What holds the
 * same for options and errors is in tests/tooling.
 */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { isNamed } from './requirements/named-tests.ts'

const root = join(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file))
const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const tests = files.filter((file) => /\.test\.tsx?$/.test(file))

const problems = [...requirementsWithoutProof(), ...textsWithoutScreen()]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

/** Requirements without a mark, with a look without its date, or with a test file that does not exist. The titles of tests are checked by tests/tooling/docs.test.ts. */
function requirementsWithoutProof(): string[] {
  const lines = readFileSync(join(root, 'docs/requirements.md'), 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [, id, text = ''] = /^- \*\*([A-Z0-9]+-\d+)\*\* (.*)$/.exec(line) ?? []
    if (id === undefined) return []
    const [, ...proofs] = text.split(/\*(?:Tested|Checked by hand)\*/)
    if (proofs.length === 0) return [`docs/requirements.md: ${id} has no proof`]
    const proof = proofs.join(' ')
    if (text.includes('*Tested*') && !/\.test\b|"|`|\]\(/.test(proof)) return [`docs/requirements.md: ${id} names no test`]
    if (/checked by hand/i.test(text) && !/20\d\d-\d\d-\d\d|generated\//.test(text))
      return [`docs/requirements.md: ${id} was looked at without a date`]
    const named = proof.match(/[\w/.-]+\.test\b/g) ?? []
    const missing = named.filter((name) => !tests.some((file) => isNamed(file, name)))
    return missing.map((name) => `docs/requirements.md: ${id} names the test ${name}, which does not exist`)
  })
}

/** Texts whose key no source of a folder that uses their namespace names, whole or by a template. Those of options have a test of their own. */
function textsWithoutScreen(): string[] {
  const sources = files.filter((file) => file.startsWith('web/console/src/') && !file.includes('/i18n/') && !tests.includes(file))
  const dictionaries = files.filter((file) => /^web\/console\/src\/i18n\/zh\/[\w-]+\.ts$/.test(file) && !file.endsWith('/options.ts'))
  return dictionaries.flatMap((file) => {
    const namespace = basename(file, '.ts')
    const users = sources.filter((source) => textOf.get(source)?.match(new RegExp(`'${namespace}'|['"\`]${namespace}:`)))
    const folders = new Set(users.map((source) => dirname(source)))
    const code = sources.filter((source) => folders.has(dirname(source))).map((source) => textOf.get(source) ?? '')
    const isNamed = readKeys(code.join('\n'), namespace)
    return keysOf(textOf.get(file) ?? '')
      .map((key) => key.replace(/_(?:one|other|zero)$/, ''))
      .filter((key) => !isNamed(key))
      .map((key) => `${file}: no source of the console names ${key}`)
  })
}

/** Tells whether code names a key of a namespace, as a literal or by a template, with the namespace in front or without any. */
function readKeys(code: string, namespace: string): (key: string) => boolean {
  const own = (text: string): string[] => {
    const [, prefix, key = ''] = /^(?:([\w-]+):)?(.*)$/s.exec(text) ?? []
    return prefix === undefined || prefix === namespace ? [key] : []
  }
  const literals = new Set([...code.matchAll(/['"`]((?:[\w-]+:)?[\w.-]+)['"`]/g)].flatMap(([, text = '']) => own(text)))
  // A template of nothing but values would match every key.
  const templates = [...code.matchAll(/`((?:[\w-]+:)?[\w.-]*(?:\$\{[^}`]*\}[\w.-]*)+)`/g)]
    .flatMap(([, text = '']) => own(text))
    .map((text) => text.split(/\$\{[^}]*\}/))
    .filter((parts) => parts.some((part) => /[a-z]{2}/.test(part)))
  const patterns = templates.map((parts) => new RegExp(`^${parts.map(escape).join('.+')}$`))
  return (key) => literals.has(key) || patterns.some((pattern) => pattern.test(key))
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** The keys of a dictionary, nested ones with dots, by the indentation that the formatter gives them. */
function keysOf(text: string): string[] {
  const path: string[] = []
  return text.split('\n').flatMap((line) => {
    const [, indent = '', name = '', rest = ''] = /^( +)'?([\w.:-]+)'?:(.*)$/.exec(line) ?? []
    if (name === '') return []
    path.length = indent.length / 2 - 1
    path.push(name)
    if (rest.trim() === '{') return []
    const inner = /^ \{ (.*) \},?$/.exec(rest)?.[1]
    if (inner === undefined) return [path.join('.')]
    return [...inner.matchAll(/(?:^|, )'?([\w.:-]+)'?: ['"`]/g)].map(([, own = '']) => [...path, own].join('.'))
  })
}
