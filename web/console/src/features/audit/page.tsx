import { Stack } from '@chakra-ui/react'
import { AUDIT_RESOURCES, type AuditEntry } from '@tollgate/contracts/resources/audit'
import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isRoot, useUser } from '../../lib/session.ts'
import { AuditChanges } from '../../ui/display/audit-changes.tsx'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { CutText, TimeText } from '../../ui/display/number-text.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { useAuditTexts } from '../../ui/display/use-audit-texts.ts'
import { ResourceList } from '../../ui/list/resource-list.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { usePagedList } from '../../ui/list/use-list.ts'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { auditPage } from './api.ts'
import { parseAuditSearch, type AuditSearch } from './search.ts'

type PageProps = { readonly search: AuditSearch; readonly onSearch: (search: AuditSearch) => void }

/** `/audit`: who changed what. Root sees everything, another administrator channels, codes and the own actions. */
export function AuditPage({ search, onSearch }: PageProps): ReactNode {
  const { t } = useTranslation('audit')
  const isAll = isRoot(useUser())
  const { resource = '', resource_id = '', action = '', actor: actor_id = 0, start = 0, end = 0 } = search
  const filter = { resource, resource_id, action, actor_id, start_timestamp: start, end_timestamp: end }
  const list = usePagedList(search.page ?? 1, (p, page_size) => auditPage({ p, page_size, ...filter }))
  const open = list.rows?.find(({ id }) => id === search.open)
  return (
    <ResourceList
      name="audit"
      title={t('title')}
      {...(isAll ? {} : { lead: t('lead-admin') })}
      list={list}
      columns={useColumns()}
      filters={[
        {
          kind: 'choice',
          name: 'resource',
          label: t('column.resource'),
          choices: [
            { value: '', label: t('filter.all-resources') },
            ...AUDIT_RESOURCES.map((value) => ({ value, label: t(`resource.${value}`) })),
          ],
        },
        { kind: 'text', name: 'resource_id', label: t('filter.resource_id'), width: '12rem' },
        { kind: 'text', name: 'actor', label: t('filter.actor'), width: '9rem' },
      ]}
      search={search}
      onSearch={onSearch}
      idOf={({ id }) => id}
      nameOf={({ id }) => String(id)}
      onOpen={({ id }) => onSearch({ ...search, open: id })}
      openId={open?.id}
      isSortable={false}
      empty={{ title: t('empty-title'), help: t('empty-help'), icon: <ScrollText /> }}
    >
      {open === undefined ? null : <EntryDrawer entry={open} onClose={() => onSearch(parseAuditSearch({ ...search, open: '' }))} />}
    </ResourceList>
  )
}

function useColumns(): readonly Column<AuditEntry>[] {
  const { t } = useTranslation('audit')
  const texts = useAuditTexts()
  return [
    {
      id: 'time',
      header: t('column.time'),
      cell: ({ created_at }) => <TimeText time={created_at} absent="—" />,
      text: ({ created_at }) => created_at,
      isFixed: true,
      card: 'line',
    },
    { id: 'actor', header: t('column.actor'), cell: (entry) => <CutText text={texts.actor(entry)} />, text: texts.actor, card: 'title' },
    {
      id: 'action',
      header: t('column.action'),
      cell: (entry) => <ToneTag tone={entry.action === 'delete' ? 'red' : 'grey'}>{texts.action(entry)}</ToneTag>,
      text: texts.action,
      card: 'status',
    },
    { id: 'resource', header: t('column.resource'), cell: texts.resource, text: texts.resource, card: 'line' },
    {
      id: 'changes',
      header: t('column.changes'),
      cell: (entry) => <CutText text={changesOf(entry)} width="22rem" />,
      text: changesOf,
      card: 'line',
    },
    { id: 'ip', header: t('column.ip'), cell: ({ ip }) => <CutText text={ip} />, text: ({ ip }) => ip },
  ]
}

/** Every changed field with its values, `group: default → vip`; a secret one alone. */
const changesOf = ({ changes }: AuditEntry): string =>
  changes
    .map(({ field, before, after }) => {
      if (before === undefined && after === undefined) return field
      return `${field}: ${[before, after].flatMap((value) => (value === undefined ? [] : [shown(value)])).join(' → ')}`
    })
    .join(', ')

const shown = (value: string): string => (value === '' ? '""' : value)

function EntryDrawer({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('audit')
  const texts = useAuditTexts()
  return (
    <DetailDrawer title={`${texts.action(entry)} · ${texts.resource(entry)}`} onClose={onClose}>
      <Stack gap="5">
        <FactsList>
          <Fact name={t('column.time')}>
            <TimeText time={entry.created_at} absent="—" />
          </Fact>
          <Fact name={t('column.actor')}>{texts.actor(entry)}</Fact>
          {entry.ip === '' ? null : (
            <Fact name={t('column.ip')}>
              <CopyId text={entry.ip} />
            </Fact>
          )}
          <Fact name={t('column.changes')}>{entry.changes.length === 0 ? t('no-changes') : <AuditChanges changes={entry.changes} />}</Fact>
        </FactsList>
      </Stack>
    </DetailDrawer>
  )
}
