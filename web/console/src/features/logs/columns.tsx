import { chakra } from '@chakra-ui/react'
import { LogType } from '@tollgate/contracts/enums'
import type { Log } from '@tollgate/contracts/resources/logs'
import { accountText } from '@tollgate/domain/display/account-text'
import { FIRST_TOKEN_MS, toneOf, USE_TIME_SECONDS } from '@tollgate/domain/display/thresholds'
import { durationText, timeText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import { Waves } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { CountText, CutText, TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { useVendorMessage, type VendorMessage } from '../../ui/display/vendor-message.ts'
import { detailsText, dollarsText } from './details.ts'
import { askedModel, shownModel, refusalKey, refusalValues } from '../../ui/display/refusal-view.ts'
import { hasFailed, otherOf } from '../../ui/display/log-other.ts'
import { firstTokenOf, isRequest, mappedModel, retryText, tokenNameOf, tokenParts, typeOf, durationOf } from './row-view.ts'
import { UserName } from './user-popover.tsx'

type Context = {
  readonly t: TFunction<['logs', 'display', 'refusals']>
  readonly isAdmin: boolean
  readonly language: string
  readonly asVendors: VendorMessage['mark']
}

/** The log's columns; admins see channel, user and retry besides. */
export function logColumns({ t, isAdmin, language, asVendors }: Context): readonly Column<Log>[] {
  const extra = (column: Column<Log>): readonly Column<Log>[] => (isAdmin ? [column] : [])
  return [
    {
      id: 'time',
      header: t('column.time'),
      cell: (log) => <TimeText time={log.created_at} absent="–" />,
      text: (log) => timeText(log.created_at),
      isFixed: true,
      card: 'line',
    },
    ...extra({ id: 'channel', header: t('column.channel'), cell: (log) => <ChannelOf log={log} />, text: (log) => log.channel }),
    ...extra({ id: 'user', header: t('column.user'), cell: (log) => <UserName log={log} />, text: (log) => log.username, card: 'line' }),
    {
      id: 'token',
      header: t('column.token'),
      cell: (log) => <TokenAndGroup log={log} />,
      text: (log) => tokenNameOf(log, t),
      card: 'line',
      isAbsent: (log) => tokenNameOf(log, t) === '' && log.group === '',
    },
    {
      id: 'type',
      header: t('column.type'),
      cell: (log) => <Type log={log} />,
      text: (log) => t(`display:log-type.${typeOf(log).text}`),
      card: 'status',
    },
    { id: 'model', header: t('column.model'), cell: (log) => <Model log={log} />, text: (log) => askedModel(log), card: 'title' },
    {
      id: 'duration',
      header: t('column.duration'),
      cell: (log) => <Duration log={log} />,
      text: (log) => log.use_time,
      card: 'line',
      isAbsent: (log) => !isRequest(log),
    },
    {
      id: 'tokens',
      header: t('column.tokens'),
      cell: (log) => <Tokens log={log} />,
      text: (log) => `${log.prompt_tokens} / ${log.completion_tokens}`,
      align: 'end',
    },
    {
      id: 'quota',
      header: t('column.quota'),
      cell: (log) => (hasCost(log) ? <QuotaText quota={log.quota} kind="charge" /> : null),
      text: (log) => log.quota,
      align: 'end',
      card: 'line',
      isAbsent: (log) => !hasCost(log),
    },
    ...extra({ id: 'retry', header: t('column.retry'), cell: (log) => <Retry log={log} />, text: (log) => retryText(log) ?? '' }),
    {
      id: 'content',
      header: t('column.content'),
      cell: (log) => <Details log={log} />,
      text: (log) => {
        const { dollars, text } = detailsOf(log, { t, language, asVendors })
        return dollars ?? text
      },
      isWrapped: true,
      // On a phone, why a request failed; its price stands beside its cost.
      card: 'line',
      isAbsent: (log) => !hasFailed(log),
    },
    {
      id: 'request',
      header: t('column.request'),
      cell: (log) => (log.request_id === '' ? null : <CopyId text={log.request_id} />),
      text: (log) => log.request_id,
      isOptional: true,
    },
  ]
}

/** Failed and refused requests cost nothing: a zero there reads like a price. */
const hasCost = (log: Log): boolean => log.quota !== 0 || (isRequest(log) && !hasFailed(log))

function ChannelOf({ log }: { log: Log }): ReactNode {
  if (log.channel === 0) return null
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1.5">
      <CopyId text={String(log.channel)} shown={`#${log.channel}`} />
      {log.channel_name === '' ? null : <CutText text={log.channel_name} width="4rem" />}
    </chakra.span>
  )
}

/** The group stands below the token that chose it: one column less to read past. */
function TokenAndGroup({ log }: { log: Log }): ReactNode {
  const { t } = useTranslation('logs')
  const name = tokenNameOf(log, t)
  return (
    <chakra.span display="flex" flexDirection="column" lineHeight="1.3" py="0.5">
      {name === '' ? null : <CutText text={name} width="6.5rem" />}
      {log.group === '' ? null : (
        <chakra.span textStyle="2xs" color="text.muted">
          <CutText text={log.group} width="6.5rem" />
        </chakra.span>
      )}
    </chakra.span>
  )
}

type Reader = { readonly t: TFunction<['logs', 'refusals']>; readonly language: string; readonly asVendors: VendorMessage['mark'] }

/** The details of an entry, and the price of a request in dollars where it has one. */
function detailsOf(log: Log, { t, language, asVendors }: Reader): { readonly text: string; readonly dollars: string | undefined } {
  return log.type === LogType.refused
    ? { text: t(`refusals:title.${refusalKey(otherOf(log).reason)}`, refusalValues(log, language)), dollars: undefined }
    : { text: detailsText(log, t, language, asVendors), dollars: dollarsText(log, t, language) }
}

/** The price of a request in dollars; its ratios on hover, and the row opens the calculation. */
function Details({ log }: { log: Log }): ReactNode {
  const { t, i18n } = useTranslation(['logs', 'refusals'])
  const vendor = useVendorMessage()
  const { text, dollars } = detailsOf(log, { t, language: i18n.language, asVendors: vendor.mark })
  if (text === '') return null
  return (
    <chakra.span
      display="block"
      minW="5.5rem"
      maxW="26rem"
      textStyle="xs"
      lineHeight="1.35"
      lineClamp={2}
      overflowWrap="anywhere"
      data-hint={dollars === undefined ? text : `${dollars}\n${text}`}
    >
      {dollars ?? text}
    </chakra.span>
  )
}

function Type({ log }: { log: Log }): ReactNode {
  const { t } = useTranslation('display')
  const { tone, text } = typeOf(log)
  return <ToneTag tone={tone}>{t(`log-type.${text}`)}</ToneTag>
}

function Model({ log }: { log: Log }): ReactNode {
  const { t, i18n } = useTranslation(['logs', 'display'])
  const mapped = mappedModel(log)
  // On a phone this is the card's title: an entry without a model still needs one.
  if (!isRequest(log))
    return (
      <chakra.span hideFrom="sm">
        {log.content === '' ? t(`display:log-type.${typeOf(log).text}`) : <CutText text={accountText(log.content, i18n.language)} />}
      </chakra.span>
    )
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1.5" maxW="full" color="text.strong" fontWeight="medium">
      <CutText text={shownModel(log)} width="10rem" />
      {mapped === undefined ? null : (
        <chakra.span color="text.muted" fontWeight="normal" data-hint={t('mapped', { model: mapped })}>
          ↦
        </chakra.span>
      )}
    </chakra.span>
  )
}

