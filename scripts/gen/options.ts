import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultText, isOptionKey, optionOf, optionSections, type OptionKey } from '../../libs/contracts/src/options/registry.ts'
import { code, page, table } from './markdown.ts'
import { optionTests } from './option-tests.ts'

const SHOWN = 100
const ROOT = join(import.meta.dirname, '../..')

/** The console is compiled for the browser, so its files are not part of this project's types. */
const fromConsole = async (path: string): Promise<unknown> => import(new URL(`../../web/console/src/${path}`, import.meta.url).href)

type Layout = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
type SettingTexts = { readonly section: Readonly<Record<string, string>>; readonly 'without-effect': Readonly<Record<string, string>> }
const { LAYOUT } = (await fromConsole('features/settings/layout.ts')) as { LAYOUT: Layout }
const { texts: optionTexts } = (await fromConsole('i18n/en/options.ts')) as { texts: unknown }
const { texts: settingTexts } = (await fromConsole('i18n/en/settings.ts')) as { texts: SettingTexts }

export function renderOptions(): string {
  const sections = Object.entries(optionSections).map(([name, rows]) => {
    const keys = Object.keys(rows).filter(isOptionKey)
    const values = table(['Key', 'Kind', 'Default', 'Limits', 'Public as'], keys.map(toValueRow))
    return `## ${name}\n\n${values}\n\n${table([...EFFECT_HEAD], keys.map(toEffectRow))}`
  })
  return page({
    title: 'Options',
    about:
      'Declared in `libs/contracts/src/options`. Secrets are write-only and sealed at rest. The second table of a section says what reads an option, what it changes, where it is set and which test proves it; `tests/tooling/options.test.ts` fails for an empty cell.',
    parts: sections,
  })
}

function toValueRow(key: OptionKey): string[] {
  const { kind, min, max, unit, choices, isSecret, publicAs } = optionOf(key)
  const text = defaultText(key).replaceAll(/\s+/g, kind === 'lines' ? ' ⏎ ' : ' ')
  const limits = [
    min === undefined ? '' : `≥ ${min}`,
    max === undefined ? '' : `≤ ${max}`,
    unit ?? '',
    choices?.join(', ') ?? '',
    isSecret ? 'secret' : '',
  ]
  return [
    code(key),
    kind,
    code(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text),
    limits.filter((part) => part !== '').join(', '),
    publicAs === undefined ? '' : code(publicAs),
  ]
}

const EFFECT_HEAD = ['Key', 'Read by', 'Changes', 'Screen', 'Test'] as const

/** Key, readers, effect, screen and test of an option; an empty text where one is missing. */
export function toEffectRow(key: OptionKey): string[] {
  const { readBy, snapshotAs, withoutEffect } = optionOf(key)
  const readers = readBy.join(', ') + (snapshotAs === undefined ? '' : ` (as ${snapshotAs})`)
  if (withoutEffect !== undefined) {
    const reason = settingTexts['without-effect'][withoutEffect] ?? ''
    return [code(key), 'nothing', reason === '' ? '' : `No effect here: ${reason}`, screenOf(key), 'shown as “no effect”']
  }
  const test = optionTests.get(key)
  return [code(key), readers, effectOf(key), screenOf(key), test === undefined ? '' : `${test.file} “${test.name}”`]
}

/** The description that the settings page shows. */
function effectOf(key: OptionKey): string {
  let found: unknown = optionTexts
  for (const part of key.split('.')) found = typeof found === 'object' && found !== null ? Reflect.get(found, part) : undefined
  const { label = '', help = '' } = (found ?? {}) as { label?: string; help?: string } // the texts' declared shape
  return help === '' ? label : help
}

function screenOf(key: OptionKey): string {
  for (const [tab, sections] of Object.entries(LAYOUT))
    for (const [section, keys] of Object.entries(sections))
      if (keys.includes(key)) return `${tab} / ${settingTexts.section[section] ?? section}`
  return ''
}

/** Why a named test does not exist; undefined: it does. */
export function problemOfTest(key: OptionKey): string | undefined {
  const test = optionTests.get(key)
  if (test === undefined) return optionOf(key).withoutEffect === undefined ? `${key}: no test is named` : undefined
  const lines = readFileSync(join(ROOT, test.file), 'utf8').split('\n')
  // The title of a test, or the row of a table of tests.
  const isThere = lines.some((line) => line.includes(test.name) && /\b(?:it|describe)\(|\)\('|^ +option: |^ +\[/.test(line))
  return isThere ? undefined : `${key}: ${test.file} has no test “${test.name}”`
}
