import { chakra, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { LedgerCheck, LedgerReport } from '@tollgate/contracts/resources/ledger'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { durationText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FactTable } from '../../ui/display/fact-table.tsx'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { TimeText } from '../../ui/display/number-text.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { DetailDrawer, LoadingDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { ledgerReport } from './api.ts'

/** The last check of the ledger: its differences first, then every check, counts that are no differences, and repaired shards. */
export function LedgerReportDrawer({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('health')
  const query = useQuery(ledgerReport)
  return (
    <LoadingDrawer title={t('ledger.report.title')} size="lg" query={query} onClose={onClose}>
      {(report) => (
        <DetailDrawer title={t('ledger.report.title')} size="lg" onClose={onClose}>
          {report === null ? <EmptyState title={t('ledger.never')} help={t('ledger.report.none-help')} /> : <Report report={report} />}
        </DetailDrawer>
      )}
    </LoadingDrawer>
  )
}

function Report({ report }: { readonly report: LedgerReport }): ReactNode {
  const { t } = useTranslation('health')
  const { started_at, duration_ms, source, sample_one_in, is_sound, differences, skipped, checks, facts } = report
  return (
    <Stack gap="5">
      <FactsList>
        <Fact name={t('ledger.report.result')}>
          <ToneTag tone={is_sound ? 'green' : 'red'}>
            {is_sound ? t('ledger.sound') : t('ledger.differences', { count: differences })}
          </ToneTag>
        </Fact>
        <Fact name={t('ledger.report.at')}>
          <TimeText time={started_at} absent="" />
        </Fact>
        <Fact name={t('ledger.report.took')}>{durationText(duration_ms)}</Fact>
        <Fact name={t('ledger.report.source')}>{t(`ledger.report.source-${source}`)}</Fact>
        <Fact name={t('ledger.report.priced')}>
          {sample_one_in === 1 ? t('ledger.report.priced-all') : t('ledger.report.priced-one-in', { count: sample_one_in })}
        </Fact>
        {skipped === '' ? null : <Fact name={t('ledger.report.skipped')}>{skipped}</Fact>}
      </FactsList>
      {checks
        .filter((check) => check.differences > 0)
        .map((check) => (
          <Differences key={check.check} check={check} />
        ))}
      <Section title={t('ledger.report.checks')}>
        <FactTable
          label={t('ledger.report.checks')}
          rows={checks}
          idOf={({ check }) => check}
          columns={[
            { id: 'check', header: t('ledger.report.check'), cell: ({ check }) => <Name text={check} /> },
            { id: 'compared', header: t('ledger.report.compared'), cell: ({ compared }) => groupDigits(compared), align: 'end' },
            {
              id: 'differences',
              header: t('ledger.report.differences'),
              cell: (check) => (check.differences === 0 ? '0' : <ToneTag tone="red">{groupDigits(check.differences)}</ToneTag>),
              align: 'end',
            },
          ]}
        />
      </Section>
      <Section title={t('ledger.report.facts')}>
        <FactsList>
          {Object.entries(facts).map(([name, value]) => (
            <Fact key={name} name={t(`ledger.report.fact.${name}`, { defaultValue: name })}>
              {groupDigits(value)}
            </Fact>
          ))}
        </FactsList>
      </Section>
      <Repairs repairs={report.repairs} />
    </Stack>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <chakra.section>
      <Text color="text.strong" fontWeight="medium" mb="2">
        {title}
      </Text>
      {children}
    </chakra.section>
  )
}

/** Wraps, so that a phone shows the counts beside it. */
const Name = ({ text }: { readonly text: string }): ReactNode => (
  <Text textStyle="mono" whiteSpace="normal">
    {text}
  </Text>
)

/** The first differences of a check as the verifier writes them, with the ids of what differs. */
function Differences({ check: { check, first, differences } }: { readonly check: LedgerCheck }): ReactNode {
  const { t } = useTranslation('health')
  const more = differences - first.length
  return (
    <chakra.article borderWidth="1px" borderColor="danger.fg" borderRadius="control" px="3" py="2.5" aria-label={check}>
      <Text textStyle="mono" color="text.strong" mb="1">
        {check}
      </Text>
      {first.map((line) => (
        <Text key={line} textStyle="mono" color="danger.fg" overflowWrap="anywhere">
          {line}
        </Text>
      ))}
      {more > 0 ? <Text color="text.muted">{t('ledger.report.more', { count: more })}</Text> : null}
    </chakra.article>
  )
}

function Repairs({ repairs }: { readonly repairs: LedgerReport['repairs'] }): ReactNode {
  const { t } = useTranslation('health')
  if (repairs.length === 0) return null
  return (
    <Section title={t('ledger.report.repairs')}>
      <FactTable
        label={t('ledger.report.repairs')}
        rows={repairs}
        idOf={({ shard, created_at, restored_n }) => `${shard} ${created_at} ${restored_n}`}
        columns={[
          { id: 'shard', header: t('ledger.report.shard'), cell: ({ shard }) => shard },
          { id: 'at', header: t('ledger.report.at'), cell: ({ created_at }) => <TimeText time={created_at} absent="" /> },
          { id: 'resent', header: t('ledger.report.resent'), cell: ({ resent }) => groupDigits(resent), align: 'end' },
          { id: 'lost', header: t('ledger.report.lost'), cell: ({ missing, lost }) => groupDigits(missing + lost), align: 'end' },
          { id: 'reason', header: t('ledger.report.reason'), cell: ({ reason }) => <Name text={reason} /> },
        ]}
      />
    </Section>
  )
}
