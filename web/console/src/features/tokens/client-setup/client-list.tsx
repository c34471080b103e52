import { Box, chakra, Flex, NativeSelect, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ALL_CLIENTS } from '@tollgate/domain/clients/all-clients'
import { CLIENT_KINDS, type Client, type ClientKind } from '@tollgate/domain/clients/client'
import { useNarrow } from '../../../ui/page/use-narrow.ts'

type ListProps = { readonly chosen: Client; readonly onChoose: (id: string) => void }

const ofKind = (kind: ClientKind): readonly Client[] => ALL_CLIENTS.filter((client) => client.kind === kind)

/** The clients by kind: links beside the page, on a phone one choice above it. */
export function ClientList(props: ListProps): ReactNode {
  return useNarrow() ? <ClientChoice {...props} /> : <ClientLinks {...props} />
}

function ClientLinks({ chosen }: ListProps): ReactNode {
  const { t } = useTranslation('tokens')
  return (
    <Box as="nav" aria-label={t('setup.clients')} w="11rem" flexShrink="0" position="sticky" top="16" alignSelf="flex-start">
      {CLIENT_KINDS.map((kind) => (
        <Box as="section" key={kind} mb="3" aria-label={t(`setup.kind.${kind}`)}>
          <Text px="2.5" mb="0.5" textStyle="xs" fontWeight="medium" color="text.muted">
            {t(`setup.kind.${kind}`)}
          </Text>
          <Flex direction="column">
            {ofKind(kind).map(({ id, name }) => (
              <chakra.span
                key={id}
                asChild
                display="flex"
                alignItems="center"
                h="7"
                px="2.5"
                borderRadius="control"
                textStyle="sm"
                color="text"
                focusVisibleRing="inside"
                _hover={{ bg: 'subtle', color: 'text.strong' }}
                {...(id === chosen.id ? { bg: 'accent.subtle', color: 'accent.fg', fontWeight: 'medium' } : {})}
              >
                <Link
                  from="/client-setup"
                  to="/client-setup"
                  search={(before) => ({ ...before, client: id })}
                  replace
                  {...(id === chosen.id ? { 'aria-current': 'true' } : {})}
                >
                  {name}
                </Link>
              </chakra.span>
            ))}
          </Flex>
        </Box>
      ))}
    </Box>
  )
}

function ClientChoice({ chosen, onChoose }: ListProps): ReactNode {
  const { t } = useTranslation('tokens')
  return (
    <NativeSelect.Root w="full">
      <NativeSelect.Field aria-label={t('setup.clients')} value={chosen.id} onChange={({ target }) => onChoose(target.value)}>
        {CLIENT_KINDS.map((kind) => (
          <optgroup key={kind} label={t(`setup.kind.${kind}`)}>
            {ofKind(kind).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  )
}
