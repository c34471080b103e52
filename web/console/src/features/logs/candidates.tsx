import { chakra, Table } from '@chakra-ui/react'
import type { Attempt, CandidateResult, Explanation } from '@tollgate/contracts/relay/usage-event'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { TableFrame } from '../../ui/display/table-frame.tsx'
import { CutText } from '../../ui/display/number-text.tsx'
import { orderedCandidates, shownResult } from './explanation-view.ts'

/** The channels that could have answered, each with the reason why it did or was passed over. */
export function Candidates({ explanation }: { explanation: Explanation }): ReactNode {
  const { t } = useTranslation(['logs', 'channels'])
  const cut = explanation.candidates_cut
  if (explanation.candidates.length === 0) return <chakra.p color="text.muted">{t('explain.candidates-none')}</chakra.p>
  return (
    <TableFrame label={t('explain.candidates')}>
      <Table.Root size="sm">
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeader>{t('column.channel')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('channels:column.priority')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('channels:column.weight')}</Table.ColumnHeader>
            <Table.ColumnHeader>{t('explain.outcome')}</Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {orderedCandidates(explanation).map((candidate, index) => (
            <Table.Row key={`${candidate.channel_id}-${index}`}>
              <Table.Cell whiteSpace="nowrap">
                <CutText text={`#${candidate.channel_id} ${candidate.channel_name}`} />
              </Table.Cell>
              <Table.Cell textAlign="end">{candidate.priority}</Table.Cell>
              <Table.Cell textAlign="end">{candidate.weight}</Table.Cell>
              <Table.Cell whiteSpace="nowrap">
                <Result candidate={candidate} attempts={explanation.attempts} />
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
      {cut > 0 ? (
        <chakra.p px="3" py="1.5" textStyle="xs" color="text.muted">
          {t('explain.candidates-cut', { count: cut })}
        </chakra.p>
      ) : null}
    </TableFrame>
  )
}

function Result({ candidate, attempts }: { candidate: CandidateResult; attempts: readonly Attempt[] }): ReactNode {
  const { t } = useTranslation('logs')
  const { text, tone } = shownResult(candidate, attempts)
  const { chosen_by, remaining_ms, model } = candidate
  return (
    <>
      <StatusTag tone={tone}>{t(`result.${text}`)}</StatusTag>
      {model === undefined ? null : <Remark>{t('fallback.for', { model })}</Remark>}
      {chosen_by === undefined ? null : <Remark>{t(`chosen-by.${chosen_by}`)}</Remark>}
      {remaining_ms === undefined ? null : <Remark>{t('remaining', { seconds: Math.ceil(remaining_ms / 1000) })}</Remark>}
    </>
  )
}

function Remark({ children }: { children: string }): ReactNode {
  return (
    <chakra.span ms="2" textStyle="xs" color="text.muted">
      {children}
    </chakra.span>
  )
}
