import { chakra } from '@chakra-ui/react'
import { marked } from 'marked'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SafeHtml } from '../../ui/display/safe-html.tsx'
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
    <chakra.main
      id="content"
      w="full"
      maxW="4xl"
      mx="auto"
      px={{ base: '4', sm: '6' }}
      py="8"
      textStyle="md"
      lineHeight="relaxed"
      overflowWrap="anywhere"
      css={{
        '& h1, & h2, & h3': {
          color: '{colors.text.strong}',
          fontWeight: '600',
          lineHeight: '1.3',
          marginTop: '1.5em',
          marginBottom: '0.5em',
        },
        '& h1': { fontSize: '{fontSizes.2xl}' },
        '& h2': { fontSize: '{fontSizes.xl}' },
        '& p, & ul, & ol, & pre, & table': { marginBottom: '1em' },
        '& ul': { listStyle: 'disc', paddingInlineStart: '1.5em' },
        '& ol': { listStyle: 'decimal', paddingInlineStart: '1.5em' },
        '& img': { maxWidth: '100%' },
        '& code': {
          fontFamily: '{fonts.mono}',
          fontSize: '0.9em',
          background: '{colors.subtle}',
          borderRadius: '4px',
          padding: '0 0.25em',
        },
        '& pre': { background: '{colors.subtle}', padding: '0.75em 1em', borderRadius: '6px', overflowX: 'auto' },
        '& th, & td': { borderBottom: '1px solid {colors.border}', padding: '0.4em 0.75em', textAlign: 'start' },
      }}
    >
      <SafeHtml html={toHtml(content.text)} />
    </chakra.main>
  )
}

function toHtml(text: string): string {
  return marked.parse(text, { async: false, gfm: true })
}
