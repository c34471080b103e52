import { Button, chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { DetailDrawer, LoadingDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { explanationOf } from './api.ts'
import { Candidates } from './candidates.tsx'
import { supportText } from './explanation-view.ts'
import { Ledger } from './ledger.tsx'
import { PriceLines } from './price-lines.tsx'
import { EntryFacts, RequestSummary } from './request-summary.tsx'
import { Section } from './section.tsx'
import { Timeline } from './timeline.tsx'

type DrawerProps = { readonly id: number; readonly createdAt: number; readonly isAdmin: boolean; readonly onClose: () => void }

/** Why one request went as it went and cost what it cost. */
export function ExplanationDrawer({ id, createdAt, isAdmin, onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation('logs')
  return (
    <LoadingDrawer title={t('explain.title')} size="lg" query={useQuery(explanationOf(id, createdAt, isAdmin))} onClose={onClose}>
      {(explained) => (
        <DetailDrawer
          title={t(explained.log.state === '' ? 'explain.entry-title' : 'explain.title')}
          size="lg"
          onClose={onClose}
          footer={<SupportFooter explained={explained} />}
        >
          <Explained explained={explained} isAdmin={isAdmin} />
        </DetailDrawer>
      )}
    </LoadingDrawer>
  )
}

function Explained({ explained, isAdmin }: { explained: LogExplanation; isAdmin: boolean }): ReactNode {
  const { t } = useTranslation('logs')
  const { log, explanation } = explained
  return (
    <chakra.div display="flex" flexDirection="column" gap="6">
      <RequestSummary explained={explained} isAdmin={isAdmin} />
      {log.content === '' || explained.charge !== null ? null : (
        <Section title={t('explain.content')}>
          <chakra.p overflowWrap="anywhere">{log.content}</chakra.p>
        </Section>
      )}
      {explanation === null && log.state !== '' ? <chakra.p color="text.muted">{t('explain.not-available')}</chakra.p> : null}
      {explanation === null ? null : (
        <>
          {explanation.is_cut ? <chakra.p color="warning.fg">{t('explain.cut')}</chakra.p> : null}
          <Section title={t('explain.timeline')} help={t('explain.timeline-help')}>
            <Timeline explanation={explanation} />
          </Section>
          {isAdmin ? (
            <Section title={t('explain.candidates')} help={t('explain.candidates-help')}>
              <Candidates explanation={explanation} />
            </Section>
          ) : null}
        </>
      )}
      <PriceLines explained={explained} />
      {explanation === null ? null : (
        <Section title={t('explain.ledger')} help={t('explain.ledger-help')}>
          <Ledger explanation={explanation} charged={log.quota} tokenCharge={explained.token_charge} />
        </Section>
      )}
      <EntryFacts explained={explained} isAdmin={isAdmin} />
    </chakra.div>
  )
}

function SupportFooter({ explained }: { explained: LogExplanation }): ReactNode {
  const { t } = useTranslation('logs')
  return (
    <>
      <chakra.span me="auto" textStyle="xs" color="text.muted">
        {t('explain.copy-support-help')}
      </chakra.span>
      <Button variant="outline" onClick={() => void copyText(supportText(explained))}>
        <Copy />
        {t('explain.copy-support')}
      </Button>
    </>
  )
}
