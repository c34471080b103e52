import { Box, Button, Flex, Tabs, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FirstRun } from '@tollgate/contracts/resources/setup'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSiteStatus } from '../../lib/status.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { tokenById } from './api.ts'
import { clientAddress, snippetsFor } from './snippets.ts'

/** The first request, ready to paste; the line below turns green by itself when it arrives. */
export function RequestStep({ run }: { readonly run: FirstRun }): ReactNode {
  const { t } = useTranslation('home')
  const status = useSiteStatus()
  const { data: token } = useQuery({ ...tokenById(run.token?.id ?? 0), enabled: run.token !== null })
  const model = run.priced_model ?? run.channel?.model ?? ''
  const snippets = snippetsFor({
    address: clientAddress(status?.server_address, window.location.origin),
    key: `sk-${token?.key ?? '…'}`,
    model,
  })
  return (
    <Flex direction="column" gap="4">
      <Text textStyle="sm">{t('request-help')}</Text>
      <Tabs.Root defaultValue="curl" lazyMount>
        <Tabs.List overflowX="auto" overflowY="hidden">
          {snippets.map(({ id, name }) => (
            <Tabs.Trigger key={id} value={id} flexShrink="0">
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {snippets.map(({ id, name, code }) => (
          <Tabs.Content key={id} value={id} pt="3">
            <CodeBlock code={code} label={name} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
      <Arrival request={run.request} />
    </Flex>
  )
}

function Arrival({ request }: { readonly request: FirstRun['request'] }): ReactNode {
  const { t } = useTranslation('home')
  const isHere = request !== null
  return (
    <Flex
      role="status"
      align="center"
      gap="3"
      px="3"
      py="2.5"
      minH="12"
      borderWidth="1px"
      borderRadius="control"
      textStyle="sm"
      colorPalette={isHere ? 'success' : 'neutral'}
      bg={isHere ? 'colorPalette.subtle' : 'transparent'}
      borderColor="colorPalette.border"
      color={isHere ? 'colorPalette.fg' : 'text.muted'}
    >
      {isHere ? <CircleCheck size={18} aria-hidden /> : <Box boxSize="2" mx="1" borderRadius="full" bg="accent.solid" animation="pulse" />}
      <Text flex="1" fontWeight={isHere ? 'medium' : 'normal'}>
        {isHere ? t('request-arrived', { model: request.model_name }) : t('request-waiting')}
      </Text>
      {isHere ? (
        <Button asChild size="sm" variant="outline">
          <Link to="/log">{t('see-why')}</Link>
        </Button>
      ) : null}
    </Flex>
  )
}
