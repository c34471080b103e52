import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

type Tree = { readonly [key: string]: string | Tree }

const SOURCE = join(import.meta.dirname, '..')
const namespaces = import.meta.glob<{ texts: Tree }>(['./zh/*.ts', './en/*.ts'], { eager: true })
const names = [...new Set(Object.keys(namespaces).map((path) => path.replace(/^.*\/([\w-]+)\.ts$/, '$1')))].sort()
const textsOf = (language: 'zh' | 'en', name: string): ReadonlyMap<string, string> =>
  new Map(flat(namespaces[`./${language}/${name}.ts`]?.texts ?? {}))

function flat(tree: Tree, prefix = ''): readonly (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as const] : flat(value, `${prefix}${key}.`),
  )
}

const holesOf = (text: string): readonly string[] => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name ?? '').sort()

/** Every key as it is written in code: whole, or as a template whose holes may be anything. */
function spokenKeys(): (key: string) => boolean {
  const code = sources(SOURCE).join('\n')
  const whole = new Set([...code.matchAll(/'(?:[\w-]+:)?([\w.-]+)'/g)].map(([, key]) => key ?? ''))
  const templates = [
    ...new Set(
      [...code.matchAll(/`(?:[\w-]+:)?((?:[\w.-]|\$\{[^{}]*\})+)`/g)]
        .map(([, template]) => template ?? '')
        .filter((template) => /\$\{/.test(template) && /\w/.test(template.replaceAll(/\$\{[^}]*\}/g, ''))),
    ),
  ].map(patternOf)
  return (key) => whole.has(key) || templates.some((template) => template.test(key))
}

const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replaceAll('.', String.raw`\.`))
      .join('[\\w.-]+')}$`,
  )

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'zh' || entry.name === 'en' ? [] : sources(path)
    return /\.tsx?$/.test(entry.name) && !/\.test\.|routeTree/.test(entry.name) ? [readFileSync(path, 'utf8')] : []
  })
}

describe.each(names)('namespace %s', (name) => {
  it('fills the same holes in both languages', () => {
    const holes = (language: 'zh' | 'en') =>
      Object.fromEntries([...textsOf(language, name)].filter(([key]) => !key.endsWith('_one')).map(([key, text]) => [key, holesOf(text)]))

    expect(holes('en')).toEqual(holes('zh'))
  })

  it('addresses the reader as 你', () => {
    expect([...textsOf('zh', name)].filter(([, text]) => text.includes('您'))).toEqual([])
  })

  it('has a plural for each count of things, and both English forms of it', () => {
    const withoutPlural = [...textsOf('en', name)].filter(([key, text]) => /\{\{count\}\} \p{L}/u.test(text) && !/_(one|other)$/.test(key))
    const keys = [...textsOf('en', name).keys()]
    const formsOf = (form: 'one' | 'other') =>
      keys
        .filter((key) => key.endsWith(`_${form}`))
        .map((key) => key.slice(0, -form.length))
        .sort()

    expect(withoutPlural).toEqual([])
    expect(formsOf('one')).toEqual(formsOf('other'))
  })

  it('has no empty text', () => {
    expect([...textsOf('zh', name), ...textsOf('en', name)].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('has no Chinese left in English', () => {
    expect([...textsOf('en', name)].filter(([, text]) => /\p{Script=Han}/u.test(text)).map(([key]) => key)).toEqual([])
  })

  it('has no unused text', () => {
    const isSupported = spokenKeys()

    expect([...textsOf('zh', name).keys()].filter((key) => !isSupported(key.replace(/_other$/, '')))).toEqual([])
  })
})

it('keeps Chinese out of components', () => {
  const withHan = listed(SOURCE).filter((path) => /\p{Script=Han}/u.test(readFileSync(path, 'utf8')))

  // The one word that a menu shows the same in both languages.
  expect(withHan.map((path) => path.slice(SOURCE.length + 1)).toSorted()).toEqual(['i18n/language.ts'])
})

function listed(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'zh' || entry.name === 'testing' ? [] : listed(path)
    return /\.tsx?$/.test(entry.name) && !entry.name.includes('.test.') ? [path] : []
  })
}
