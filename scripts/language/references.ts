import { posix } from 'node:path'

/** The files of the repository, by path, by name and by folder. */
export type Tree = { readonly files: ReadonlySet<string>; readonly folders: ReadonlySet<string>; readonly suffixes: ReadonlySet<string> }

export function treeOf(files: readonly string[]): Tree {
  const folders = new Set<string>()
  const suffixes = new Set<string>()
  for (const file of files) {
    const parts = file.split('/')
    parts.forEach((_, index) => suffixes.add(parts.slice(index).join('/')))
    for (let length = 1; length < parts.length; length += 1) folders.add(parts.slice(0, length).join('/'))
  }
  return { files: new Set(files), folders, suffixes }
}

const LINK = /\]\(\s*<?([^)\s>#]+)/g
const MENTION = /(?<![\w./@*<>{}…$~:-])(?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|cjs|lua|md|patch|jsonc|ya?ml)(?![\w/*-]|\.\w)/g
const FOLDER = /(?<![\w./@-])(?:libs|services|web|deploy|tests|scripts|docs|load-tests)\/[\w./-]+(?![\w/*<{…$-])/g
const PACKAGE = /@tollgate\/([\w-]+)\/([\w-]+(?:\/[\w-]+)*)(?![\w/*<{…$-])/g
const SECTION = /[\w-]+\.md,? (?:section|chapter|§) ?\d+/gi
const OUTSIDE = /\brelay-facts\b|\bshared\/design\b|\bstyle-guide\b/gi

/** Links and mentioned paths that lead to no file of the repository. */
export function brokenReferences(path: string, text: string, tree: Tree): string[] {
  const folder = posix.dirname(path)
  const found: string[] = []
  if (path.endsWith('.md')) {
    for (const [, target = ''] of text.matchAll(LINK)) {
      if (/^[a-z][a-z0-9+.-]*:/i.test(target)) continue
      if (!exists(posix.normalize(target.startsWith('/') ? target.slice(1) : posix.join(folder, target)), tree)) found.push(target)
    }
  }
  const withoutLinks = text.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/\bhttps?:\/\/\S+/g, ' ')
  for (const [mention] of withoutLinks.matchAll(MENTION)) if (!isMentioned(mention, folder, tree)) found.push(mention)
  for (const [mention] of withoutLinks.matchAll(FOLDER)) {
    const folderOrFile = mention.replace(/[./]+$/, '')
    if (!isMentioned(folderOrFile, '', tree) && !tree.files.has(`${folderOrFile}.ts`)) found.push(mention)
  }
  for (const [mention, name = '', file = ''] of withoutLinks.matchAll(PACKAGE)) {
    if (!tree.suffixes.has(`${name}/src/${file}.ts`)) found.push(mention)
  }
  for (const [mention] of withoutLinks.matchAll(SECTION)) found.push(mention)
  for (const [mention] of withoutLinks.matchAll(OUTSIDE)) found.push(mention)
  return [...new Set(found)]
}

function isMentioned(mention: string, folder: string, tree: Tree): boolean {
  const plain = mention.replace(/^(?:\.\/)+/, '')
  return tree.suffixes.has(plain) || exists(posix.normalize(posix.join(folder, mention)), tree)
}

function exists(path: string, { files, folders }: Tree): boolean {
  const plain = path.replace(/\/$/, '')
  return plain === '.' || files.has(plain) || folders.has(plain)
}
