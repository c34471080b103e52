import { Button, chakra, Flex, Spinner, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Log } from '@tollgate/contracts/resources/logs'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { Link } from '@tanstack/react-router'
import { secondsText } from '@tollgate/domain/display/time-text'
import { CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { Fact, FactsList } from '../../../ui/display/facts-list.tsx'
import { hasFailed, otherOf } from '../../../ui/display/log-other.ts'
import { TimeText } from '../../../ui/display/number-text.tsx'
import { QuotaText } from '../../../ui/display/quota-text.tsx'
import { refusalKey, refusalValues, shownModel } from '../../../ui/display/refusal-view.ts'
import { useVendorMessage } from '../../../ui/display/vendor-message.ts'
import { arrivalOf, lastRowOf } from './arrival.ts'

/** After this long nothing is looked for any more. */
export const PATIENCE_MS = 300_000

type State = 'idle' | 'waiting' | 'late'

/** Waits for the next request of the token and shows how it ended, with the way to its explanation. */
export function RequestTest({ token }: { readonly token: Token }): ReactNode {
  const { t } = useTranslation('tokens')
  const [state, setState] = useState<State>('idle')
  // A request that arrived is no longer waited for; the next one has to be newer.
  const [after, setAfter] = useState<number | undefined>(undefined)
  const last = useQuery(lastRowOf(token))
  const from = after ?? last.data
  const isWaiting = state === 'waiting'
  const { data: arrived, error } = useQuery({ ...arrivalOf(token, from ?? 0), enabled: isWaiting && from !== undefined })
  const isHere = arrived !== undefined && arrived !== null
  usePatience(isWaiting && !isHere, () => setState('late'))
  const wait = (): void => {
    if (isHere) setAfter(arrived.id)
    if (last.isError) void last.refetch()
    setState('waiting')
  }
  if (isHere) return <Arrived log={arrived} onNext={wait} />
  if (isWaiting)
    return (
      <Notice
        palette="neutral"
        icon={<Spinner size="sm" aria-hidden />}
        action={<Action text={t('setup.test.stop')} run={() => setState('idle')} />}
      >
        {t('setup.test.waiting', { name: token.name })}
        <Hint>{failureText(last.error ?? error) ?? t('setup.test.waiting-help')}</Hint>
      </Notice>
    )
  if (state === 'late')
    return (
      <Notice palette="warning" icon={<Clock aria-hidden />} action={<Action text={t('setup.test.again')} run={wait} />}>
        {t('setup.test.late')}
        <chakra.ul listStyleType="disc" ps="5" color="text">
          {CAUSES.map((cause) => (
            <li key={cause}>{t(`setup.test.cause.${cause}`)}</li>
          ))}
        </chakra.ul>
      </Notice>
    )
  return (
    <Flex align="center" gap="3" wrap="wrap">
      <Text flex="1" minW="48" textStyle="sm" color="text.muted">
        {t('setup.test.help')}
      </Text>
      <Button onClick={wait}>{t('setup.test.start')}</Button>
    </Flex>
  )
}

const CAUSES = ['restart', 'address', 'key', 'environment'] as const

/** Calls back when a wait has lasted too long. */
function usePatience(isWaiting: boolean, onEnd: () => void): void {
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setTimeout(onEnd, PATIENCE_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isWaiting])
}

function Arrived({ log, onNext }: { readonly log: Log; readonly onNext: () => void }): ReactNode {
  const { t } = useTranslation('tokens')
  const isFailure = hasFailed(log)
  const model = shownModel(log)
  const actions = (
    <>
      <Button asChild size="sm" variant="outline">
        <Link to="/log" search={{ open: log.id, at: log.created_at }}>
          {t(isFailure ? 'setup.test.see-failure' : 'setup.test.see')}
        </Link>
      </Button>
      <Action text={t('setup.test.next')} run={onNext} />
    </>
  )
  if (isFailure)
    return (
      <Notice palette="danger" icon={<TriangleAlert aria-hidden />} action={actions}>
        {t('setup.test.failed', { model })}
        <Suspense fallback={null}>
          <Failure log={log} />
        </Suspense>
        <Facts log={log} isCharged={false} />
      </Notice>
    )
  return (
    <Notice palette="success" icon={<CircleCheck aria-hidden />} action={actions}>
      {t('setup.test.answered', { model })}
      <Facts log={log} isCharged />
    </Notice>
  )
}

/** Why a request failed, in words, and what would have to change. */
function Failure({ log }: { readonly log: Log }): ReactNode {
  const { t, i18n } = useTranslation('refusals')
  const { mark } = useVendorMessage()
  const { reason, status_code = 0, is_vendor_message } = otherOf(log)
  if (reason === undefined) {
    const text = is_vendor_message === true ? mark(log.content) : log.content
    return <Hint>{[status_code === 0 ? '' : String(status_code), text].filter((part) => part !== '').join(' · ')}</Hint>
  }
  const values = refusalValues(log, i18n.language)
  return (
    <>
      <Text color="text.strong">{t(`title.${refusalKey(reason)}`, values)}</Text>
      <Hint>{t(`fix.${refusalKey(reason)}`, values)}</Hint>
    </>
  )
}

function Facts({ log, isCharged }: { readonly log: Log; readonly isCharged: boolean }): ReactNode {
  const { t } = useTranslation('tokens')
  return (
    <FactsList isInline>
      <Fact name={t('setup.test.time')}>
        <TimeText time={log.created_at} absent="–" />
      </Fact>
      {isCharged ? (
        <Fact name={t('setup.test.charge')}>
          <QuotaText quota={log.quota} kind="charge" />
        </Fact>
      ) : null}
      <Fact name={t('setup.test.duration')}>{secondsText(log.use_time)}</Fact>
    </FactsList>
  )
}

type NoticeProps = {
  readonly palette: 'neutral' | 'success' | 'warning' | 'danger'
  readonly icon: ReactNode
  readonly action: ReactNode
  readonly children: ReactNode
}

/** How the test stands, in the colour of its outcome. */
function Notice({ palette, icon, action, children }: NoticeProps): ReactNode {
  return (
    <Flex
      role="status"
      align="flex-start"
      gap="3"
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      px="3"
      py="2.5"
      borderWidth="1px"
      borderRadius="control"
      textStyle="sm"
      colorPalette={palette}
      bg={palette === 'neutral' ? 'transparent' : 'colorPalette.subtle'}
      borderColor="colorPalette.border"
    >
      <chakra.span flexShrink="0" mt="0.5" color="colorPalette.fg" _icon={{ boxSize: '4.5' }}>
        {icon}
      </chakra.span>
      <Stack flex="1" minW="48" gap="1.5" color="text.strong" fontWeight="medium" css={{ '& > *': { fontWeight: '400' } }}>
        {children}
      </Stack>
      <Flex gap="2" flexShrink="0" wrap="wrap">
        {action}
      </Flex>
    </Flex>
  )
}

const Hint = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <Text textStyle="xs" color="text" overflowWrap="anywhere">
    {children}
  </Text>
)

const Action = ({ text, run }: { readonly text: string; readonly run: () => void }): ReactNode => (
  <Button size="sm" variant="outline" onClick={run}>
    {text}
  </Button>
)
