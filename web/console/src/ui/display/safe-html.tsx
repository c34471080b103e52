import { chakra } from '@chakra-ui/react'
import DOMPurify from 'dompurify'
import type { ReactNode } from 'react'

/** HTML written by the operator, without anything that runs; links open in a new tab without a way back to us. */
export function SafeHtml({ html }: { readonly html: string }): ReactNode {
  return (
    <chakra.div
      css={{ '& a': { color: '{colors.accent.fg}', textDecoration: 'underline' } }}
      dangerouslySetInnerHTML={{ __html: toSafeHtml(html) }}
    />
  )
}

export function toSafeHtml(html: string): string {
  const body = new DOMParser().parseFromString(
    DOMPurify.sanitize(html, { USE_PROFILES: { html: true }, FORBID_TAGS: ['style', 'form', 'input', 'button'] }),
    'text/html',
  ).body
  for (const link of body.querySelectorAll('a[href]')) {
    link.setAttribute('rel', 'noopener noreferrer')
    link.setAttribute('target', '_blank')
  }
  return body.innerHTML
}
