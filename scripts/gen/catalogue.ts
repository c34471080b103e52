// Writes the catalogue of vendors as data: the console and the control plane read it without the vendors' code.
import { vendors } from '../../libs/providers/src/vendors/index.ts'
import { toCatalogueEntry } from '../../libs/providers/src/to-catalogue-entry.ts'

export function renderCatalogue(): string {
  const entries = Object.values(vendors)
    .toSorted((left, right) => left.channelType - right.channelType)
    .map(toCatalogueEntry)
  // Lists that several vendors have are written once.
  const lists = [...new Set(entries.map(({ models }) => JSON.stringify(models)))]
  const paths = [...new Set(entries.flatMap(({ callPaths }) => (callPaths === undefined ? [] : [JSON.stringify(callPaths)])))]
  const shared = [
    ...lists.map((list, at) => `const models${at}: readonly string[] = ${list}`),
    ...paths.map((list, at) => `const paths${at}: readonly string[] = ${list}`),
  ]
  const lines = entries.map(({ models, callPaths, ...entry }) => {
    const fields = JSON.stringify(entry).slice(1, -1)
    const called = callPaths === undefined ? '' : `, "callPaths": paths${paths.indexOf(JSON.stringify(callPaths))}`
    return `  { ${fields}${called}, "models": models${lists.indexOf(JSON.stringify(models))} },`
  })
  return [
    '// Written by `npm run gen` from the manifests in vendors/; do not edit.',
    "import type { CatalogueEntry } from './catalogue-entry.ts'",
    '',
    ...shared,
    '',
    'export const entries: readonly CatalogueEntry[] = [',
    ...lines,
    ']',
    '',
  ].join('\n')
}
