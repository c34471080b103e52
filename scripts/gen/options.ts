import { defaultText, isOptionKey, optionOf, optionSections, type OptionKey } from '../../libs/contracts/src/options/registry.ts'
import { code, page, table } from './markdown.ts'

const SHOWN = 100

export function renderOptions(): string {
  const sections = Object.entries(optionSections).map(([name, rows]) => {
    const keys = Object.keys(rows).filter(isOptionKey)
    return `## ${name}\n\n${table(['Key', 'Kind', 'Default', 'Limits', 'Read by', 'Public as'], keys.map(toRow))}`
  })
  return page({
    title: 'Options',
    about: 'Declared in `libs/contracts/src/options`. Secrets are write-only and sealed at rest.',
    parts: sections,
  })
}

function toRow(key: OptionKey): string[] {
  const { kind, min, max, unit, choices, isSecret, readBy, snapshotAs, publicAs } = optionOf(key)
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
    readBy.join(', ') + (snapshotAs === undefined ? '' : ` (as ${snapshotAs})`),
    publicAs === undefined ? '' : code(publicAs),
  ]
}
