// Finds words that the project replaced, phrases that are no plain English, doc comments that do not name the thing, and
// references to files that do not exist:
// `npm run -s check:language -- [--root FOLDER] [PATH…]`. Prints `file:line: rule: text`; exits with 1 when it found something.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { allowed } from './language/allowed.ts'
import { brokenReferences, treeOf, type Tree } from './language/references.ts'
import { openingsOfComments } from './language/openings.ts'
import { segmentsOfLines, segmentsOfMarkdown, segmentsOfScript, type Segment } from './language/segments.ts'
import { names, phrases, type NameRule } from './language/vocabulary.ts'

const READ = /\.(?:tsx?|[mc]?js|jsonc?|md|lua|patch|py|sh|ya?ml|css|html|conf)$|^\.ci\/run$/
const SKIPPED =
  /(?:^|\/)(?:__fixtures__|__snapshots__|public)\/|(?:^|\/)package-lock\.json$|\.gen\.ts$|^scripts\/(?:language\/|check-language)|^tests\/tooling\/language/
/** The changelog may name what was replaced. */
const HISTORY = /^CHANGELOG\.md$/

const IDENTIFIER = /[A-Za-z_$][\w$]*(?:-[\w$]+)*/g

const OPENING_ADVICE = 'name the thing in a doc comment: the number of, the time of, true if'

type Finding = { readonly line: number; readonly rule: 'name' | 'path' | 'phrase' | 'reference' | 'opening'; readonly text: string }

/** Most sentences hold none of the phrases: one expression finds out. */
const ANY_PHRASE = new RegExp(
  [...names.flatMap(({ prose }) => prose ?? []), ...phrases.map(([phrase]) => phrase)].map(({ source }) => `(?:${source})`).join('|'),
  'i',
)
/** The rules that an identifier breaks somewhere, by identifier. */
const known = new Map<string, readonly NameRule[]>()
const everywhere = new Set(names.filter((rule) => rule.everywhere))
const { values, positionals } = parseArgs({ options: { root: { type: 'string', default: '.' } }, allowPositionals: true })
const root = resolve(values.root)
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '')
const tree = treeOf(files)
const asked = positionals.map((path) => path.replace(/^\.\/|\/$/g, ''))
let count = 0
for (const path of files) {
  if (SKIPPED.test(path) || !READ.test(path)) continue
  if (asked.length > 0 && !asked.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))) continue
  for (const { line, rule, text } of check(path, tree)) {
    count += 1
    console.log(`${path}:${line}: ${rule}: ${text}`)
  }
}
process.exitCode = count === 0 ? 0 : 1

function check(path: string, repository: Tree): Finding[] {
  const source = read(path)
  const lines = source.split('\n')
  const isHistory = HISTORY.test(path)
  const rules = isHistory ? [] : names.filter(({ within, outside }) => (within?.test(path) ?? true) && !(outside?.test(path) ?? false))
  const scope = new Set(rules)
  const found = [...pathFindings(path, scope)].map((text): Finding => ({ line: 1, rule: 'path', text }))
  if (/\.[mc]?tsx?$/.test(path)) {
    for (const { line, opening } of openingsOfComments(source))
      found.push({ line, rule: 'opening', text: `"${opening}": ${OPENING_ADVICE}` })
  }
  let before: Segment | undefined
  for (const segment of segmentsOf(path, source)) {
    const { kind, text, line } = segment
    for (const name of findNames(segment, scope)) found.push({ line, rule: 'name', text: name })
    if (kind === 'code') continue
    // A sentence goes on in the comment of the next line.
    const head = kind === 'comment' && before?.kind === 'comment' && before.line === line - 1 ? `${before.text.trimEnd()} ` : ''
    const sentence = head + text.replace(/^[\s/*#-]+/, ' ').trimStart()
    for (const { rule, index, text: finding } of findPhrases(sentence, kind, rules)) {
      if (index > head.length) found.push({ line, rule, text: finding })
    }
    if (kind === 'comment') {
      before = segment
      for (const broken of brokenReferences(path, text, repository)) {
        found.push({ line, rule: 'reference', text: `${broken} is not in the repository` })
      }
    }
  }
  return found.filter(
    ({ line, rule }) => rule === 'path' || !allowed.some((entry) => entry.path.test(path) && entry.text.test(lines[line - 1] ?? '')),
  )
}

function read(path: string): string {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    // Tracked and deleted in the working tree.
    return ''
  }
}

function segmentsOf(path: string, source: string): Segment[] {
  if (path.endsWith('.md')) return segmentsOfMarkdown(source)
  if (path.endsWith('.lua')) return segmentsOfLines(source, '--')
  if (/\.(?:py|sh|ya?ml|conf)$|^\.ci\//.test(path)) return segmentsOfLines(source, '#')
  return segmentsOfScript(source)
}

function findNames({ kind, text }: Segment, scope: ReadonlySet<NameRule>): Set<string> {
  const found = new Set<string>()
  const code = kind === 'code' ? text : codeSpansOf(text)
  for (const [identifier] of code.matchAll(IDENTIFIER)) {
    for (const rule of rulesBrokenBy(identifier)) if (scope.has(rule)) found.add(`"${identifier}", use ${rule.use}`)
  }
  if (kind === 'code') return found
  for (const [identifier] of text.matchAll(IDENTIFIER)) {
    for (const rule of rulesBrokenBy(identifier)) {
      if (scope.has(rule) && everywhere.has(rule)) found.add(`"${identifier}", use ${rule.use}`)
    }
  }
  return found
}

function rulesBrokenBy(identifier: string): readonly NameRule[] {
  let broken = known.get(identifier)
  if (broken === undefined) {
    const parts = (identifier.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((part) => part.toLowerCase())
    broken = names.filter(({ parts: banned = [], names: whole, except }) => {
      if (except?.test(identifier) === true) return false
      return whole?.test(identifier) === true || parts.some((part) => banned.includes(part))
    })
    known.set(identifier, broken)
  }
  return broken
}

/** Old words in the folders and the name of a file. */
function pathFindings(path: string, scope: ReadonlySet<NameRule>): Set<string> {
  const inParts = path.split(/[/.]/).flatMap((part) => rulesBrokenBy(part))
  const inWhole = names.filter(({ paths }) => paths?.test(path) === true)
  return new Set([...inParts, ...inWhole].filter((rule) => scope.has(rule)).map(({ use }) => `use ${use}`))
}

function codeSpansOf(text: string): string {
  return text.includes('`') ? [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '').join(' ') : ''
}

type PhraseFinding = { readonly rule: 'name' | 'phrase'; readonly index: number; readonly text: string }

/** Old words and banned phrases in a sentence; `index` is the end of the match. */
function findPhrases(sentence: string, kind: 'comment' | 'string', rules: readonly NameRule[]): PhraseFinding[] {
  const found: PhraseFinding[] = []
  if (!ANY_PHRASE.test(sentence)) return found
  for (const { prose, use } of rules) {
    if (prose === undefined) continue
    for (const match of sentence.matchAll(prose)) {
      found.push({ rule: 'name', index: match.index + match[0].length, text: `"${match[0]}", use ${use}` })
    }
  }
  for (const [phrase, advice] of phrases) {
    for (const match of sentence.matchAll(phrase)) {
      // A string that is only the word is a value, not a sentence.
      if (kind === 'string' && sentence.trim() === match[0]) continue
      found.push({ rule: 'phrase', index: match.index + match[0].length, text: `"${match[0]}": ${advice}` })
    }
  }
  return found
}
