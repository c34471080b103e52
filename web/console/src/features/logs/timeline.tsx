import { chakra } from '@chakra-ui/react'
import type { Attempt, Explanation } from '@tollgate/contracts/relay/usage-event'
import { ATTEMPT_LOOKS } from '@tollgate/domain/display/status-tone'
import { durationText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PALETTE_OF_TONE } from '../../ui/display/tone-palette.ts'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { toBars, type Bar } from './explanation-view.ts'
import { useVendorMessage } from '../../ui/display/vendor-message.ts'

/** The eight steps and every attempt as a waterfall on one time axis. */
export function Timeline({ explanation }: { explanation: Explanation }): ReactNode {
  const { total_ms, bars } = toBars(explanation)
  return (
    <chakra.div borderWidth="1px" borderColor="border" borderRadius="control" overflow="hidden">
      <chakra.ol listStyleType="none">
        {bars.map((bar) => (
          <Line key={bar.key} bar={bar} />
        ))}
      </chakra.ol>
      <chakra.div
        display="grid"
        gridTemplateColumns={COLUMNS}
        gap="3"
        px="3"
        py="1.5"
        bg="subtle"
        textStyle="2xs"
        color="text.muted"
        borderTopWidth="1px"
        borderColor="border"
      >
        <span />
        <chakra.span display="flex" justifyContent="space-between" fontVariantNumeric="tabular-nums">
          {[0, 0.5, 1].map((part) => (
            <span key={part}>{durationText(total_ms * part)}</span>
          ))}
        </chakra.span>
        <span />
      </chakra.div>
    </chakra.div>
  )
}

const COLUMNS = { base: '5.5rem 1fr 4rem', sm: '8rem 1fr 5rem' } as const
const percent = (part: number): string => `${(part * 100).toFixed(2)}%`

function Line({ bar }: { bar: Bar }): ReactNode {
  const { t } = useTranslation('logs')
  const isAttempt = bar.attempt !== undefined
  const name = typeof bar.name === 'string' ? t(`step.${bar.name}`) : t('explain.attempt', { number: bar.name.attempt })
  const hue = PALETTE_OF_TONE[bar.tone]
  return (
    <chakra.li
      px="3"
      py="1"
      borderBottomWidth="1px"
      borderColor="border"
      _last={{ borderBottomWidth: '0' }}
      {...(isAttempt ? { bg: 'subtle' } : {})}
    >
      <chakra.div display="grid" gridTemplateColumns={COLUMNS} gap="3" alignItems="center" minH="6">
        <chakra.span
          color={isAttempt ? 'text' : 'text.strong'}
          {...(isAttempt ? { ps: '3', textStyle: 'xs' } : { textStyle: 'sm' })}
          whiteSpace="nowrap"
        >
          {name}
        </chakra.span>
        <chakra.span position="relative" height="3" display="block" aria-hidden>
          <chakra.span
            position="absolute"
            top="0"
            bottom="0"
            minW="2px"
            borderRadius="xs"
            bg={isAttempt ? `${hue}.solid` : `${hue}.border`}
            style={{ insetInlineStart: percent(bar.from), width: percent(bar.width) }}
          />
          {bar.mark === undefined ? null : (
            <chakra.span
              position="absolute"
              top="-2px"
              bottom="-2px"
              width="2px"
              bg="text.strong"
              style={{ insetInlineStart: percent(bar.mark) }}
            />
          )}
        </chakra.span>
        <chakra.span
          textAlign="end"
          textStyle="xs"
          color="text.muted"
          fontVariantNumeric="tabular-nums"
          data-hint={`+${durationText(bar.started_ms)}`}
        >
          {durationText(bar.duration_ms)}
        </chakra.span>
      </chakra.div>
      {bar.attempt === undefined ? null : <AttemptFacts attempt={bar.attempt} />}
    </chakra.li>
  )
}

/** The upstream's answer with its status: an error of its own is never called a refusal. */
function outcomeText({ outcome, status }: Attempt, t: TFunction<'logs'>): string {
  if (outcome === 'refused' && status !== undefined) return t(status >= 500 ? 'upstream.failed' : 'upstream.rejected', { status })
  return status === undefined ? t(`attempt.${outcome}`) : `${t(`attempt.${outcome}`)} ${status}`
}

const said = ({ code, message }: Attempt): string => [code, message].filter((part) => part !== undefined && part !== '').join(': ')

function AttemptFacts({ attempt }: { attempt: NonNullable<Bar['attempt']> }): ReactNode {
  const { t } = useTranslation('logs')
  const vendor = useVendorMessage()
  return (
    <chakra.div
      ps="3"
      pb="1"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="2.5"
      rowGap="1"
      textStyle="xs"
      color="text.muted"
    >
      <ToneTag tone={ATTEMPT_LOOKS[attempt.outcome].tone}>{outcomeText(attempt, t)}</ToneTag>
      {attempt.channel_id === 0 ? null : <chakra.span color="text">{`#${attempt.channel_id} ${attempt.channel_name}`}</chakra.span>}
      {attempt.group === undefined ? null : <chakra.span>{t('explain.in-group', { group: attempt.group })}</chakra.span>}
      {attempt.upstream_model === '' ? null : <chakra.span fontFamily="mono">{attempt.upstream_model}</chakra.span>}
      <span>
        {attempt.first_byte_ms === undefined
          ? t('explain.first-byte-none')
          : t('explain.first-byte', { time: durationText(Math.max(0, attempt.first_byte_ms - attempt.started_ms)) })}
      </span>
      {attempt.message === undefined || attempt.message === '' ? null : (
        <chakra.span flexBasis="100%" color="danger.fg" overflowWrap="anywhere">
          {vendor.ofAnswer(said(attempt), attempt.status)}
        </chakra.span>
      )}
    </chakra.div>
  )
}
