import { Button, chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CHANNEL_STATES, type ChannelState } from '@tollgate/contracts/channels/channel-states'
import type { ChannelAttention } from '@tollgate/contracts/resources/channels'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { channelAttention } from '../api.ts'

type StripProps = { readonly state: string | undefined; readonly onState: (state: ChannelState | undefined) => void }

const COUNTS = {
  attention: 'total',
  failing: 'failing',
  'auto-disabled': 'auto_disabled',
  'keys-out': 'keys_out',
  'test-failed': 'test_failed',
  'low-balance': 'low_balance',
  'keys-expiring': 'keys_expiring',
  'keys-disabled': 'keys_disabled',
  'models-differ': 'models_differ',
} as const satisfies Record<ChannelState, keyof ChannelAttention>

/** The sum, and what is in the filter only: an operator's own decision, and news without haste. */
const CALM: ReadonlySet<ChannelState> = new Set(['attention', 'keys-disabled', 'models-differ'])

/** Reasons why channels need an operator, over the list: each filters the list. Nothing is shown while all is well. */
export function AttentionStrip({ state, onState }: StripProps): ReactNode {
  const { t } = useTranslation('channels')
  const { data } = useQuery(channelAttention)
  if (data === undefined || data.total === 0) return null
  const reasons = CHANNEL_STATES.filter((one) => !CALM.has(one) && data[COUNTS[one]] > 0)
  return (
    <chakra.section
      aria-label={t('attention.title')}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="2"
      rowGap="1.5"
      px="3"
      py="2"
      borderWidth="1px"
      borderColor="warning.border"
      bg="warning.subtle"
      borderRadius="panel"
    >
      <chakra.span display="inline-flex" alignItems="center" gap="2" color="warning.fg" fontWeight="medium" me="1">
        <CircleAlert size={16} aria-hidden />
        {t('attention.total', { count: data.total })}
      </chakra.span>
      {reasons.map((one) => (
        <Button
          key={one}
          size="xs"
          variant={state === one ? 'solid' : 'outline'}
          aria-pressed={state === one}
          onClick={() => onState(state === one ? undefined : one)}
        >
          {`${t(`state.${one}`)} ${data[COUNTS[one]]}`}
        </Button>
      ))}
      {reasons.length < 2 ? null : (
        <Button
          size="xs"
          variant="ghost"
          aria-pressed={state === 'attention'}
          onClick={() => onState(state === 'attention' ? undefined : 'attention')}
        >
          {t(state === 'attention' ? 'attention.show-all' : 'attention.show')}
        </Button>
      )}
    </chakra.section>
  )
}
