import { Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { RedemptionStatus } from '@tollgate/contracts/enums'
import type { Redemption } from '@tollgate/contracts/resources/redemptions'
import { Ban, CircleCheck, Copy, Pencil, Ticket, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saying } from '../../lib/saying.ts'
import { toast } from '../../lib/toast.ts'
import { ResourceList, type Selected } from '../../ui/list/resource-list.tsx'
import { RowActions } from '../../ui/list/row-actions.tsx'
import { usePagedList } from '../../ui/list/use-list.ts'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { codePage, removeCode, setCodeStatus } from './api.ts'
import { codeColumns } from './columns.tsx'
import type { CreatedCodes } from './drawer.tsx'
import type { CodeSearch } from './search.ts'

const CreateCodesDrawer = lazy(async () => ({ default: (await import('./drawer.tsx')).CreateCodesDrawer }))
const EditCodeDrawer = lazy(async () => ({ default: (await import('./drawer.tsx')).EditCodeDrawer }))
const CreatedDialog = lazy(async () => ({ default: (await import('./created-dialog.tsx')).CreatedDialog }))

type CodesPageProps = { readonly search: CodeSearch; readonly onSearch: (search: CodeSearch) => void }

/** `/redemption`: codes that users redeem for quota. */
export function RedemptionsPage({ search, onSearch }: CodesPageProps): ReactNode {
  const { t } = useTranslation(['redemptions', 'display'])
  const { keyword = '' } = search
  const list = usePagedList(search.page ?? 1, (p, page_size) => codePage({ p, page_size, keyword }))
  const [created, setCreated] = useState<CreatedCodes | undefined>(undefined)
  const { edit: _edit, ...listed } = search
  const close = (): void => onSearch(listed)
  const { actions, dialog } = useRowActions((edit) => onSearch({ ...listed, edit }))
  return (
    <ResourceList
      name="redemption"
      title={t('title')}
      list={list}
      columns={codeColumns(t, actions)}
      filters={[
        { kind: 'text', name: 'keyword', label: t('filter.keyword'), placeholder: t('search-placeholder'), isMain: true, width: '18rem' },
      ]}
      search={search}
      onSearch={onSearch}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={{ title: t('empty-title'), help: t('empty-help'), icon: <Ticket /> }}
      create={{ label: t('create'), run: () => onSearch({ ...listed, edit: 'new' }) }}
      actions={(selected) => <CopySelected {...selected} />}
      batch={(selected) => <CopySelected {...selected} />}
    >
      <Suspense fallback={null}>
        {search.edit === 'new' ? <CreateCodesDrawer onClose={close} onCreated={setCreated} /> : null}
        {typeof search.edit === 'number' ? <EditCodeDrawer key={search.edit} id={search.edit} onClose={close} /> : null}
        {created === undefined ? null : <CreatedDialog created={created} onClose={() => setCreated(undefined)} />}
      </Suspense>
      {dialog}
    </ResourceList>
  )
}

/** Used codes can only be copied and deleted; disabled ones are enabled before they are edited. */
function useRowActions(onEdit: (id: number) => void): { actions: (code: Redemption) => ReactNode; dialog: ReactNode } {
  const { t } = useTranslation(['redemptions', 'display'])
  const client = useQueryClient()
  const { ask, dialog } = useConfirm()
  const set = (code: Redemption, status: number): void => void saying(setCodeStatus(client, code, status), () => t('done'))
  const remove = (code: Redemption): void =>
    ask({
      title: t('delete-title', { name: code.name }),
      help: t('delete-help'),
      confirm: t('display:action.delete'),
      run: () => saying(removeCode(client, code), () => t('done')),
    })
  const actions = (code: Redemption): ReactNode => (
    <RowActions
      inline={[
        { label: t('action.copy'), icon: <Copy />, run: () => void copyText(code.key) },
        ...(code.status === RedemptionStatus.unused
          ? [{ label: t('display:action.edit'), icon: <Pencil />, run: () => onEdit(code.id) }]
          : []),
      ]}
      menu={[
        ...(code.status === RedemptionStatus.unused
          ? [{ id: 'disable', label: t('display:action.disable'), icon: <Ban />, run: () => set(code, RedemptionStatus.disabled) }]
          : []),
        ...(code.status === RedemptionStatus.disabled
          ? [{ id: 'enable', label: t('display:action.enable'), icon: <CircleCheck />, run: () => set(code, RedemptionStatus.unused) }]
          : []),
        { id: 'delete', label: t('display:action.delete'), icon: <Trash2 />, isDangerous: true, run: () => remove(code) },
      ]}
    />
  )
  return { actions, dialog }
}

function CopySelected({ rows }: Selected<Redemption>): ReactNode {
  const { t } = useTranslation('redemptions')
  return (
    <Button
      variant="outline"
      onClick={() => (rows.length === 0 ? toast.error(t('select-first')) : void copyText(rows.map(({ key }) => key).join('\n')))}
    >
      <Copy />
      {t('action.copy-selected')}
    </Button>
  )
}
