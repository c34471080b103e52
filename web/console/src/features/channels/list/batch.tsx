import { Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { Coins, Download, FlaskConical, ListChecks, PencilLine, Route, Tags, Trash2, Upload, Wallet, Wrench } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saying } from '../../../lib/saying.ts'
import { toast } from '../../../lib/toast.ts'
import type { Selected } from '../../../ui/list/resource-list.tsx'
import { RowMenu } from '../../../ui/list/row-menu.tsx'
import { useConfirm } from '../../../ui/overlay/use-confirm.tsx'
import { removeDisabled, removeMany, repair } from '../api.ts'
import type { WantedRun } from '../runs/run-drawer.tsx'
import { TagDialog } from './tag-dialog.tsx'
import { channelsOf, type ChannelRow } from '../channel-display.ts'

/** Actions on all channels at once, or the selected ones when the bar of the selection is not there to say that none is. */
type BatchProps = Selected<ChannelRow> & { readonly onRun: (run: WantedRun) => void }

type MaintenanceProps = BatchProps & {
  readonly onForecast: () => void
  readonly onCosts: () => void
  readonly onExport: (ids: readonly number[]) => void
  readonly onImport: () => void
}

export function Maintenance({ onRun, onForecast, onCosts, onExport, onImport, ...selected }: MaintenanceProps): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
  const client = useQueryClient()
  const navigate = useNavigate()
  const { ask, dialog } = useConfirm()
  const { removeSelected, question } = useRemoval(selected)
  const fix = (): void =>
    ask({
      title: t('fix-title'),
      help: t('fix-help'),
      confirm: t('action.fix'),
      isDangerous: false,
      run: () => saying(repair(client), (count) => t('fix-done', { count })),
    })
  const removeAllDisabled = (): void =>
    ask({
      title: t('delete-disabled-title'),
      help: t('delete-disabled-help'),
      confirm: t('display:action.delete'),
      run: () => saying(removeDisabled(client), (count) => t('delete-disabled-done', { count })),
    })
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
          { id: 'forecast', label: t('action.forecast'), icon: <Route />, run: onForecast },
          { id: 'costs', label: t('action.costs'), icon: <Coins />, run: onCosts },
          { id: 'what-if', label: t('action.what-if'), icon: <Route />, run: () => void navigate({ to: '/what-if' }) },
          { id: 'test-all', label: t('test-all'), icon: <FlaskConical />, run: () => onRun({ kind: 'test' }) },
          { id: 'balance-all', label: t('balance-all'), icon: <Wallet />, run: () => onRun({ kind: 'balance' }) },
          { id: 'models-all', label: t('models-all'), icon: <ListChecks />, run: () => onRun({ kind: 'models' }) },
          {
            id: 'export',
            label: t('action.export'),
            icon: <Download />,
            run: () => onExport(channelsOf(selected.rows).map(({ id }) => id)),
          },
          { id: 'import', label: t('action.import'), icon: <Upload />, run: onImport },
          { id: 'fix', label: t('action.fix'), icon: <Wrench />, run: fix },
          { id: 'delete-selected', label: t('action.delete-selected'), icon: <Trash2 />, isDangerous: true, run: removeSelected },
          { id: 'delete-disabled', label: t('action.delete-disabled'), icon: <Trash2 />, isDangerous: true, run: removeAllDisabled },
        ]}
      />
      {dialog}
      {question}
    </>
  )
}

/** Asks before the selected channels are deleted; without a selection it says so and asks nothing. */
function useRemoval({ rows, clear }: Selected<ChannelRow>): { readonly removeSelected: () => void; readonly question: ReactNode } {
  const { t } = useTranslation(['channels', 'display'])
  const client = useQueryClient()
  const { ask, dialog } = useConfirm()
  const channels = channelsOf(rows)
  const removeSelected = (): void => {
    if (channels.length === 0) return toast.error(t('select-first'))
    return ask({
      title: t('delete-batch-title', { count: channels.length }),
      help: t('delete-batch-help', { names: channels.map(({ name }) => name).join(', ') }),
      confirm: t('display:action.delete'),
      run: async () => {
        const ids = channels.map(({ id }) => id)
        await saying(removeMany(client, ids), (count) => t('delete-batch-done', { count }))
        clear()
      },
    })
  }
  return { removeSelected, question: dialog }
}

/** Actions for the selected channels. */
export function BatchActions({
  onRun,
  onEdit,
  ...selected
}: BatchProps & { readonly onEdit: (channels: readonly Channel[]) => void }): ReactNode {
  const { t } = useTranslation('channels')
  const [isTagging, setTagging] = useState(false)
  const { removeSelected, question } = useRemoval(selected)
  const channels = channelsOf(selected.rows)
  const ids = channels.map(({ id }) => id)
  const stop = (): void => setTagging(false)
  return (
    <>
      <Button size="sm" variant="outline" onClick={() => onRun({ kind: 'test', ids })}>
        <FlaskConical />
        {t('test-selected')}
      </Button>
      <Button size="sm" variant="outline" onClick={() => onRun({ kind: 'balance', ids })}>
        <Wallet />
        {t('balance-selected')}
      </Button>
      <Button size="sm" variant="outline" onClick={() => onRun({ kind: 'models', ids })}>
        <ListChecks />
        {t('models-selected')}
      </Button>
      <Button size="sm" variant="outline" onClick={() => onEdit(channels)}>
        <PencilLine />
        {t('action.edit-selected')}
      </Button>
      <Button size="sm" variant="outline" onClick={() => (ids.length === 0 ? toast.error(t('tag-dialog-select-first')) : setTagging(true))}>
        <Tags />
        {t('action.tag-selected')}
      </Button>
      <Button size="sm" variant="outline" color="danger.fg" onClick={removeSelected}>
        <Trash2 />
        {t('action.delete-selected')}
      </Button>
      {question}
      {isTagging ? <TagDialog ids={ids} onClose={stop} onDone={() => (stop(), selected.clear())} /> : null}
    </>
  )
}
