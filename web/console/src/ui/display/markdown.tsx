import { chakra, Skeleton } from '@chakra-ui/react'
import { lazy, Suspense, type ReactNode } from 'react'

const Rendered = lazy(async () => ({ default: (await import('./markdown-rendered.tsx')).MarkdownRendered }))

/** Text in Markdown: answers of models and what operators write. Loaded on demand; until then the text as it is. */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const plain = text.length === 0 ? <Skeleton h="5" /> : <chakra.div whiteSpace="pre-wrap">{text}</chakra.div>
  return <Suspense fallback={plain}>{<Rendered text={text} />}</Suspense>
}
