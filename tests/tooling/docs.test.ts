import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isNamed, readTitles, titlesIn } from '../../scripts/requirements/named-tests.ts'

const root = join(import.meta.dirname, '../..')
const filesOf = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist|\.turbo|content)(\/|$)/.test(path) })
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

  it('states figures in the README that the linked generated page has, on at most 120 lines', () => {
    const readme = read('README.md')
    const figures = [...readme.matchAll(/\[([\d.]+)[^\]]*\]\((docs\/generated\/[^)]+)\)/g)].map(([, figure = '', file = '']) => ({
      figure,
      file,
    }))

    expect(figures.length).toBeGreaterThan(4)
    expect(
      figures.filter(({ figure, file }) => !new RegExp(`(?<![\\d.])${figure.replace('.', '\\.')}(?![\\d.])`).test(read(file))),
    ).toEqual([])
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  })

  it('names every file that npm run gen writes in CONTRIBUTING', () => {
    const written = [...read('scripts/gen/main.ts').matchAll(/(?<=')([\w-]+\.(?:md|json))(?=': )|(?<=\.\.\/)([\w/-]+\.gen\.ts)/g)].map(
      ([file]) => file,
    )
    expect(written.length).toBeGreaterThan(12)
    expect(written.filter((file) => !read('CONTRIBUTING.md').includes(`\`${file}\``))).toEqual([])
  })

  it('names tests of requirements that are in the named file', () => {
    const problems = read('docs/requirements.md')
      .split('\n')
      .flatMap((line) => {
        const [, id] = /^- \*\*([A-Z]+-\d+)/.exec(line) ?? []
        const start = line.search(/\*Tested\*|Seen by|Held by/)
        return id === undefined || start === -1 ? [] : problemsOf(line.slice(start)).map((problem) => `${id}: ${problem}`)
      })
    expect(problems).toEqual([])
  })

  it('takes a title only from the file that is named before it', () => {
    expect(problemsOf('errors.test "fills placeholders …", docs.test "links to files …"')).toEqual([])
    expect(problemsOf('lint.test "fills placeholders …"')).toEqual(['no lint.test has "fills placeholders …"'])
    expect(problemsOf('no file "fills placeholders …"')).toEqual(['no file is named before "fills placeholders …"'])
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

const tests = filesOf('{libs,services,web,tests,deploy,helm,load-tests,scripts}/**/*.test.{ts,tsx}')

/** Quoted titles of a proof that are not in the test file that is named before them. */
function problemsOf(proof: string): readonly string[] {
  return titlesIn(proof).flatMap(({ file, title }) => {
    if (file === undefined) return [`no file is named before "${title}"`]
    const isThere = tests.filter((path) => isNamed(path, file)).some((path) => readTitles(read(path))(title))
    return isThere ? [] : [`no ${file} has "${title}"`]
  })
}
