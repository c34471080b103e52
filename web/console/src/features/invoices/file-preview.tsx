import { Alert, List, SimpleGrid, Stack, Table, Text } from '@chakra-ui/react'
import { INVOICE_FIELDS, type InvoiceMapping, type InvoicePreview } from '@tollgate/contracts/resources/vendor-invoices'
import { groupDigits } from '@tollgate/domain/display/count-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { TableFrame } from '../../ui/display/table-frame.tsx'
import { FoldSection } from '../../ui/form/fold-section.tsx'
import { ChoiceField, SwitchField } from '../../ui/form/labelled-field.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { channelIdOf, columnOf, withColumn, type Change, type Draft } from './draft.ts'
import { amountText } from './money.ts'

type FilePreviewProps = { readonly preview: InvoicePreview; readonly draft: Draft; readonly change: Change }

/** The meaning of the columns of each file, rows that cannot be read, and the sums of the others. */
export function FilePreview({ preview, draft, change }: FilePreviewProps): ReactNode {
  const setMapping = (nth: number, mapping: InvoiceMapping): void =>
    change({ files: draft.files.map((file, at) => (at === nth ? { ...file, mapping } : file)), version: draft.version + 1 })
  return (
    <>
      {preview.files.map((file, nth) =>
        draft.files[nth]?.name === file.name && file.columns.length > 0 ? (
          <Mapping key={file.name} file={file} onMapping={(mapping) => setMapping(nth, mapping)} />
        ) : null,
      )}
      <Problems preview={preview} />
      {preview.rows === 0 ? null : <Sums preview={preview} />}
      {preview.accounts.some((account) => account !== '') && draft.channels.length > 1 ? (
        <Accounts preview={preview} draft={draft} change={change} />
      ) : null}
    </>
  )
}

type File = InvoicePreview['files'][number]

function Mapping({ file, onMapping }: { readonly file: File; readonly onMapping: (mapping: InvoiceMapping) => void }): ReactNode {
  const { t } = useTranslation('invoices')
  const { name, columns, mapping, is_remembered, sample } = file
  const choices = (chosen: string) => [
    { value: '', label: t('new.not-mapped') },
    ...(chosen === '' || columns.includes(chosen) ? [] : [{ value: chosen, label: chosen }]),
    ...columns.map((value) => ({ value, label: value })),
  ]
  return (
    <Panel title={t('new.mapping', { name })} help={t(is_remembered ? 'new.remembered' : 'new.guessed')}>
      <Stack gap="4">
        <SimpleGrid columns={{ base: 1, sm: 2, lg: 4 }} gap="3">
          {INVOICE_FIELDS.map((field) => {
            const chosen = columnOf(mapping, field)
            return (
              <ChoiceField
                key={field}
                label={t(`field.${field}`)}
                value={chosen}
                choices={choices(chosen)}
                onValue={(column) => (column === chosen ? undefined : onMapping(withColumn(mapping, field, column)))}
              />
            )
          })}
        </SimpleGrid>
        <SwitchField
          label={t('new.cached')}
          value={mapping.has_cached_in_input}
          onValue={(has_cached_in_input) => onMapping({ ...mapping, has_cached_in_input })}
        />
        <SwitchField
          label={t('new.cents')}
          value={mapping.amount_unit === 'cent'}
          onValue={(isCents) => onMapping({ ...mapping, amount_unit: isCents ? 'cent' : 'dollar' })}
        />
        <FoldSection title={t('new.sample')}>
          <TableFrame label={t('new.sample')}>
            <Table.Root size="sm">
              <Table.Header>
                <Table.Row>
                  {columns.map((column) => (
                    <Table.ColumnHeader key={column} whiteSpace="nowrap">
                      {column}
                    </Table.ColumnHeader>
                  ))}
                </Table.Row>
              </Table.Header>
              <Table.Body>
                {sample.map((row) => (
                  <Table.Row key={row.join('\n')}>
                    {row.map((cell, at) => (
                      <Table.Cell key={columns[at]} whiteSpace="nowrap">
                        {cell}
                      </Table.Cell>
                    ))}
                  </Table.Row>
                ))}
              </Table.Body>
            </Table.Root>
          </TableFrame>
        </FoldSection>
      </Stack>
    </Panel>
  )
}

const SHOWN = 20

function Problems({ preview: { problems, problem_count } }: Pick<FilePreviewProps, 'preview'>): ReactNode {
  const { t } = useTranslation('invoices')
  if (problem_count === 0) return null
  const more = problem_count - Math.min(problems.length, SHOWN)
  return (
    <Alert.Root status="error">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>
          {t('new.problems')} ({groupDigits(problem_count)})
        </Alert.Title>
        <Alert.Description>{t('new.problems-help')}</Alert.Description>
        <List.Root mt="2" ps="4" gap="0.5">
          {problems.slice(0, SHOWN).map(({ file, line, reason, text }) => (
            <List.Item key={`${file} ${line} ${reason} ${text}`} overflowWrap="anywhere">
              {line === 0 ? t('new.whole', { file }) : t('new.line', { file, line })}
              {t(`problem.${reason}`, { text })}
            </List.Item>
          ))}
        </List.Root>
        {more > 0 ? <Text textStyle="sm">{t('new.more', { count: more })}</Text> : null}
      </Alert.Content>
    </Alert.Root>
  )
}

function Sums({ preview: { rows, first_day, last_day, total } }: Pick<FilePreviewProps, 'preview'>): ReactNode {
  const { t } = useTranslation('invoices')
  const text = (count: number | null): string => (count === null ? '–' : groupDigits(count))
  return (
    <Panel title={t('new.preview')} help={`${first_day} – ${last_day}`} isFlush>
      <StatRow>
        <StatCard label={t('new.rows')}>{groupDigits(rows)}</StatCard>
        <StatCard label={t('column.input')}>{text(total.input)}</StatCard>
        <StatCard label={t('column.output')}>{text(total.output)}</StatCard>
        <StatCard label={t('column.billed')}>{amountText(total.dollars)}</StatCard>
      </StatRow>
    </Panel>
  )
}

function Accounts({ preview, draft, change }: FilePreviewProps): ReactNode {
  const { t } = useTranslation('invoices')
  const choices = [
    { value: '', label: t('new.any-channel') },
    ...draft.channels.map((label) => ({ value: String(channelIdOf(label)), label })),
  ]
  const choose = (account: string, channel: string): void => {
    const others = Object.entries(draft.accounts).filter(([name]) => name !== account)
    change({ accounts: Object.fromEntries(channel === '' ? others : [...others, [account, Number(channel)]]) })
  }
  return (
    <Panel title={t('new.accounts')} help={t('new.accounts-help')}>
      <SimpleGrid columns={{ base: 1, sm: 2, lg: 3 }} gap="3">
        {preview.accounts.map((account) => (
          <ChoiceField
            key={account}
            label={account === '' ? t('new.no-account') : account}
            value={String(draft.accounts[account] ?? '')}
            choices={choices}
            onValue={(channel) => choose(account, channel)}
          />
        ))}
      </SimpleGrid>
    </Panel>
  )
}
