import { chakra, Skeleton } from '@chakra-ui/react'
import { lazy, Suspense, useDeferredValue, useState, type ReactNode } from 'react'
import { blocksOf, grownBlocks, type Block } from './markdown-blocks.ts'

const Rendered = lazy(async () => ({ default: (await import('./markdown-rendered.tsx')).MarkdownRendered }))

const NONE: readonly Block[] = []

/**
 * Text in Markdown: answers of models and what operators write. The code that draws it is loaded on demand; until then the text as it
 * is. A long text is drawn in pieces between frames, and one that grows changes in its last piece only.
 */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const [cut, setCut] = useState(() => ({ text, blocks: blocksOf(text) }))
  const isCurrent = cut.text === text
  const current = isCurrent ? cut : { text, blocks: grownBlocks(cut, text) }
  if (!isCurrent) setCut(current)
  const blocks = useDeferredValue(current.blocks, NONE)
  const plain = text.length === 0 ? <Skeleton h="5" /> : <chakra.div whiteSpace="pre-wrap">{text}</chakra.div>
  return <Suspense fallback={plain}>{<Rendered blocks={blocks} />}</Suspense>
}
