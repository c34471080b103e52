import { filesOf, readPage, readSidebar } from '../../scripts/docs-site/pages.ts'

export type Block = { readonly file: string; readonly line: number; readonly script: string }

/** The blocks of a page that are marked `sh run`, in order, with the line on which their script begins. */
export function blocksOf(file: string): readonly Block[] {
  const text = readPage(file)
  return [...text.matchAll(/^( *)```sh run\n([\s\S]*?)^ *```$/gm)].map(({ index, 1: indent = '', 2: script = '' }) => ({
    file,
    line: text.slice(0, index).split('\n').length + 1,
    script: script.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

/** In the order of the sidebar: the tutorial comes first, and what stops or changes most comes last. */
export const pagesWithBlocks = (): readonly string[] => filesOf(readSidebar()).filter((file) => blocksOf(file).length > 0)
