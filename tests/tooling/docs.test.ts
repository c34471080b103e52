import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const filesOf = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist|\.turbo)(\/|$)/.test(path) })
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const pages = filesOf('**/*.md')

describe('the documentation', () => {
  it('links to files and headings that are there', () => {
    expect(pages.length).toBeGreaterThan(50)
    expect(pages.flatMap(brokenLinks)).toEqual([])
  })

  it('names scripts of npm that are there', () => {
    const scripts = scriptsOf('package.json')
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run ([a-z][\w:-]*)/g)]
        .map(([, script = '']) => script)
        .filter((script) => !scripts.has(script) && !nearScripts(page).has(script))
        .map((script) => `${page}: npm run ${script}`),
    )
    expect(missing).toEqual([])
  })

  it('names tests of requirements that are there', () => {
    const isName = readTestNames()
    const missing = read('docs/requirements.md')
      .split('\n')
      .flatMap((line) => {
        const [, id] = /^- \*\*([A-Z]+-\d+)/.exec(line) ?? []
        const proof = line.slice(line.search(/\*Tested\*|Seen by|Held by/))
        return id === undefined
          ? []
          : [...proof.matchAll(/"([^"]+)"/g)].filter(([, name = '']) => !isName(name)).map(([name]) => `${id}: ${name}`)
      })
    expect(missing).toEqual([])
  })
})

/** Relative links of a page to a file or heading that does not exist. */
function brokenLinks(page: string): string[] {
  const text = read(page).replace(/```[\s\S]*?```/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return []
    const [path = '', heading] = link.split('#')
    const target = path === '' ? page : join(dirname(page), decodeURI(path))
    const isThere = existsSync(join(root, target)) && (heading === undefined || !target.endsWith('.md') || headingsOf(target).has(heading))
    return isThere ? [] : [`${page}: ${link}`]
  })
}

/** The anchors that GitHub gives to the headings of a page. */
function headingsOf(page: string): ReadonlySet<string> {
  const headings = read(page).matchAll(/^#{1,6} (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

const scriptsOf = (file: string): ReadonlySet<string> =>
  new Set(Object.keys((JSON.parse(read(file)) as { scripts?: Readonly<Record<string, string>> }).scripts ?? {}))

/** The scripts of the package that a page lies in; those of load-tests for its generated pages. */
function nearScripts(page: string): ReadonlySet<string> {
  const [folder = ''] = page.startsWith('docs/generated/') ? ['load-tests'] : page.split('/')
  const file = `${folder}/package.json`
  return existsSync(join(root, file)) ? scriptsOf(file) : new Set()
}

const PLACEHOLDER = /%[sdjop#]|\$\{[^}]*\}|\$\w+(?:\.\w+)*/g
const LITERAL = /'((?:\\.|[^'\\\n])+)'|"((?:\\.|[^"\\\n])+)"|`((?:\\.|[^`\\\n])+)`/g
/** A name with placeholders needs so many letters of its own, or it would match any other. */
const LETTERS_OF_ITS_OWN = 6

/** Tells whether a name, in which `…` stands for any text, is a literal of a test file, or can be made by one with placeholders. */
function readTestNames(): (name: string) => boolean {
  const literals = filesOf('{libs,services,web,tests,deploy,helm,load-tests,scripts}/**/*.test.{ts,tsx}').flatMap((file) =>
    [...read(file).matchAll(LITERAL)].map(([, single, double, backtick]) =>
      (single ?? double ?? backtick ?? '').replace(/\\(['"`])/g, '$1'),
    ),
  )
  const templates = literals
    .filter(
      (literal) =>
        literal.search(PLACEHOLDER) !== -1 && literal.replace(PLACEHOLDER, '').replace(/[^a-z]/g, '').length >= LETTERS_OF_ITS_OWN,
    )
    .map((literal) => new RegExp(`^${literal.split(PLACEHOLDER).map(escapePattern).join('.+')}$`))
  return (name) => {
    const wanted = new RegExp(
      name
        .split('…')
        .map((part) => escapePattern(part.trim()))
        .join('.*'),
    )
    const filled = name.replaceAll('…', ' some text ').trim()
    return literals.some((literal) => wanted.test(literal)) || templates.some((template) => template.test(filled))
  }
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
