import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OperatorMarkup } from '../../ui/display/operator-markup.tsx'
import type { HomeContent } from './content.ts'

/** The operator's own home page: Markdown and HTML made safe, or another site in a frame. */
export function OperatorContent({ content }: { readonly content: Exclude<HomeContent, { kind: 'none' }> }): ReactNode {
  const { t } = useTranslation('home')
  if (content.kind === 'frame') {
    return (
      <chakra.iframe
        title={t('operator-page')}
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
      <OperatorMarkup markup="markdown" text={content.text} />
    </chakra.main>
  )
}
