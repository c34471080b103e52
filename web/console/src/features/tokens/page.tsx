import { Alert, Button } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { TokenStatus } from '@tollgate/contracts/enums'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { Ban, CircleCheck, Copy, KeyRound, Pencil, Plug, Trash2, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProjects } from '../../lib/organisations.ts'
import { may } from '../../lib/rights.ts'
import { saying } from '../../lib/saying.ts'
import { useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { CutText } from '../../ui/display/number-text.tsx'
import { ResourceList, type Selected } from '../../ui/list/resource-list.tsx'
import { RowActions } from '../../ui/list/row-actions.tsx'
import type { Column } from '../../ui/list/table-columns.ts'
import { useSearchableList } from '../../ui/list/use-list.ts'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { countOpenWork, removeToken, setTokenStatus, tokenCount, tokenSearch } from './api.ts'
import { tokenPage } from './token-page.ts'
import { tokenColumns } from './columns.tsx'
import type { TokenSearch } from './search.ts'
import { fullKey, isEnabled, keysText } from './token-display.ts'

const CreateTokenDrawer = lazy(async () => ({ default: (await import('./drawer.tsx')).CreateTokenDrawer }))
const CreatedDialog = lazy(async () => ({ default: (await import('./created-dialog.tsx')).CreatedDialog }))
const EditTokenDrawer = lazy(async () => ({ default: (await import('./drawer.tsx')).EditTokenDrawer }))

type TokensPageProps = { readonly search: TokenSearch; readonly onSearch: (search: TokenSearch) => void }

/** `/token`: the caller's own tokens. */
export function TokensPage({ search, onSearch }: TokensPageProps): ReactNode {
  const { t } = useTranslation(['tokens', 'display'])
  const { keyword = '', token = '' } = search
  const list = useSearchableList<Token>({
    page: search.page ?? 1,
    isFiltered: keyword !== '' || token !== '',
    paged: tokenPage,
    matches: tokenSearch({ keyword, token }),
    total: useQuery(tokenCount).data?.total,
  })
  const { actions, dialog } = useRowActions((edit) => onSearch({ ...search, edit }))
  const [made, setMade] = useState<readonly Token[]>([])
  const close = (): void => onSearch(withoutEdit(search))
  return (
    <ResourceList
      name="token"
      title={t('title')}
      list={list}
      columns={tokenColumns(t, actions, useOrganisationColumns())}
      filters={[
        { kind: 'text', name: 'keyword', label: t('filter.keyword'), placeholder: t('search-placeholder'), isMain: true },
        { kind: 'text', name: 'token', label: t('filter.token'), placeholder: t('search-key-placeholder'), isMono: true, width: '19rem' },
      ]}
      search={search}
      onSearch={onSearch}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={{ title: t('empty-title'), help: t('empty-help'), icon: <KeyRound /> }}
      {...(may(useUser(), 'tokens.write') ? { create: { label: t('create'), run: () => onSearch({ ...search, edit: 'new' }) } } : {})}
      actions={(selected) => <CopySelected {...selected} />}
      batch={(selected) => <CopySelected {...selected} />}
      onOpen={({ id, is_own }) => (is_own === false ? undefined : onSearch({ ...search, edit: id }))}
      lead={<Warning />}
    >
      <Suspense fallback={null}>
        {search.edit === 'new' ? <CreateTokenDrawer onClose={close} onMade={setMade} /> : null}
        {typeof search.edit === 'number' ? <EditTokenDrawer key={search.edit} id={search.edit} onClose={close} /> : null}
        {made.length > 0 && search.edit === undefined ? <CreatedDialog tokens={made} onClose={() => setMade([])} /> : null}
      </Suspense>
      {dialog}
    </ResourceList>
  )
}

/** Actions of a row, and the question before a deletion. */
function useRowActions(onEdit: (id: number) => void): { actions: (token: Token) => ReactNode; dialog: ReactNode } {
  const { t } = useTranslation(['tokens', 'display'])
  const client = useQueryClient()
  const navigate = useNavigate()
  const { ask, dialog } = useConfirm()
  const toggle = (token: Token): void =>
    void saying(setTokenStatus(client, token, isEnabled(token) ? TokenStatus.disabled : TokenStatus.enabled), () =>
      token.is_managed === true ? `${t('done')} ${t('managed-disable')}` : t('done'),
    )
  const remove = async (token: Token): Promise<void> => {
    // Without the count the question can still be put; the server refuses a deletion that it was not confirmed for.
    const count = await countOpenWork(token).catch(() => 0)
    ask({
      title: t('delete-title', { name: token.name }),
      help: [
        ...(count === 0 ? [] : [t('delete-open', { count })]),
        t('delete-help'),
        ...(token.is_managed === true ? [t('managed-remove')] : []),
      ].join(' '),
      confirm: t('display:action.delete'),
      run: () => saying(removeToken(client, token, count > 0), () => t('done')),
    })
  }
  const actions = (token: Token): ReactNode => {
    if (token.is_own === false) return null
    return (
      <RowActions
        inline={[
          { label: t('action.copy-key'), icon: <Copy />, run: () => void copyText(fullKey(token)) },
          { label: t('display:action.edit'), icon: <Pencil />, run: () => onEdit(token.id) },
        ]}
        menu={[
          {
            id: 'client-setup',
            label: t('action.client-setup'),
            icon: <Plug />,
            run: () => void navigate({ to: '/client-setup', search: { token: token.id } }),
          },
          isEnabled(token)
            ? { id: 'disable', label: t('display:action.disable'), icon: <Ban />, run: () => toggle(token) }
            : { id: 'enable', label: t('display:action.enable'), icon: <CircleCheck />, run: () => toggle(token) },
          { id: 'delete', label: t('display:action.delete'), icon: <Trash2 />, isDangerous: true, run: () => void remove(token) },
        ]}
      />
    )
  }
  return { actions, dialog }
}

/** Project of an organisation's token. */
function useOrganisationColumns(): readonly Column<Token>[] {
  const { t } = useTranslation('tokens')
  const isOfOrganisation = useUser()?.member !== undefined
  const projects = useProjects()
  if (!isOfOrganisation) return []
  const nameOf = ({ project_id }: Token): string => projects?.find(({ id }) => id === project_id)?.name ?? ''
  return [
    {
      id: 'project',
      header: t('column.project'),
      cell: (token) => <CutText text={nameOf(token)} />,
      text: nameOf,
      card: 'line',
      isAbsent: (token) => nameOf(token) === '',
    },
  ]
}

function CopySelected({ rows }: Selected<Token>): ReactNode {
  const { t } = useTranslation('tokens')
  return (
    <Button variant="outline" onClick={() => (rows.length === 0 ? toast.error(t('select-first')) : void copyText(keysText(rows)))}>
      <Copy />
      {t('action.copy-selected')}
    </Button>
  )
}

function Warning(): ReactNode {
  const { t } = useTranslation('tokens')
  return (
    <Alert.Root status="warning" flexShrink="0">
      <Alert.Indicator>
        <TriangleAlert />
      </Alert.Indicator>
      <Alert.Content>{t('warning')}</Alert.Content>
    </Alert.Root>
  )
}

const withoutEdit = ({ edit: _edit, ...rest }: TokenSearch): TokenSearch => rest
