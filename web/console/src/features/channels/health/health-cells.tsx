import { chakra } from '@chakra-ui/react'
import type { Channel, ChannelHealth } from '@tollgate/contracts/resources/channels'
import { exactQuotaText } from '@tollgate/domain/display/quota-text'
import { toneOfResponseTime } from '@tollgate/domain/display/thresholds'
import { durationText, timeText } from '@tollgate/domain/display/time-text'
import type { Tone } from '@tollgate/domain/display/tone'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dollarText } from '../../../lib/dollar-text.ts'
import { QuotaText, useQuotaStyle } from '../../../ui/display/quota-text.tsx'
import { PALETTE_OF_TONE } from '../../../ui/display/tone-palette.ts'
import { ToneTag } from '../../../ui/display/tone-tag.tsx'
import { barsOf, marginOf, successText, textOfBreaker, toneOfSuccess, worstBreaker } from './health.ts'
import { useVendorMessage } from '../../../ui/display/vendor-message.ts'

const SIZE = { width: 60, height: 18 } as const
const BAR = 4

/** How a channel did in the last hour: a bar per five minutes, the share of successes, and the 95th percentile or what its breaker says. */
export function HealthCell({ health }: { readonly health: ChannelHealth | undefined }): ReactNode {
  const { t } = useTranslation('channels')
  const hint = useHealthHint(health)
  if (health === undefined) return <Nothing />
  const breaker = worstBreaker(health.breakers)
  const isQuiet = health.ok + health.failed === 0
  if (isQuiet && breaker === undefined && health.is_failing)
    return (
      <ToneTag tone="red" hint={hint}>
        {t('health.still-failing')}
      </ToneTag>
    )
  if (isQuiet && breaker === undefined) return <Nothing hint={hint} />
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="2" whiteSpace="nowrap" data-hint={hint}>
      {isQuiet ? null : <Bars health={health} label={t('health.bars')} />}
      {isQuiet ? null : (
        <chakra.span color={colourOf(toneOfSuccess(health))} minW="3.2em" textAlign="end">
          {successText(health)}
        </chakra.span>
      )}
      {breaker === undefined ? (
        <chakra.span color="text.muted" minW="3.6em">
          {health.p95_ms === undefined ? '' : durationText(health.p95_ms)}
        </chakra.span>
      ) : (
        <ToneTag tone={breaker.state === 'open' ? 'red' : 'yellow'}>{t(`breaker.${textOfBreaker(breaker)}`)}</ToneTag>
      )}
    </chakra.span>
  )
}

/** Quiet where everything is well. */
const colourOf = (tone: Tone): string => (tone === 'green' ? 'text.strong' : `${PALETTE_OF_TONE[tone]}.fg`)

function Nothing({ hint }: { readonly hint?: string }): ReactNode {
  return (
    <chakra.span color="text.muted" {...(hint === undefined ? {} : { 'data-hint': hint })}>
      –
    </chakra.span>
  )
}

function Bars({ health, label }: { readonly health: ChannelHealth; readonly label: string }): ReactNode {
  return (
    <chakra.svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      width={`${SIZE.width}px`}
      height={`${SIZE.height}px`}
      flexShrink="0"
    >
      {barsOf(health.periods, SIZE).map(({ x, height, failedHeight }) => (
        <g key={x}>
          <chakra.rect fill="border" x={x} y={SIZE.height - 1} width={BAR} height={1} />
          <chakra.rect fill="success.fg" opacity="0.7" x={x} y={SIZE.height - height} width={BAR} height={height - failedHeight} />
          <chakra.rect fill="danger.fg" x={x} y={SIZE.height - failedHeight} width={BAR} height={failedHeight} />
        </g>
      ))}
    </chakra.svg>
  )
}

