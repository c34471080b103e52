import { Alert, chakra, Stack, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { differencesOf, type SaveOutcome, type Setting, type SettingChange } from './setting.ts'

const MANY = 200

/** Changes of a save, line by line. */
export function ChangesList({
  settings,
  changes,
}: {
  readonly settings: readonly Setting[]
  readonly changes: readonly SettingChange[]
}): ReactNode {
  return (
    <Stack as="ul" listStyleType="none" gap="3" maxH="50vh" overflowY="auto" tabIndex={0}>
      {changes.map(({ key, value }) => {
        const setting = settings.find((one) => one.key === key)
        return (
          <li key={key}>
            <Text fontWeight="medium" color="text.strong">
              {setting?.label ?? key}
            </Text>
            {setting?.isSecret === true ? (
              <SecretChange isSet={setting.isSet} isRemoved={value === ''} />
            ) : (
              <Lines before={setting?.value ?? ''} after={value} />
            )}
          </li>
        )
      })}
    </Stack>
  )
}

/** The entries of two values that differ. */
export function Lines({ before, after }: { readonly before: string; readonly after: string }): ReactNode {
  const { t } = useTranslation('display')
  const lines = differencesOf(before, after)
  return (
    <>
      {lines.slice(0, MANY).map((line) => (
        <Line key={line.name} {...line} />
      ))}
      {lines.length > MANY ? <Text color="text.muted">{t('setting.more', { count: lines.length - MANY })}</Text> : null}
    </>
  )
}

function SecretChange({ isSet, isRemoved }: { readonly isSet: boolean; readonly isRemoved: boolean }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <Line
      name=""
      before={t(isSet ? 'form.secret-set' : 'form.secret-unset')}
      after={t(isRemoved ? 'setting.removed' : 'setting.replaced')}
    />
  )
}

function Line({ name, before, after }: { readonly name: string; readonly before: string; readonly after: string }): ReactNode {
  const { t } = useTranslation('display')
  return (
    <Text fontFamily="mono" textStyle="xs" overflowWrap="anywhere" whiteSpace="pre-wrap">
      {name === '' ? '' : `${name}: `}
      <chakra.del color="danger.fg">{before === '' ? t('setting.empty') : before}</chakra.del>
      {' → '}
      <chakra.ins color="success.fg" textDecoration="none">
        {after === '' ? t('setting.empty') : after}
      </chakra.ins>
    </Text>
  )
}

/** Another administrator saved the same settings meanwhile: what is stored now; the own values stay in the fields. */
export function Conflicts({
  settings,
  conflicts,
}: {
  readonly settings: readonly Setting[]
  readonly conflicts: SaveOutcome['conflicts']
}): ReactNode {
  const { t } = useTranslation('display')
  if (conflicts.length === 0) return null
  return (
    <Alert.Root status="warning" role="alert">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{t('setting.conflict')}</Alert.Title>
        <Alert.Description>
          {t('setting.conflict-help')}
          {conflicts.map(({ key, changed }) => {
            const setting = settings.find((one) => one.key === key)
            return (
              <Text key={key} mt="1">
                <b>{setting?.label}</b> · {changed}
              </Text>
            )
          })}
        </Alert.Description>
      </Alert.Content>
    </Alert.Root>
  )
}
