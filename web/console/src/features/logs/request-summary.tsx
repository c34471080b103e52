import { chakra } from '@chakra-ui/react'
import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import type { ClientDisconnect } from '@tollgate/contracts/relay/usage-event'
import { LogType, REFUNDED, TERMINAL_STATES } from '@tollgate/contracts/enums'
import { TERMINAL_LOOKS } from '@tollgate/domain/display/status-tone'
import { FIRST_TOKEN_MS, toneOf, USE_TIME_SECONDS } from '@tollgate/domain/display/thresholds'
import { durationText, secondsText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { formatJson } from '../../ui/form/json-text.ts'
import { CountText, TimeText } from '../../ui/display/number-text.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { PALETTE_OF_TONE } from '../../ui/display/tone-palette.ts'
import { StatusTag, ToneTag } from '../../ui/display/tone-tag.tsx'
import { askedModel } from '../../ui/display/refusal-view.ts'
import { hasFailed, otherOf } from '../../ui/display/log-other.ts'
import { firstTokenOf, isRequest, tokenNameOf, typeOf } from './row-view.ts'
import { Section } from './section.tsx'

type Props = { readonly explained: LogExplanation; readonly isAdmin: boolean }

const SECOND = 1_000

/** The head: what was asked and used, how it ended, what it cost, how long it took. */
export function RequestSummary({ explained, isAdmin }: Props): ReactNode {
  const { t } = useTranslation('logs')
  const { log, explanation } = explained
  const first = firstTokenOf(log)
  const last = explanation?.steps.at(-1)
  const totalMs = last === undefined ? log.use_time * SECOND : Math.max(...(explanation?.steps ?? []).map(({ ended_ms }) => ended_ms))
  return (
    <chakra.div display="flex" flexDirection="column" gap="3">
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap="2">
        <Models explained={explained} />
        <Outcome explained={explained} />
        <Failure explained={explained} />
      </chakra.div>
      <Fallback explained={explained} />
      {isRequest(log) && log.type !== LogType.refused ? (
        <StatRow>
          <StatCard label={t('explain.charge')}>
            <QuotaText quota={log.quota} kind="charge" />
          </StatCard>
          <StatCard label={t('explain.duration')}>
            <chakra.span {...(hasFailed(log) ? {} : { color: `${PALETTE_OF_TONE[toneOf(USE_TIME_SECONDS, totalMs / SECOND)]}.fg` })}>
              {last === undefined ? secondsText(log.use_time) : durationText(totalMs)}
            </chakra.span>
          </StatCard>
          <StatCard label={t('explain.first-token')}>
            {first === undefined ? (
              '–'
            ) : (
              <chakra.span color={`${PALETTE_OF_TONE[toneOf(FIRST_TOKEN_MS, first)]}.fg`}>{durationText(first)}</chakra.span>
            )}
          </StatCard>
          <StatCard label={t('explain.in-out')}>
            <CountText count={log.prompt_tokens} /> / <CountText count={log.completion_tokens} />
          </StatCard>
        </StatRow>
      ) : null}
      <Facts explained={explained} isAdmin={isAdmin} />
    </chakra.div>
  )
}

/** Why another model than the requested one answered. */
function Fallback({ explained: { log, explanation } }: { explained: LogExplanation }): ReactNode {
  const { t } = useTranslation('logs')
  const fallback = explanation?.fallback
  if (fallback === undefined) return null
  const { asked, by, passed } = fallback
  const isOther = asked !== log.model_name
  return (
    <Section title={t('fallback.title')} help={t(`fallback.by.${by}`)}>
      <chakra.p overflowWrap="anywhere">
        {isOther ? t('fallback.served', { asked, served: log.model_name }) : t('fallback.unserved', { asked })}
      </chakra.p>
      <chakra.ul listStyleType="disc" ps="5">
        {passed.map(({ model, reason }) => (
          <chakra.li key={model} overflowWrap="anywhere">
            {t('fallback.passed', { model, reason: t(`fallback.reason.${reason}`) })}
          </chakra.li>
        ))}
      </chakra.ul>
    </Section>
  )
}

function Models({ explained }: { explained: LogExplanation }): ReactNode {
  const { t } = useTranslation('logs')
  const { log, explanation } = explained
  if (!isRequest(log) || askedModel(log) === '') return null
  const used = explanation?.attempts.findLast(({ outcome }) => outcome === 'answered')?.upstream_model ?? otherOf(log).upstream_model_name
  return (
    <chakra.span
      display="inline-flex"
      flexWrap="wrap"
      alignItems="baseline"
      gap="2"
      textStyle="lg"
      fontWeight="semibold"
      color="text.strong"
    >
      <chakra.span data-hint={t('explain.asked')}>{askedModel(log)}</chakra.span>
      {used === undefined || used === '' || used === log.model_name ? null : (
        <chakra.span color="text.muted" fontWeight="normal" textStyle="sm" data-hint={t('explain.sent')}>
          → {used}
        </chakra.span>
      )}
    </chakra.span>
  )
}

/** The cause of a failure, with the most specific status: the upstream's, else the client's. */
function Failure({ explained: { log, explanation, ended_by, client_status } }: { explained: LogExplanation }): ReactNode {
  const { t } = useTranslation('logs')
  if (log.type !== LogType.error || ended_by === null || ended_by === 'complete') return null
  const upstream = ended_by === 'upstream-failed' ? explanation?.attempts.at(-1)?.status : undefined
  const status = upstream ?? otherOf(log).status_code ?? client_status ?? 0
  return <ToneTag tone="red">{status === 0 ? t(`failure.${ended_by}`) : `${t(`failure.${ended_by}`)} ${status}`}</ToneTag>
}

function Outcome({ explained: { log } }: { explained: LogExplanation }): ReactNode {
  const { t } = useTranslation(['logs', 'display'])
  const state = TERMINAL_STATES.find((known) => known === log.state)
  const type = typeOf(log)
  return (
    <>
      {log.state === REFUNDED ? (
        <StatusTag tone="blue">{t('state.refunded')}</StatusTag>
      ) : state === undefined ? (
        <ToneTag tone={type.tone}>{t(`display:log-type.${type.text}`)}</ToneTag>
      ) : (
        <StatusTag tone={state === 'released' ? 'red' : TERMINAL_LOOKS[state].tone}>{t(`state.${state}`)}</StatusTag>
      )}
      {isRequest(log) ? <ToneTag tone={log.is_stream ? 'blue' : 'grey'}>{t(log.is_stream ? 'stream' : 'not-stream')}</ToneTag> : null}
    </>
  )
}

function Facts({ explained: { log, explanation, ended_by, client_status }, isAdmin }: Props): ReactNode {
  const { t } = useTranslation('logs')
  const other = otherOf(log)
  const effort = other.reasoning_effort
  return (
    <FactsList isInline>
      <Fact name={t('explain.time')}>
        <TimeText time={log.created_at} absent="–" />
      </Fact>
      {ended_by === null || ended_by === 'complete' ? null : <Fact name={t('explain.ended')}>{t(`ended.${ended_by}`)}</Fact>}
      {explanation?.client_disconnect === undefined ? null : (
        <Fact name={t('explain.client-disconnected')}>
          {t(`gone.${goneKeyOf(explanation.client_disconnect)}`, {
            time: durationText(explanation.client_disconnect.left_ms),
          })}
        </Fact>
      )}
      {client_status === null || client_status === 0 ? null : <Fact name={t('explain.client-status')}>{`HTTP ${client_status}`}</Fact>}
      {isAdmin && log.username !== '' ? <Fact name={t('explain.user')}>{log.username}</Fact> : null}
      {log.token_name === '' ? null : <Fact name={t('explain.token')}>{tokenNameOf(log, t)}</Fact>}
      {log.group === '' ? null : <Fact name={t('explain.group')}>{log.group}</Fact>}
      {isAdmin && log.channel !== 0 ? <Fact name={t('explain.channel')}>{`#${log.channel} ${log.channel_name}`}</Fact> : null}
      {effort === undefined ? null : <Fact name="">{t('reasoning', { effort })}</Fact>}
      {other.error_code === undefined || other.error_code === '' ? null : (
        <Fact name={t('explain.error-code')}>
          <CopyId text={other.error_code} />
        </Fact>
      )}
      {log.type === LogType.refused && other.status_code !== undefined ? (
        <Fact name={t('explain.client-status')}>{`HTTP ${other.status_code}`}</Fact>
      ) : null}
      {log.request_id === '' ? null : (
        <Fact name={t('explain.request-id')}>
          <CopyId text={log.request_id} />
        </Fact>
      )}
    </FactsList>
  )
}

/** The raw parts: usage as upstream sent it, the client, what conversion lost, field `other`. */
export function EntryFacts({ explained, isAdmin }: Props): ReactNode {
  const { t } = useTranslation('logs')
  const { log, usage, explanation } = explained
  const raw = explanation?.raw_usage ?? ''
  const client = explanation?.client ?? otherOf(log).client
  return (
    <>
      {usage === null ? null : (
        <Section title={t('explain.usage')} help={t('explain.usage-source', { source: t(`source.${usage.source}`) })}>
          {raw === '' ? <chakra.p color="text.muted">{t(noRawUsage(explained, isAdmin))}</chakra.p> : <Raw text={formatJson(raw)} />}
        </Section>
      )}
      {explanation === null || explanation.warnings.length === 0 ? null : (
        <Section title={t('explain.warnings')}>
          <chakra.ul ps="4">
            {explanation.warnings.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </chakra.ul>
        </Section>
      )}
      {client === undefined ? null : (
        <Section title={t('explain.client')}>
          <chakra.p fontFamily="mono" textStyle="xs" overflowWrap="anywhere">
            {[`${client.method ?? ''} ${client.path ?? ''}`, client.ip ?? '', client.user_agent ?? '']
              .filter((part) => part !== '')
              .join(' · ')}
          </chakra.p>
        </Section>
      )}
      {isAdmin && log.other !== '' ? (
        <Section title={t('explain.raw-other')}>
          <Raw text={formatJson(log.other)} />
        </Section>
      ) : null}
    </>
  )
}

function Raw({ text }: { text: string }): ReactNode {
  return (
    <chakra.pre
      fontFamily="mono"
      textStyle="xs"
      p="3"
      bg="subtle"
      borderRadius="control"
      borderWidth="1px"
      borderColor="border"
      overflow="auto"
      maxH="14rem"
      tabIndex={0}
      focusVisibleRing="inside"
    >
      {text}
    </chakra.pre>
  )
}

/** A capped `cancel` would have been a `drain`, but the channel had too many of them. */
function goneKeyOf({ policy, is_capped }: ClientDisconnect): 'cancel' | 'drain' | 'capped' | 'full' {
  if (!is_capped) return policy
  return policy === 'drain' ? 'capped' : 'full'
}

/** Why there is no raw usage: tasks are priced without it, and only administrators get what upstream sent. */
function noRawUsage(
  { task, usage, explanation }: LogExplanation,
  isAdmin: boolean,
): 'explain.usage-task' | 'explain.usage-admins' | 'explain.usage-none' | 'explain.usage-not-kept' {
  if (task !== undefined && task.length > 0) return 'explain.usage-task'
  // A test of a channel counts what upstream sent, and keeps the sums only.
  if (explanation === null && usage?.source === 'upstream') return 'explain.usage-not-kept'
  return !isAdmin && usage?.source === 'upstream' ? 'explain.usage-admins' : 'explain.usage-none'
}
