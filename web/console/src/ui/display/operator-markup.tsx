import { chakra, type SystemStyleObject } from '@chakra-ui/react'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import type { ReactNode } from 'react'
import { SafeHtml } from './safe-html.tsx'

/** An operator's text, Markdown with HTML or HTML, made safe. Answers of models use `Markdown`, which takes no HTML. */
export function OperatorMarkup({ text, markup }: { readonly text: string; readonly markup: 'markdown' | 'html' }): ReactNode {
  return (
    <chakra.div textStyle="md" lineHeight="relaxed" overflowWrap="anywhere" css={CSS}>
      <SafeHtml html={markup === 'html' ? text : toHtml(text)} />
    </chakra.div>
  )
}

function toHtml(text: string): string {
  // The HTML in it is made safe with the rest.
  return micromark(text, { allowDangerousHtml: true, allowDangerousProtocol: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
}

const CSS: SystemStyleObject = {
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
}
