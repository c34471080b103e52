import { chakra, Heading, Link as ChakraLink, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { clientAddress } from '../../lib/client-address.ts'
import { readOperatorContent } from '../../lib/operator-content.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useBrand, useSiteStatus } from '../../lib/status.ts'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { OperatorContent } from '../../ui/page/operator-content.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { aboutContent } from './api.ts'

/** `/about`: what the operator wrote, or our own page. */
export function AboutPage(): ReactNode {
  const { t } = useTranslation('about')
  usePageTitle(t('title'))
  const { data } = useQuery(aboutContent)
  const content = readOperatorContent(data ?? '')
  return content.kind === 'none' ? <Introduction /> : <OperatorContent content={content} title={t('title')} />
}

/** The about page of a site whose operator wrote none. */
function Introduction(): ReactNode {
  const { t } = useTranslation('about')
  const { name, logo } = useBrand()
  const status = useSiteStatus()
  const address = `${clientAddress(status?.server_address, window.location.origin)}/v1`
  return (
    <chakra.main id="content" flex="1" w="full" maxW="2xl" mx="auto" px={{ base: '4', sm: '6' }} py={{ base: '8', sm: '14' }}>
      <Stack gap="6">
        <Stack gap="3">
          <chakra.img src={logo} alt="" boxSize="10" borderRadius="panel" objectFit="contain" />
          <Heading as="h1" textStyle="title" color="text.strong">
            {t('heading', { name })}
          </Heading>
          <Text color="text.muted" lineHeight="relaxed">
            {t('what')}
          </Text>
          <Text color="text.muted" lineHeight="relaxed">
            {t('how')}
          </Text>
        </Stack>
        <Panel title={t('facts')}>
          <FactsList>
            <Fact name={t('base-url')}>
              <CopyId text={address} />
            </Fact>
            {status === undefined ? null : <Fact name={t('version')}>{status.version}</Fact>}
            {status === undefined || status.docs_link === '' ? null : (
              <Fact name={t('docs')}>
                <ChakraLink href={status.docs_link} target="_blank" rel="noreferrer">
                  {status.docs_link}
                </ChakraLink>
              </Fact>
            )}
          </FactsList>
        </Panel>
      </Stack>
    </chakra.main>
  )
}
