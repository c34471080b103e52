import { chakra, Flex } from '@chakra-ui/react'
import { lazy, Suspense, type ReactNode } from 'react'
import type { OperatorContent as Content } from '../../lib/operator-content.ts'

// Markdown and the sanitiser weigh more than the pages that show what an operator wrote.
const OperatorMarkup = lazy(async () => ({ default: (await import('../display/operator-markup.tsx')).OperatorMarkup }))

type ContentProps = {
  readonly content: Exclude<Content, { kind: 'none' }>
  /** Names the frame. */
  readonly title: string
}

/** A page that the operator wrote: Markdown and HTML made safe, or another site in a frame. */
export function OperatorContent({ content, title }: ContentProps): ReactNode {
  if (content.kind === 'frame') {
    return (
      <chakra.iframe
        title={title}
        src={content.address}
        sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        flex="1"
        w="full"
        minH="70vh"
        borderWidth="0"
        bg="panel"
      />
    )
  }
  return (
    <chakra.main id="content" w="full" maxW="4xl" mx="auto" px={{ base: '4', sm: '6' }} py="8">
      <Suspense fallback={<Flex flex="1" />}>
        <OperatorMarkup markup="markdown" text={content.text} />
      </Suspense>
    </chakra.main>
  )
}