function Duration({ log }: { log: Log }): ReactNode {
  const { t } = useTranslation('logs')
  if (!isRequest(log)) return null
  const first = firstTokenOf(log)
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1">
      <ToneTag tone={hasFailed(log) ? 'grey' : toneOf(USE_TIME_SECONDS, log.use_time)}>{durationOf(log)}</ToneTag>
      {first === undefined || hasFailed(log) || (log.use_time === 0 && !log.is_stream) ? null : (
        <ToneTag tone={toneOf(FIRST_TOKEN_MS, first)}>{durationText(first)}</ToneTag>
      )}
      {log.is_stream ? <Streamed label={t('stream')} /> : null}
    </chakra.span>
  )
}

/** A mark instead of a word: most rows have it. */
function Streamed({ label }: { label: string }): ReactNode {
  return (
    <chakra.span role="img" aria-label={label} data-hint={label} display="inline-flex" color="accent.fg">
      <Waves size={14} />
    </chakra.span>
  )
}

function Tokens({ log }: { log: Log }): ReactNode {
  const { t } = useTranslation('logs')
  if (!isRequest(log) || log.type === LogType.refused) return null
  const parts = tokenParts(log).map(({ text, count }) => t(text, { count }))
  return (
    <chakra.span
      {...(parts.length === 0 ? {} : { 'data-hint': parts.join('\n'), textDecoration: 'underline dotted', textUnderlineOffset: '3px' })}
    >
      <CountText count={log.prompt_tokens} />
      <chakra.span color="text.muted">{' / '}</chakra.span>
      <CountText count={log.completion_tokens} />
    </chakra.span>
  )
}

function Retry({ log }: { log: Log }): ReactNode {
  const text = retryText(log)
  if (text === undefined) return null
  return <ToneTag tone="orange">{text}</ToneTag>
}
