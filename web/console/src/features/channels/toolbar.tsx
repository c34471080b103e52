import { Button, Switch } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Tags, Trash2, Wrench } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { report } from '../../lib/report.ts'
import { storage } from '../../lib/storage.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmDialog, type Confirmation } from '../../ui/overlay/confirm-dialog.tsx'
import { FilterBar, SearchField } from '../../ui/list/filter-bar.tsx'
import { RowMenu } from '../../ui/list/row-menu.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { groupNames, removeDisabled, removeMany, repair } from './api.ts'
import type { ChannelSearch } from './search.ts'
import { TagDialog } from './tag-dialog.tsx'
import { useChannelOrder } from './use-channel-list.ts'

type FiltersProps = { readonly search: ChannelSearch; readonly onSearch: (search: ChannelSearch) => void; readonly settings: ReactNode }

/** Search, group, model, and how the list is ordered. */
export function ChannelFilters({ search, onSearch, settings }: FiltersProps): ReactNode {
  const { t } = useTranslation('channels')
  const groups = useQuery(groupNames)
  const order = useChannelOrder()
  const set = useCallback((change: ChannelSearch) => onSearch({ ...search, page: 1, ...change }), [search, onSearch])
  const onKeyword = useCallback((keyword: string) => set({ keyword }), [set])
  const onModel = useCallback((model: string) => set({ model }), [set])
  const chips = (['keyword', 'group', 'model'] as const).flatMap((name) => {
    const value = search[name] ?? ''
    return value === '' ? [] : [{ id: name, label: t(`filter.${name}`), value, onClear: () => set({ [name]: '' }) }]
  })
  const remember = (key: 'channel-id-sort' | 'channel-tag-mode', isOn: boolean): void => {
    storage.set(key, isOn)
    set({})
  }
  return (
    <FilterBar chips={chips} onClear={() => onSearch({})}>
      <SearchField isMain value={search.keyword ?? ''} onChange={onKeyword} placeholder={t('search-placeholder')} width="18rem" />
      <Select
        label={t('filter.group')}
        value={search.group ?? ''}
        onChange={(group) => set({ group })}
        choices={[{ value: '', label: t('all-groups') }, ...(groups.data ?? []).map((name) => ({ value: name, label: name }))]}
      />
      <SearchField isMono value={search.model ?? ''} onChange={onModel} placeholder={t('model-placeholder')} width="11rem" />
      <Toggle label={t('id-sort')} isOn={order.id_sort} onChange={(isOn) => remember('channel-id-sort', isOn)} />
      <Toggle label={t('tag-mode')} isOn={order.tag_mode} onChange={(isOn) => remember('channel-tag-mode', isOn)} />
      {settings}
    </FilterBar>
  )
}

function Toggle({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }): ReactNode {
  return (
    <Switch.Root checked={isOn} onCheckedChange={({ checked }) => onChange(checked)} px="1">
      <Switch.HiddenInput />
      <Switch.Control>
        <Switch.Thumb />
      </Switch.Control>
      <Switch.Label whiteSpace="nowrap">{label}</Switch.Label>
    </Switch.Root>
  )
}

/** What concerns all channels at once, or the selected ones when the bar of the selection is not there to say that none is. */
export function Maintenance({ batch }: { readonly batch: BatchProps }): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
  const client = useQueryClient()
  const [confirmation, setConfirmation] = useState<Confirmation | undefined>(undefined)
  const confirmRemoval = useRemoval(batch)
  return (
    <>
      <RowMenu
        trigger={
          <Button variant="outline">
            <Wrench />
            {t('action.maintenance')}
          </Button>
        }
        actions={[
          {
            id: 'fix',
            label: t('action.fix'),
            icon: <Wrench />,
            run: () =>
              setConfirmation({
                title: t('fix-title'),
                help: t('fix-help'),
                confirm: t('action.fix'),
                isDangerous: false,
                run: () => saying(repair(client), (count) => t('fix-done', { count })),
              }),
          },
          {
            id: 'delete-selected',
            label: t('action.delete-selected'),
            icon: <Trash2 />,
            isDangerous: true,
            run: () => setConfirmation(confirmRemoval()),
          },
          {
            id: 'delete-disabled',
            label: t('action.delete-disabled'),
            icon: <Trash2 />,
            isDangerous: true,
            run: () =>
              setConfirmation({
                title: t('delete-disabled-title'),
                help: t('delete-disabled-help'),
                confirm: t('display:action.delete'),
                run: () => saying(removeDisabled(client), (count) => t('delete-disabled-done', { count })),
              }),
          },
        ]}
      />
      <ConfirmDialog ask={confirmation} onClose={() => setConfirmation(undefined)} />
    </>
  )
}

type BatchProps = { readonly ids: ReadonlySet<number>; readonly names: readonly string[]; readonly onDone: () => void }

/** The question before the selected channels are deleted; without a selection it says so and asks nothing. */
function useRemoval({ ids, names, onDone }: BatchProps): () => Confirmation | undefined {
  const { t } = useTranslation(['channels', 'display'])
  const client = useQueryClient()
  return () => {
    if (ids.size === 0) {
      toast.error(t('select-first'))
      return undefined
    }
    return {
      title: t('delete-batch-title', { count: ids.size }),
      help: t('delete-batch-help', { names: names.join(', ') }),
      confirm: t('display:action.delete'),
      run: async () => {
        await saying(removeMany(client, [...ids]), (count) => t('delete-batch-done', { count }))
        onDone()
      },
    }
  }
}

/** What can be done with the selected channels. */
export function BatchActions(batch: BatchProps): ReactNode {
  const { t } = useTranslation('channels')
  const { ids, onDone } = batch
  const [confirmation, setConfirmation] = useState<Confirmation | undefined>(undefined)
  const [isTagging, setTagging] = useState(false)
  const confirmRemoval = useRemoval(batch)
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => (ids.size === 0 ? toast.error(t('tag-dialog-select-first')) : setTagging(true))}>
        <Tags />
        {t('action.tag-selected')}
      </Button>
      <Button size="sm" variant="outline" color="danger.fg" onClick={() => setConfirmation(confirmRemoval())}>
        <Trash2 />
        {t('action.delete-selected')}
      </Button>
      <ConfirmDialog ask={confirmation} onClose={() => setConfirmation(undefined)} />
      {isTagging ? (
        <TagDialog
          ids={[...ids]}
          onClose={() => setTagging(false)}
          onDone={() => {
            setTagging(false)
            onDone()
          }}
        />
      ) : null}
    </>
  )
}

/** Runs the action and shows its result; a failed call shows the shared error toast. */
async function saying(work: Promise<number>, text: (count: number) => string): Promise<void> {
  try {
    toast.success(text(await work))
  } catch (error) {
    report(error)
  }
}
