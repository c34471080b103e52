import { chakra } from '@chakra-ui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { config, type ConfigKind, type ManagedRecord } from '@tollgate/contracts/resources/config'
import { nameList } from '@tollgate/domain/display/name-list'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, keyOf } from '../../lib/api.ts'
import { ToneTag } from './tone-tag.tsx'

const FRESH_MS = 60_000

/** Records that files of configuration manage; few, and asked for once a minute at most. */
const managedRecords = () =>
  queryOptions({
    queryKey: keyOf(config.managed),
    queryFn: ({ signal }) => call(config.managed, { signal }),
    staleTime: FRESH_MS,
    meta: { quiet: true },
  })

/** Warns of an edit that the next `tollgate apply` takes back. Nothing while no such record is among `names`; without names, of the kind. */
export function ManagedNote({ kind, names }: { readonly kind: ConfigKind; readonly names?: readonly string[] }): ReactNode {
  const { t } = useTranslation('display')
  const { data = [] } = useQuery(managedRecords())
  const found = data.filter((record) => isOf(record, kind, names))
  if (found.length === 0) return null
  return (
    <Note title={t('managed.title', { owner: [...new Set(found.map(({ owner }) => owner))].join(', ') })}>
      {kind === 'channel'
        ? t('managed.help')
        : t('managed.listed', {
            names: nameList(
              found.map(({ name }) => name),
              SHOWN,
            ),
          })}
    </Note>
  )
}

type Marked = { readonly is_managed?: true | undefined }

type RecordNoteProps = {
  readonly record: Marked
  /** Consequences of a change; by default those of a record whose name, by which files find it, can be changed here. */
  readonly help?: string
}

/** The same of a record that says itself whether files manage it. */
export function ManagedRecordNote({ record, help }: RecordNoteProps): ReactNode {
  const { t } = useTranslation('display')
  if (record.is_managed !== true) return null
  return <Note title={t('managed.record')}>{help ?? t('managed.named')}</Note>
}

/** Marks a row of a list. */
export function ManagedMark({ record }: { readonly record: Marked }): ReactNode {
  const { t } = useTranslation('display')
  if (record.is_managed !== true) return null
  return (
    <ToneTag tone="grey" hint={t('managed.help')}>
      {t('managed.mark')}
    </ToneTag>
  )
}

function Note({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <chakra.p role="note" borderStartWidth="3px" borderColor="warning.solid" ps="3" color="text" textStyle="sm">
      <strong>{title}</strong> {children}
    </chakra.p>
  )
}

const isOf = (record: ManagedRecord, kind: ConfigKind, names: readonly string[] | undefined): boolean =>
  record.kind === kind && (names === undefined || names.includes(record.name))

const SHOWN = 6
