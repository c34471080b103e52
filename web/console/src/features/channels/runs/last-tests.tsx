import { chakra } from '@chakra-ui/react'
import type { ChannelTest } from '@tollgate/contracts/channels/channel-tests'
import { RESPONSE_TIME_MS, toneOf } from '@tollgate/domain/display/thresholds'
import { durationText, timeText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ToneTag } from '../../../ui/display/tone-tag.tsx'
import { useVendorMessage } from '../../../ui/display/vendor-message.ts'

/** The last test of each capability. */
export function LastTests({ tests }: { readonly tests: readonly ChannelTest[] }): ReactNode {
  const { t } = useTranslation('channel-runs')
  const vendor = useVendorMessage()
  if (tests.length === 0) return null
  return (
    <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="1">
      {tests.map(({ capability, ok, status, message, model, time_ms, at }) => (
        <chakra.span key={capability} display="inline-flex" alignItems="center" gap="1.5">
          <chakra.span color="text.muted">{t(`capabilities.${capability}`)}</chakra.span>
          <ToneTag
            tone={ok ? toneOf(RESPONSE_TIME_MS, time_ms) : 'red'}
            hint={[model, timeText(at), vendor.ofTest(message)].filter(Boolean).join('\n')}
          >
            {ok ? durationText(time_ms) : status === 0 ? t('failed') : t('failed-status', { status })}
          </ToneTag>
        </chakra.span>
      ))}
    </chakra.div>
  )
}