/** The numbers behind the bars, line by line. */
function useHealthHint(health: ChannelHealth | undefined): string {
  const { t } = useTranslation('channels')
  const vendor = useVendorMessage()
  if (health === undefined) return ''
  const { ok, failed, p95_ms, last_error, breakers, failing_since } = health
  const calls = ok + failed
  return [
    calls === 0 ? t('health.no-calls') : `${t('health.calls', { count: calls })}, ${t('health.failed', { count: failed })}`,
    ...(p95_ms === undefined ? [] : [t('health.p95', { time: durationText(p95_ms) })]),
    ...(failing_since === undefined ? [] : [t('health.failing-since', { time: timeText(failing_since) })]),
    ...breakers
      .slice(0, 4)
      .map((breaker) => `${modelOf(breaker.model, t('health.all-models'))}: ${t(`breaker-help.${textOfBreaker(breaker)}`)}`),
    ...(last_error === undefined
      ? []
      : [`${t('health.last-error')} ${timeText(last_error.time)}: ${vendor.ofAnswer(answerText(last_error), last_error.status)}`]),
  ].join('\n')
}

const modelOf = (model: string, all: string): string => (model === '*' ? all : model)
/** The status of an answer with its text; without one the text alone. */
export const answerText = ({ status, message }: { readonly status: number; readonly message: string }): string =>
  status === 0 ? message : `${status} ${message}`

/** The latest test: its time, or in red that it failed, with the reason on hover. */
export function TestCell({ channel }: { readonly channel: Channel }): ReactNode {
  const { t } = useTranslation('channels')
  const vendor = useVendorMessage()
  const tested = channel.test_time > 0 ? `${t('column.tested')} ${timeText(channel.test_time)}` : undefined
  if (channel.test_error !== '')
    return (
      <ToneTag tone="red" hint={`${vendor.ofTest(channel.test_error)}\n${tested ?? ''}`}>
        {failedText(channel.test_error, t('test.failed-short'))}
      </ToneTag>
    )
  return (
    <ToneTag tone={toneOfResponseTime(channel.response_time)} hint={tested}>
      {channel.response_time <= 0 ? t('not-tested') : durationText(channel.response_time)}
    </ToneTag>
  )
}

/** Upstream's status where there was an answer. */
function failedText(message: string, failed: string): string {
  const status = /^status code (\d{3})\b/.exec(message)?.[1]
  return status === undefined ? failed : `${failed} ${status}`
}

/** Charges of users for a channel's answers today, and the rest after upstream's price where it is known. */
export function TodayCell({ health }: { readonly health: ChannelHealth | undefined }): ReactNode {
  const { t } = useTranslation('channels')
  const style = useQuotaStyle()
  if (health === undefined) return <Nothing />
  const margin = marginOf(health)
  const cost = health.cost_today
  return (
    <chakra.span display="inline-flex" alignItems="baseline" gap="1.5" whiteSpace="nowrap">
      <QuotaText quota={health.spent_today} />
      {margin === undefined || cost === undefined ? null : (
        <chakra.span
          textStyle="xs"
          color={margin < 0 ? 'danger.fg' : 'text.muted'}
          data-hint={t('health.margin-hint', {
            cost: exactQuotaText(cost, style),
            margin: exactQuotaText(health.spent_today - cost, style),
          })}
        >
          {`${margin > 0 ? '+' : ''}${margin}%`}
        </chakra.span>
      )}
    </chakra.span>
  )
}

/** Recent cost of a million useful tokens of the channel; grey where there were too few requests. */
export function CostCell({ health }: { readonly health: ChannelHealth | undefined }): ReactNode {
  const { t } = useTranslation('channels')
  const cost = health?.effective_cost
  if (cost === undefined) return <Nothing hint={t('health.no-cost')} />
  const { usd_per_million, requests, is_measured, at, hours } = cost
  return (
    <chakra.span
      whiteSpace="nowrap"
      fontVariantNumeric="tabular-nums"
      {...(is_measured ? {} : { color: 'text.muted' })}
      data-hint={t('health.cost-hint', { count: requests, hours, time: timeText(at) })}
    >
      {is_measured ? dollarText(Number(usd_per_million.toPrecision(3))) : t('health.few')}
    </chakra.span>
  )
}
