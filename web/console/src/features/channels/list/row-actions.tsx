import { useQueryClient } from '@tanstack/react-query'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { Ban, BellOff, CircleCheck, Copy, FlaskConical, ListChecks, Pencil, ScrollText, Trash2, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { saying } from '../../../lib/saying.ts'
import { toast } from '../../../lib/toast.ts'
import { RowActions } from '../../../ui/list/row-actions.tsx'
import { useConfirm } from '../../../ui/overlay/use-confirm.tsx'
import { copyChannel, acknowledgeFailure, readBalance, removeChannel, useToggleTag, useUpdateChannel, useUpdateTag } from '../api.ts'
import type { NumberChange } from './number-cells.tsx'
import { useTest } from '../runs/use-test.ts'
import { balanceText, isEnabled, type ChannelRow } from '../channel-display.ts'

type Opened = {
  readonly onEdit: (id: number) => void
  readonly onPickTest: (channel: Channel) => void
  readonly onEditTag: (tag: string) => void
  /** Opens the channel's errors in the log. */
  readonly onErrors: (channel: Channel) => void
  readonly isListed: (id: number) => boolean
  readonly isFailing: (id: number) => boolean
}

/** Actions of the rows: those that open something are given, those that call the server are done here. */
export function useRowActions({ onEdit, onPickTest, onEditTag, onErrors, isListed, isFailing }: Opened) {
  const { t } = useTranslation(['channels', 'display'])
  const client = useQueryClient()
  const { ask, dialog } = useConfirm()
  const update = useUpdateChannel()
  const updateTag = useUpdateTag()
  const toggleTag = useToggleTag()
  const { run, testing } = useTest()
  const test = (channel: Channel): void => (isListed(channel.id) ? run(channel) : toast.error(t('not-found')))
  const said = { onSuccess: () => toast.success(t('done')) }
  const copy = (channel: Channel): void =>
    void copyChannel(client, channel).then(
      () => toast.success(t('done')),
      (error: unknown) => toast.error(t('copy-failed', { reason: failureText(error) ?? '' })),
    )
  const updateBalance = (channel: Channel): void =>
    void readBalance(client, channel).then(
      (balance) => toast.success(t('balance-done', { name: channel.name, balance: balanceText(balance) })),
      (error: unknown) => toast.error(failureText(error) ?? ''),
    )
  const remove = (channel: Channel): void =>
    ask({
      title: t('delete-title', { name: channel.name }),
      help: t('delete-help'),
      confirm: t('display:action.delete'),
      run: () => saying(removeChannel(client, channel), () => t('done')),
    })
  const dismiss = (channel: Channel): void => void saying(acknowledgeFailure(client, channel), () => t('done'))
  const toggle = (channel: Channel): void =>
    update.mutate({ id: channel.id, status: isEnabled(channel) ? ChannelStatus.disabled : ChannelStatus.enabled }, said)
  const ofChannel = (channel: Channel): ReactNode => (
    <RowActions
      inline={[
        { label: t('action.test'), icon: <FlaskConical />, run: () => test(channel), isBusy: testing === channel.id },
        { label: t('display:action.edit'), icon: <Pencil />, run: () => onEdit(channel.id) },
      ]}
      menu={[
        { id: 'pick', label: t('action.test-model'), icon: <ListChecks />, run: () => onPickTest(channel) },
        isEnabled(channel)
          ? { id: 'disable', label: t('display:action.disable'), icon: <Ban />, run: () => toggle(channel) }
          : { id: 'enable', label: t('display:action.enable'), icon: <CircleCheck />, run: () => toggle(channel) },
        { id: 'balance', label: t('action.balance'), icon: <Wallet />, run: () => updateBalance(channel) },
        { id: 'errors', label: t('action.errors'), icon: <ScrollText />, run: () => onErrors(channel) },
        ...(isFailing(channel.id) ? [{ id: 'dismiss', label: t('action.dismiss'), icon: <BellOff />, run: () => dismiss(channel) }] : []),
        { id: 'copy', label: t('action.copy'), icon: <Copy />, run: () => copy(channel) },
        { id: 'delete', label: t('display:action.delete'), icon: <Trash2 />, isDangerous: true, run: () => remove(channel) },
      ]}
    />
  )
  const ofTag = (tag: string): ReactNode => (
    <RowActions
      inline={[{ label: t('action.edit-tag'), icon: <Pencil />, run: () => onEditTag(tag) }]}
      menu={[
        { id: 'enable', label: t('action.enable-tag'), icon: <CircleCheck />, run: () => toggleTag.mutate({ tag, isOn: true }, said) },
        { id: 'disable', label: t('action.disable-tag'), icon: <Ban />, run: () => toggleTag.mutate({ tag, isOn: false }, said) },
      ]}
    />
  )
  return {
    dialog,
    of: (row: ChannelRow): ReactNode => (row.kind === 'channel' ? ofChannel(row.channel) : row.tag === '' ? null : ofTag(row.tag)),
    onNumber: (row: ChannelRow, change: NumberChange): void =>
      row.kind === 'channel' ? update.mutate({ id: row.channel.id, ...change }, said) : updateTag.mutate({ tag: row.tag, ...change }, said),
  }
}
