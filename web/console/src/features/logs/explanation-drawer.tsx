import { accountText } from '@tollgate/domain/display/account-text'
import { Button, chakra } from '@chakra-ui/react'
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { LogType, REFUNDED } from '@tollgate/contracts/enums'
import type { Log, LogExplanation } from '@tollgate/contracts/resources/logs'
import { ChevronDown, ChevronUp, Copy, Route } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { DetailDrawer, LoadingDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { explanationOf } from './api.ts'
import { Candidates } from './candidates.tsx'
import { supportText } from './explanation-view.ts'
import { Ledger } from './ledger.tsx'
import { useStepKeys, type Neighbours } from './neighbours.ts'
import { ReceiptButton } from './receipt-button.tsx'
import { PriceLines } from './price-lines.tsx'
import { Refusal } from './refusal.tsx'
import { Related } from './related.tsx'
import { toQuestion } from './reproduction-view.ts'
import { EntryFacts, RequestSummary } from './request-summary.tsx'
import type { LogSearch } from './search.ts'
import { Section } from './section.tsx'
import { TaskCourse } from './task-course.tsx'
import { Timeline } from './timeline.tsx'
import { otherOf } from '../../ui/display/log-other.ts'
import { useVendorMessage } from '../../ui/display/vendor-message.ts'

type DrawerProps = {
  readonly id: number
  readonly createdAt: number
  readonly isAdmin: boolean
  /** The rows above and below it in the list. */
  readonly neighbours: Neighbours
  readonly onOpen: (log: Log) => void
  readonly onSearch: (search: LogSearch) => void
  readonly onClose: () => void
}

/** Why one request went as it went and cost what it cost. */
export function ExplanationDrawer({ id, createdAt, isAdmin, neighbours, onOpen, onSearch, onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation('logs')
  useStepKeys(neighbours, onOpen)
  const { next } = neighbours
  usePrefetchQuery(explanationOf(next?.id ?? id, next?.created_at ?? createdAt, isAdmin))
  return (
    <LoadingDrawer title={t('explain.title')} size="lg" query={useQuery(explanationOf(id, createdAt, isAdmin))} onClose={onClose}>
      {(explained) => <ExplainedDrawer {...{ explained, neighbours, onOpen, isAdmin, onSearch, onClose }} />}
    </LoadingDrawer>
  )
}

type ExplainedDrawerProps = Omit<DrawerProps, 'id' | 'createdAt'> & {
  readonly explained: LogExplanation
  /** The row is not in the log, so that nothing more can be read of it. */
  readonly isArchived?: boolean | undefined
}

export function ExplainedDrawer({
  explained,
  isAdmin,
  neighbours,
  onOpen,
  onSearch,
  onClose,
  isArchived,
}: ExplainedDrawerProps): ReactNode {
  const { t } = useTranslation('logs')
  return (
    <DetailDrawer
      title={t(titleOf(explained.log))}
      size="lg"
      onClose={onClose}
      footer={<Footer {...{ explained, neighbours, onOpen, isAdmin, isArchived }} />}
    >
      <Explained key={explained.log.id} explained={explained} isAdmin={isAdmin} onSearch={onSearch} />
    </DetailDrawer>
  )
}

function titleOf({ state, type }: Log): 'explain.title' | 'explain.entry-title' | 'explain.refused-title' {
  if (type === LogType.refused) return 'explain.refused-title'
  return state === '' ? 'explain.entry-title' : 'explain.title'
}

type ExplainedProps = Pick<DrawerProps, 'isAdmin' | 'onSearch'> & { readonly explained: LogExplanation }

/** True if the text of a failed request is what the last channel's vendor answered. */
function isVendors({ log, explanation }: LogExplanation): boolean {
  if (otherOf(log).is_vendor_message === true) return true
  const { status, message = '' } = explanation?.attempts.at(-1) ?? {}
  return status !== undefined && message !== '' && log.content.startsWith(message)
}

function Explained({ explained, isAdmin, onSearch }: ExplainedProps): ReactNode {
  const { t, i18n } = useTranslation('logs')
  const vendor = useVendorMessage()
  const { log, explanation } = explained
  return (
    <chakra.div display="flex" flexDirection="column" gap="6">
      <RequestSummary explained={explained} isAdmin={isAdmin} />
      <Refusal log={log} isAdmin={isAdmin} />
      {log.content === '' || explained.charge !== null ? null : (
        <Section title={t('explain.content')}>
          <chakra.p overflowWrap="anywhere">
            {isVendors(explained) ? vendor.mark(log.content) : accountText(log.content, i18n.language)}
          </chakra.p>
        </Section>
      )}
      {log.state === REFUNDED ? <chakra.p>{t('explain.refunded')}</chakra.p> : null}
      {explanation === null && log.state !== '' && log.state !== REFUNDED ? (
        <chakra.p color="text.muted">{t('explain.not-available')}</chakra.p>
      ) : null}
      {explanation === null ? null : (
        <>
          {explanation.is_cut ? <chakra.p color="warning.fg">{t('explain.cut')}</chakra.p> : null}
          <Section title={t('explain.timeline')} help={t('explain.timeline-help')}>
            <Timeline explanation={explanation} />
          </Section>
          {isAdmin ? (
            <Section title={t('explain.candidates')} help={t('explain.candidates-help')}>
              <Candidates explanation={explanation} />
              {explanation.candidates.length === 0 ? null : (
                <Suspense fallback={null}>
                  <ReproducedChoice explanation={explanation} />
                </Suspense>
              )}
              <Reproduce explained={explained} />
            </Section>
          ) : null}
        </>
      )}
      <TaskCourse changes={explained.task ?? []} />
      <PriceLines explained={explained} />
      {explanation === null ? null : (
        <Section title={t('explain.ledger')} help={t('explain.ledger-help')}>
          <Ledger explanation={explanation} charged={log.quota} tokenCharge={explained.token_charge} />
        </Section>
      )}
      <Related explained={explained} isAdmin={isAdmin} onSearch={onSearch} />
      <EntryFacts explained={explained} isAdmin={isAdmin} />
    </chakra.div>
  )
}

const ReproducedChoice = lazy(async () => ({ default: (await import('./reproduced-choice.tsx')).ReproducedChoice }))
const Reproduction = lazy(async () => ({ default: (await import('./reproduction.tsx')).Reproduction }))

/** Asks where the same request would go now; not for kinds of requests that routing cannot be forecast for. */
function Reproduce({ explained: { log, explanation, session } }: { readonly explained: LogExplanation }): ReactNode {
  const { t } = useTranslation('logs')
  const [isWanted, setWanted] = useState(false)
  const question = explanation === null ? undefined : toQuestion(log, explanation, session)
  if (explanation === null || question === undefined) return null
  if (isWanted)
    return (
      <Suspense fallback={null}>
        <Reproduction question={question} explanation={explanation} />
      </Suspense>
    )
  return (
    <Button size="sm" variant="outline" alignSelf="start" data-hint={t('reproduce.hint')} onClick={() => setWanted(true)}>
      <Route />
      {t('reproduce.run')}
    </Button>
  )
}

type FooterProps = Pick<ExplainedDrawerProps, 'explained' | 'neighbours' | 'onOpen' | 'isAdmin' | 'isArchived'>

function Footer({ explained, neighbours: { previous, next }, onOpen, isAdmin, isArchived = false }: FooterProps): ReactNode {
  const { t } = useTranslation('logs')
  return (
    <>
      <IconButton
        variant="outline"
        label={t('explain.previous')}
        disabled={previous === undefined}
        onClick={() => (previous === undefined ? undefined : onOpen(previous))}
      >
        <ChevronUp />
      </IconButton>
      <IconButton
        variant="outline"
        label={t('explain.next')}
        disabled={next === undefined}
        onClick={() => (next === undefined ? undefined : onOpen(next))}
      >
        <ChevronDown />
      </IconButton>
      <chakra.span me="auto" hideBelow="sm" textStyle="xs" color="text.muted">
        {t('explain.copy-support-help')}
      </chakra.span>
      {isArchived ? null : <ReceiptButton explained={explained} isAdmin={isAdmin} />}
      <Button variant="outline" onClick={() => void copyText(supportText(explained))}>
        <Copy />
        {t('explain.copy-support')}
      </Button>
    </>
  )
}
