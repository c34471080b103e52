import { Flex } from '@chakra-ui/react'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBrand } from '../../lib/status.ts'
import { useFooterHtml } from './use-footer-html.ts'

const SafeHtml = lazy(async () => ({ default: (await import('../../ui/display/safe-html.tsx')).SafeHtml }))

/** The operator's own footer, else one line of credits. */
export function Footer(): ReactNode {
  const { t } = useTranslation('shell')
  const { name } = useBrand()
  const html = useFooterHtml()
  return (
    <Flex as="footer" align="center" justify="center" minH="11" px="4" py="2" textStyle="xs" color="text.muted" textAlign="center">
      {html === '' ? (
        t('credits', { name })
      ) : (
        <Suspense fallback={null}>
          <SafeHtml html={html} />
        </Suspense>
      )}
    </Flex>
  )
}
