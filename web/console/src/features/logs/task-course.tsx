import { Table } from '@chakra-ui/react'
import type { TaskChange } from '@tollgate/contracts/tasks/tasks'
import { exactTimeText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { TableFrame } from '../../ui/display/table-frame.tsx'
import { Section } from './section.tsx'

/** Changes of the task that a request submitted, each with its charge or refund. */
export function TaskCourse({ changes }: { readonly changes: readonly TaskChange[] }): ReactNode {
  const { t } = useTranslation('logs')
  if (changes.length === 0) return null
  return (
    <Section title={t('explain.task')} help={t('explain.task-help')}>
      <TableFrame label={t('explain.task')}>
        <Table.Root size="sm">
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader>{t('explain.task-at')}</Table.ColumnHeader>
              <Table.ColumnHeader>{t('explain.task-source')}</Table.ColumnHeader>
              <Table.ColumnHeader>{t('explain.task-state')}</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">{t('explain.task-money')}</Table.ColumnHeader>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {changes.map(({ at, source, state, progress, quota }) => (
              <Table.Row key={`${at}-${source}-${progress}`}>
                <Table.Cell whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
                  {exactTimeText(at)}
                </Table.Cell>
                <Table.Cell>{t(`explain.task-from.${source}`)}</Table.Cell>
                <Table.Cell>
                  {t(`explain.task-in.${state}`)} {progress}
                </Table.Cell>
                <Table.Cell textAlign="end">{quota === 0 ? null : <QuotaText quota={quota} kind="charge" />}</Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </TableFrame>
    </Section>
  )
}
