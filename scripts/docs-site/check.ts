import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { site } from './pages.ts'

const folder = join(site, 'dist')
const MAX_FIRST_PAGE = 150_000

/** Problems of the built site: links, pictures and headings that are not there, and a first page that is too large. */
export function checkSite(base: string): readonly string[] {
  const pages = new Map(globSync('**/*.html', { cwd: folder }).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
  const anchors = new Map([...pages].map(([file, html]) => [file, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))]))
  const broken = [...pages].flatMap(([file, html]) => brokenLinks(file, html, base, anchors))
  return [...new Set(broken), ...firstPageProblems(base)]
}

function brokenLinks(file: string, html: string, base: string, anchors: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const own = `${base}/${file.replace(/index\.html$/, '')}`
  return [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].flatMap(([, link = '']) => {
    if (/^(?:[a-z]+:|\/\/)/.test(link)) return []
    const url = new URL(link.replaceAll('&amp;', '&').replaceAll('&#38;', '&'), `http://site${own}`)
    const target = targetOf(decodeURIComponent(url.pathname), base)
    if (target === undefined) return [`${file}: ${link}`]
    const heading = decodeURIComponent(url.hash.slice(1))
    return heading === '' || anchors.get(target)?.has(heading) !== false ? [] : [`${file}: ${link}: no such heading`]
  })
}

/** The file behind an address of the site. */
function targetOf(path: string, base: string): string | undefined {
  if (path !== base && !path.startsWith(`${base}/`)) return undefined
  const file = path.slice(base.length + 1)
  const found = file === '' || file.endsWith('/') ? `${file}index.html` : file
  return existsSync(join(folder, found)) ? found : undefined
}

/** The page and what it names, as the control plane sends them. The search is loaded when it is opened. */
function firstPageProblems(base: string): readonly string[] {
  const bytes = firstPageBytes(base)
  console.log(`first page: ${bytes} bytes, compressed`)
  return bytes <= MAX_FIRST_PAGE ? [] : [`the first page takes ${bytes} bytes of ${MAX_FIRST_PAGE}`]
}

function firstPageBytes(base: string): number {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...html.matchAll(/<(?:link[^>]+rel="(?:stylesheet|modulepreload)"[^>]+href|(?:script|img)[^>]+src)="([^"]+)"/g)]
  const files = new Set(['index.html', ...named.flatMap(([, link = '']) => targetOf(link, base) ?? [])])
  return [...files].reduce((sum, file) => sum + sizeOf(file), 0)
}

const sizeOf = (file: string): number =>
  statSync(join(folder, existsSync(join(folder, `${file}.br`)) ? `${posix.normalize(file)}.br` : file)).size
