import { Alert, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { timeText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { priceChanges } from './price-tools-api.ts'

const GROUP_PRICES = ['GroupRatio', 'GroupGroupRatio', 'GroupModelRatio'] as const

/** Which ratios of groups change at a time that is set already; nothing where none does. */
export function ComingGroups(): ReactNode {
  const { t } = useTranslation(['price-tools', 'options'])
  const { data: changes = [] } = useQuery(priceChanges)
  const lines = changes.flatMap(({ id, state, at, patch }) =>
    state !== 'waiting'
      ? []
      : GROUP_PRICES.flatMap((option) =>
          Object.entries(patch[option] ?? {}).map(([group, value]) => ({
            key: `${id} ${option} ${group}`,
            time: timeText(at),
            option: t(`options:${option}.label`),
            group,
            value: value === null ? t('schedule.removed') : JSON.stringify(value),
          })),
        ),
  )
  if (lines.length === 0) return null
  return (
    <Alert.Root status="info">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{t('schedule.coming-groups')}</Alert.Title>
        {lines.map(({ key, ...line }) => (
          <Text key={key} textStyle="sm" overflowWrap="anywhere">
            {t('schedule.coming-group', line)}
          </Text>
        ))}
      </Alert.Content>
    </Alert.Root>
  )
}
