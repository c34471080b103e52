import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const site = join(root, 'web/docs')

export type Language = 'en' | 'zh'
/** A page of the site: its address below the language, and the file of the repository that it is made of. */
export type Page = { readonly language: Language; readonly route: string; readonly file: string }

type SidebarPage = { readonly file: string; readonly zh?: string }
export type SidebarGroup = {
  readonly en: string
  readonly zh: string
  readonly collapsed?: boolean
  readonly items: readonly SidebarItem[]
}
/** A page that no single file gives, such as that of a tag of an OpenAPI file. */
type SidebarRoute = { readonly route: string; readonly en: string }
export type SidebarItem = SidebarPage | SidebarRoute | SidebarGroup

export const readSidebar = (): readonly SidebarGroup[] => JSON.parse(readFileSync(join(site, 'sidebar.json'), 'utf8')) as SidebarGroup[]

export const isGroup = (item: SidebarItem): item is SidebarGroup => 'items' in item

export const filesOf = (items: readonly SidebarItem[]): string[] =>
  items.flatMap((item) => (isGroup(item) ? filesOf(item.items) : 'file' in item ? [item.file] : []))

const SOURCES = ['docs/*.md', 'docs/{guides,runbooks,adr,generated}/*.md', 'docs/zh/*.md', 'docs/zh/guides/*.md']

/** All pages that files of the repository give; those of the OpenAPI files are not among them. */
export const readPages = (): readonly Page[] =>
  SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .toSorted()
    .map(pageOf)

export function pageOf(file: string): Page {
  const isChinese = file.startsWith('docs/zh/')
  return { language: isChinese ? 'zh' : 'en', route: routeOf(file.replace('docs/zh/', 'docs/')), file }
}

function routeOf(file: string): string {
  const name = basename(file, '.md')
  const folder = file.split('/')[1] ?? ''
  if (file === 'docs/README.md') return ''
  if (folder === 'generated') return `reference/${name}`
  if (folder === 'adr') return name === 'README' ? 'decisions' : `decisions/${name}`
  if (folder === 'guides' || folder === 'runbooks') return `${folder}/${name}`
  return name === 'glossary' ? 'reference/glossary' : `explanation/${name}`
}

export const addressOf = ({ language, route }: Page): string =>
  [language === 'zh' ? 'zh' : '', route].filter((part) => part !== '').join('/')

/** The first heading of a page without Markdown. */
export const titleOf = (text: string): string =>
  (/^# (.+)$/m.exec(text)?.[1] ?? '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')

export const readPage = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The Chinese page of an English file, if there is one. */
export const chineseOf = (file: string): string | undefined => {
  const chinese = file.replace('docs/', 'docs/zh/')
  return existsSync(join(root, chinese)) ? chinese : undefined
}
