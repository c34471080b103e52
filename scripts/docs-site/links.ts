import { dirname, extname, join } from 'node:path'
import type { Page } from './pages.ts'

type Site = {
  /** Addresses of pages by the file that they are made of. */
  readonly routes: ReadonlyMap<string, string>
  readonly base: string
  /** Address of the repository's files, for what has no page. */
  readonly repository: string
}

const PICTURE = /^\.(?:png|svg|jpe?g|webp)$/

/**
 * Rewrites the links of a page to other files of the repository: to pages by relative addresses, so that a page which is shown in another
 * language leads to pages of that language; to pictures below the base; to the repository for anything else.
 */
export function rewriteLinks(text: string, page: Page, site: Site): string {
  return outsideOfCode(text, (part) =>
    part.replace(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, mark: string, label: string, target: string) => {
      if (/^(?:[a-z]+:|#)/.test(target)) return whole
      const inner = rewriteLinks(label, page, site)
      const address = rewrite(target, page, site)
      return mark === '!' ? `<img src="${address}" alt="${label}" loading="lazy" />` : `[${inner}](${address})`
    }),
  )
}

function rewrite(target: string, page: Page, { routes, base, repository }: Site): string {
  const [path = '', hash] = target.split('#')
  const file = join(dirname(page.file), decodeURI(path)).replace(/\/$/, '')
  const route = routes.get(file) ?? routes.get(file.replace('docs/zh/', 'docs/'))
  const end = hash === undefined ? '' : `#${hash}`
  if (route !== undefined) return `${upFrom(page)}${route === '' ? '' : `${route}/`}${end}`
  if (PICTURE.test(extname(file))) return `${base}/${file.replace(/^docs\//, '')}`
  return `${repository}/${file}${end}`
}

/** From a page to the root of its language. */
const upFrom = ({ route }: Page): string => (route === '' ? './' : '../'.repeat(route.split('/').length))

/** Applies a change to the text of a page, not to its fenced blocks and code spans. */
function outsideOfCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^ *```[\s\S]*?^ *```|`[^`\n]+`(?!\]))/m)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('')
}

/** Addresses by file: a Chinese page has the route of the English one, below the root of its language. */
export const routesOf = (pages: readonly Page[]): ReadonlyMap<string, string> =>
  new Map([
    ...pages.map((page): [string, string] => [page.file, page.route]),
    ['docs/generated/openapi.json', 'reference/api'],
    ['docs/generated/relay-openapi.json', 'reference/relay-api'],
  ])
