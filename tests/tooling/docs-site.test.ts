import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksOf } from '../docs/blocks.ts'
import { renderApis } from '../../scripts/docs-site/api.ts'
import { rewriteLinks, routesOf } from '../../scripts/docs-site/links.ts'
import { chineseOf, filesOf, pageOf, readPage, readPages, readSidebar, root, titleOf } from '../../scripts/docs-site/pages.ts'

const pages = readPages()
const english = pages.filter(({ language }) => language === 'en')
const named = filesOf(readSidebar())
const untranslated = JSON.parse(readFileSync(join(root, 'web/docs/untranslated.json'), 'utf8')) as readonly string[]

describe('the documentation site', () => {
  it('names every page in its sidebar, once; decisions are listed on a page of their own', () => {
    const wanted = english.map(({ file }) => file).filter((file) => file !== 'docs/README.md' && !/^docs\/adr\/\d/.test(file))

    expect(named.toSorted()).toEqual(wanted.toSorted())
  })

  it('has every guide in Chinese, apart from the named exceptions', () => {
    const guides = english.map(({ file }) => file).filter((file) => file === 'docs/README.md' || file.startsWith('docs/guides/'))

    expect(guides.filter((file) => chineseOf(file) === undefined).toSorted()).toEqual(untranslated.toSorted())
  })

  it('has the same sections and commands in both languages', () => {
    const translated = english
      .flatMap(({ file }) => ({ file, chinese: chineseOf(file) ?? file }))
      .filter(({ file, chinese }) => file !== chinese)

    expect(translated.length).toBeGreaterThan(1)
    for (const { file, chinese } of translated) expect(outlineOf(chinese), chinese).toEqual(outlineOf(file))
  })

  it('gives each page a title and an address of its own', () => {
    expect(pages.filter(({ file }) => titleOf(readPage(file)) === '')).toEqual([])
    expect(new Set(pages.map(({ language, route }) => `${language} ${route}`)).size).toBe(pages.length)
  })

  it('leads links to pages of the same language, to pictures, and to the repository', () => {
    const site = { routes: routesOf(pages), base: '/docs', repository: 'https://git.example/blob/main' }
    const rewritten = (text: string): string => rewriteLinks(text, pageOf('docs/zh/guides/first-user.md'), site)

    expect(rewritten('[p](prices.md#tools) [k](../../guides/keys.md) [a](../../generated/openapi.json)')).toBe(
      '[p](../../guides/prices/#tools) [k](../../guides/keys/) [a](../../reference/api/)',
    )
    expect(rewritten('![t](../../images/token.png)')).toBe('<img src="/docs/images/token.png" alt="t" loading="lazy" />')
    expect(rewritten('[env](../../../libs/config/src) `[x](y.md)` [web](https://a.example)')).toBe(
      '[env](https://git.example/blob/main/libs/config/src) `[x](y.md)` [web](https://a.example)',
    )
  })

  it('has a section for every call of both OpenAPI files', () => {
    const sections = renderApis('/docs').reduce((sum, { text }) => sum + (text.match(/^## /gm)?.length ?? 0), 0)
    const calls = ['openapi.json', 'relay-openapi.json'].flatMap((file) => {
      const { paths } = JSON.parse(readFileSync(join(root, 'docs/generated', file), 'utf8')) as { paths: Record<string, object> }
      return Object.values(paths).flatMap((methods) =>
        Object.keys(methods).filter((name) => /^(get|put|post|patch|delete|head)$/.test(name)),
      )
    })

    expect(calls.length).toBeGreaterThan(300)
    expect(sections).toBe(calls.length)
  })
})

/** The levels of the headings, and the fenced blocks that are run. */
function outlineOf(file: string): readonly string[] {
  const text = readPage(file)
  const headings = text.replace(/```[\s\S]*?```/g, '').match(/^#{1,6} /gm) ?? []
  return [...headings, ...blocksOf(file).map(({ script }) => script.replace(/ *#.*/g, ''))]
}
