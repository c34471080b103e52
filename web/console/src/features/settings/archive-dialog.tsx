import { Button, chakra, Skeleton, Stack } from '@chakra-ui/react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { logs, type LogArchive } from '@tollgate/contracts/resources/logs'
import { bytesText } from '@tollgate/domain/display/bytes-text'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, keyOf } from '../../lib/api.ts'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { InfoDialog } from '../../ui/overlay/info-dialog.tsx'
import { ErrorState } from '../../ui/page/states.tsx'

const PROGRESS_EVERY_MS = 2_000
const TONES = { writing: 'blue', archived: 'green', restoring: 'blue', restored: 'grey' } as const

/** Archives; followed while one is under way. */
const logArchives = () =>
  queryOptions({
    queryKey: keyOf(logs.archives),
    queryFn: ({ signal }) => call(logs.archives, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.archives.some(({ finished_at }) => finished_at === 0) === true ? PROGRESS_EVERY_MS : false,
    meta: { quiet: true },
  })

/** Moves months of the log to the object store, and back; the worker goes on when the dialog is closed. */
export function ArchiveDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation(['settings', 'display'])
  const list = useQuery(logArchives())
  return (
    <InfoDialog
      title={t('archive.title')}
      onClose={onClose}
      buttons={
        <Button variant="outline" onClick={onClose}>
          {t('display:action.close')}
        </Button>
      }
    >
      <Stack gap="4">
        <chakra.p color="text.muted">{t('archive.help')}</chakra.p>
        {list.isError ? <ErrorState message={failureText(list.error) ?? ''} onRetry={() => void list.refetch()} /> : null}
        {list.isPending ? <Skeleton h="9" /> : null}
        {list.data === undefined ? null : <MonthForm months={list.data.months} />}
        {list.data === undefined ? null : <Archives rows={list.data.archives} />}
      </Stack>
    </InfoDialog>
  )
}

function useOrder(endpoint: typeof logs.archive, text: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (month: string) => call(endpoint, { body: { month } }),
    onSuccess: async () => {
      toast.success(text)
      await client.invalidateQueries({ queryKey: logArchives().queryKey })
    },
  })
}

function MonthForm({ months }: { readonly months: readonly string[] }): ReactNode {
  const { t } = useTranslation('settings')
  const [chosen, setChosen] = useState('')
  const archive = useOrder(logs.archive, t('archive.started'))
  // The oldest month is the first to go.
  const month = months.includes(chosen) ? chosen : (months.at(-1) ?? '')
  if (month === '') return <chakra.p>{t('archive.none')}</chakra.p>
  return (
    <chakra.div display="flex" flexWrap="wrap" gap="2">
      <Select
        label={t('archive.month')}
        value={month}
        choices={months.map((value) => ({ value, label: value }))}
        onChange={setChosen}
        width="10rem"
      />
      <Button variant="outline" loading={archive.isPending} onClick={() => archive.mutate(month)}>
        {t('archive.run')}
      </Button>
    </chakra.div>
  )
}

function Archives({ rows }: { readonly rows: readonly LogArchive[] }): ReactNode {
  const { t } = useTranslation('settings')
  const restore = useOrder(logs.restoreArchive, t('archive.restore-started'))
  if (rows.length === 0) return null
  return (
    <chakra.ul listStyleType="none" aria-label={t('archive.listed')}>
      {rows.map((row) => (
        <chakra.li
          key={row.month}
          borderTopWidth="1px"
          borderColor="border"
          py="2"
          display="flex"
          flexWrap="wrap"
          gap="2"
          alignItems="center"
        >
          <chakra.strong color="text.strong" minW="5.5rem">
            {row.month}
          </chakra.strong>
          <StatusTag tone={TONES[row.state]}>{t(`archive.state.${row.state}`)}</StatusTag>
          <chakra.span color="text.muted" textStyle="xs" flex="1" minW="8rem">
            {factsOf(row, t)}
          </chakra.span>
          {row.state === 'archived' ? (
            <Button
              size="xs"
              variant="outline"
              aria-label={t('archive.restore-month', { month: row.month })}
              loading={restore.isPending && restore.variables === row.month}
              onClick={() => restore.mutate(row.month)}
            >
              {t('archive.restore')}
            </Button>
          ) : null}
          {row.error === '' ? null : (
            <chakra.span color="danger.fg" textStyle="xs" w="full">
              {t('archive.later', { error: row.error })}
            </chakra.span>
          )}
        </chakra.li>
      ))}
    </chakra.ul>
  )
}

type Translate = ReturnType<typeof useTranslation<'settings'>>['t']

function factsOf({ state, rows, bytes, objects, restored_objects }: LogArchive, t: Translate): string {
  if (state === 'restoring') return t('archive.back', { done: groupDigits(restored_objects), total: groupDigits(objects) })
  return t('archive.facts', { rows: groupDigits(rows), size: bytesText(bytes) })
}
