import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiGroups, renderApis } from './api.ts'
import { rewriteLinks, routesOf } from './links.ts'
import {
  addressOf,
  chineseOf,
  isGroup,
  pageOf,
  readPage,
  readPages,
  readSidebar,
  root,
  site,
  titleOf,
  type Page,
  type SidebarItem,
} from './pages.ts'

export type Settings = { readonly base: string; readonly repository: string }

const content = join(site, 'src/content/docs')

/** Writes what Astro reads: the pages with their links rewritten, the pictures, the sidebar. */
export async function prepare({ base, repository }: Settings): Promise<number> {
  for (const folder of [content, join(site, 'public')]) rmSync(folder, { recursive: true, force: true })
  const { renderDiagram } = (await import(join(site, 'diagrams.mjs'))) as { renderDiagram: (source: string) => string }
  const pages = readPages()
  const routes = routesOf(pages)
  for (const page of pages) {
    const text = readPage(page.file)
    const body = diagramsIn(
      rewriteLinks(withEnglishAnchors(page.file, text), page, { routes, base, repository: `${repository}/blob/main` }),
      renderDiagram,
    )
    write(page, titleOf(text), body.replace(/^# .+\n/m, ''), editUrlOf(page, repository))
  }
  const apis = renderApis(base)
  for (const { route, title, text } of apis) write({ language: 'en', route, file: '' }, title, text, false)
  copyPublicFiles()
  const sidebar = readSidebar().map((group) => (group.en === 'Reference' ? { ...group, items: [...group.items, ...apiGroups()] } : group))
  writeFileSync(join(site, 'sidebar.gen.json'), JSON.stringify(sidebar.map(sidebarEntry), null, 2))
  return pages.length + apis.length
}

function write(page: Page, title: string, body: string, editUrl: string | false): void {
  const file = join(content, `${addressOf(page) || (page.language === 'zh' ? 'zh/index' : 'index')}.md`)
  const path = addressOf(page) === 'zh' ? join(content, 'zh/index.md') : file
  mkdirSync(dirname(path), { recursive: true })
  const head = [`title: ${JSON.stringify(title)}`, `editUrl: ${JSON.stringify(editUrl)}`]
  writeFileSync(path, `---\n${head.join('\n')}\n---\n${body}`)
}

const editUrlOf = ({ file }: Page, repository: string): string | false =>
  file.startsWith('docs/generated/') ? false : `${repository}/edit/main/${file}`

/**
 * Gives the headings of a Chinese page the anchors of the English page too, whose headings are the same in number: links of pages that
 * are shown in English lead there.
 */
function withEnglishAnchors(file: string, text: string): string {
  const english = file.replace('docs/zh/', 'docs/')
  if (english === file) return text
  const anchors = headingsIn(readPage(english)).map(slugOf)
  return replaceHeadings(text, (heading, at) => {
    const anchor = anchors[at] ?? ''
    return anchor === slugOf(heading) ? heading : `<div id="${anchor}"></div>\n\n${heading}`
  })
}

function headingsIn(text: string): readonly string[] {
  const headings: string[] = []
  replaceHeadings(text, (heading) => {
    headings.push(heading)
    return heading
  })
  return headings
}

/** The headings below the title, outside of fenced blocks. */
function replaceHeadings(text: string, change: (heading: string, at: number) => string): string {
  let at = 0
  return text.replace(/^```[\s\S]*?^```|^#{2,6} .+$/gm, (part) => (part.startsWith('#') ? change(part, at++) : part))
}

/** The anchor that GitHub and Astro give to a heading. */
const slugOf = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

function diagramsIn(text: string, render: (source: string) => string): string {
  return text.replace(/^```mermaid\n([\s\S]*?)^```$/gm, (_, source: string) => {
    const svg = render(source)
      .replace(/@import url\([^)]*\);?/g, '')
      .replace(/\n\s*\n/g, '\n')
    return `<div class="diagram">\n${svg}\n</div>`
  })
}

function copyPublicFiles(): void {
  const folder = join(site, 'public')
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'docs/images'), join(folder, 'images'), { recursive: true })
  copyFileSync(join(site, 'favicon.svg'), join(folder, 'favicon.svg'))
  for (const name of ['openapi.json', 'relay-openapi.json']) copyFileSync(join(root, 'docs/generated', name), join(folder, name))
}

function sidebarEntry(item: SidebarItem): object {
  if ('route' in item) return { slug: item.route, label: item.en }
  if (isGroup(item)) {
    return { label: item.en, translations: { 'zh-CN': item.zh }, collapsed: item.collapsed ?? false, items: item.items.map(sidebarEntry) }
  }
  const chinese = chineseOf(item.file)
  const zh = chinese === undefined ? item.zh : titleOf(readPage(chinese))
  const label = titleOf(readPage(item.file))
  return { slug: pageOf(item.file).route, label, ...(zh === undefined ? {} : { translations: { 'zh-CN': zh } }) }
}
