import { Alert, Button, Flex, Grid, Skeleton, Text } from '@chakra-ui/react'
import { TokenStatus } from '@tollgate/contracts/enums'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { Plus, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SYSTEMS, type System } from '@tollgate/domain/clients/client'
import { may } from '../../../lib/rights.ts'
import { useUser } from '../../../lib/session.ts'
import { CopyId } from '../../../ui/display/copy-button.tsx'
import { LabelledField } from '../../../ui/form/labelled-field.tsx'
import { Select } from '../../../ui/form/select-field.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { statusOf } from '../token-display.ts'
import type { ClientSetupSearch } from './search.ts'
import type { SetupValues } from './use-setup-values.ts'

const SYSTEM_NAMES = { unix: 'macOS / Linux', windows: 'Windows' } as const

type Props = {
  readonly setup: SetupValues
  readonly system: System
  readonly onChange: (change: ClientSetupSearch) => void
  readonly onCreate: () => void
}

/** Choice of token, model and system for the set-up. */
export function ValuesPanel({ setup, system, onChange, onCreate }: Props): ReactNode {
  const { t } = useTranslation('tokens')
  const canCreate = may(useUser(), 'tokens.write')
  const { token, tokens, models, values, isLoading } = setup
  // As high as a select under its label, so that nothing moves when it comes.
  const place = isLoading ? <Skeleton h="9" mt="6" /> : null
  return (
    <Panel
      title={t('setup.values')}
      help={
        <>
          {t('setup.address')} <CopyId text={values.address} />
        </>
      }
      action={
        canCreate ? (
          <Button size="sm" variant={token === null ? 'solid' : 'outline'} onClick={onCreate}>
            <Plus aria-hidden />
            {t('setup.create')}
          </Button>
        ) : undefined
      }
    >
      <Grid templateColumns={{ base: '1fr', md: '1fr 1fr 11rem' }} gap="3">
        {token === null ? (
          place
        ) : (
          <LabelledField label={t('setup.token')}>
            <Select
              label={t('setup.token')}
              isWide
              value={String(token.id)}
              choices={tokens.map(({ id, name }) => ({ value: String(id), label: name }))}
              onChange={(id) => onChange({ token: Number(id) })}
            />
          </LabelledField>
        )}
        {models.length === 0 ? (
          place
        ) : (
          <LabelledField label={t('setup.model')}>
            <Select
              label={t('setup.model')}
              isWide
              value={values.model}
              choices={models.map((model) => ({ value: model, label: model }))}
              onChange={(model) => onChange({ model })}
            />
          </LabelledField>
        )}
        <LabelledField label={t('setup.system')}>
          <Select
            label={t('setup.system')}
            isWide
            value={system}
            choices={SYSTEMS.map((one) => ({ value: one, label: SYSTEM_NAMES[one] }))}
            onChange={(chosen) => onChange({ system: chosen })}
          />
        </LabelledField>
      </Grid>
      <Problems setup={setup} />
    </Panel>
  )
}

/** Reasons why the filled-in values do not work. */
function Problems({ setup: { token, hasKey, models, isLoading } }: { readonly setup: SetupValues }): ReactNode {
  const { t } = useTranslation('tokens')
  const unusable = useUnusable(token)
  if (isLoading) return null
  const problems = [
    token === null ? t('setup.no-token') : hasKey ? unusable : t('setup.no-key'),
    models.length === 0 ? t('setup.no-model') : undefined,
  ].filter((problem) => problem !== undefined)
  if (problems.length === 0) return null
  return (
    <Alert.Root status="warning" mt="3">
      <Alert.Indicator>
        <TriangleAlert />
      </Alert.Indicator>
      <Alert.Content>
        <Flex direction="column" gap="1">
          {problems.map((problem) => (
            <Text key={problem}>{problem}</Text>
          ))}
        </Flex>
      </Alert.Content>
    </Alert.Root>
  )
}

/** The state of a token whose requests are refused; undefined: it works. */
function useUnusable(token: Token | null): string | undefined {
  const { t } = useTranslation(['tokens', 'display'])
  if (token === null || token.status === TokenStatus.enabled) return undefined
  return t('setup.not-usable', { name: token.name, status: t(`display:token.${statusOf(token).text}`) })
}
