import { Button, chakra, Flex, Input } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ChannelKey } from '@tollgate/contracts/channels/channel-keys'
import type { Tone } from '@tollgate/domain/display/tone'
import { durationText, timeText } from '@tollgate/domain/display/time-text'
import { Ban, CalendarClock, CircleCheck, FlaskConical, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { saying } from '../../../lib/saying.ts'
import { toast } from '../../../lib/toast.ts'
import { StatusTag } from '../../../ui/display/tone-tag.tsx'
import { RowMenu, type MenuAction } from '../../../ui/list/row-menu.tsx'
import { ErrorState } from '../../../ui/page/states.tsx'
import { useConfirm } from '../../../ui/overlay/use-confirm.tsx'
import { testKey } from '../api.ts'
import { changeKeys, channelKeysOf } from './keys-api.ts'
import { KeyDialog, type WantedKeyDialog } from './key-dialog.tsx'
import { isUsable, keysFound } from './keys-view.ts'
import { balanceText } from '../channel-display.ts'
import { useVendorMessage } from '../../../ui/display/vendor-message.ts'

const TONES = {
  enabled: 'green',
  draining: 'yellow',
  disabled: 'grey',
  'auto-disabled': 'orange',
  expired: 'red',
} as const satisfies Record<ChannelKey['state'], Tone>
const SHOWN = 50
const SEARCHED_FROM = 6
const SECOND = 1_000

/** The keys of a channel by their last characters: state with evidence, expiry, and what can be done with each. */
export function KeysSection({ channel_id }: { readonly channel_id: number }): ReactNode {
  const { t } = useTranslation('channel-keys')
  const { data: keys, error, refetch } = useQuery(channelKeysOf(channel_id))
  const [search, setSearch] = useState('')
  const [wanted, setWanted] = useState<WantedKeyDialog | undefined>(undefined)
  const actionsOf = useKeyActions(channel_id, setWanted)
  if (keys === undefined && error !== null) return <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} />
  // As high as one key and its text, so that the form below does not move.
  if (keys === undefined) return <chakra.div minH="40" aria-busy />
  const found = keysFound(keys, search)
  return (
    <chakra.section display="flex" flexDirection="column" gap="3" aria-label={t('title')}>
      <Flex align="center" justify="space-between" gap="3" wrap="wrap">
        <chakra.span color="text.strong">{t('summary', { count: keys.length, usable: keys.filter(isUsable).length })}</chakra.span>
        <Button type="button" size="sm" variant="outline" onClick={() => setWanted({ kind: 'add' })}>
          <Plus />
          {t('add')}
        </Button>
      </Flex>
      {keys.length < SEARCHED_FROM ? null : (
        <Input
          size="sm"
          fontFamily="mono"
          placeholder={t('search')}
          aria-label={t('search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => (event.key === 'Enter' ? event.preventDefault() : undefined)}
        />
      )}
      {found.length === 0 ? (
        <chakra.p color="text.muted">{t('none-found')}</chakra.p>
      ) : (
        <chakra.ul listStyleType="none" borderWidth="1px" borderColor="border" borderRadius="control">
          {found.slice(0, SHOWN).map((key) => (
            <KeyLine key={key.key_id} item={key} actions={actionsOf.of(key)} />
          ))}
        </chakra.ul>
      )}
      {found.length > SHOWN ? <chakra.p color="text.muted">{t('more', { count: found.length - SHOWN })}</chakra.p> : null}
      <chakra.p color="text.muted" textStyle="xs">
        {t('help')}
        {keys.some(({ balance }) => balance !== undefined) ? ` ${t('balance-help')}` : ''}
      </chakra.p>
      {actionsOf.dialog}
      {wanted === undefined ? null : <KeyDialog channel_id={channel_id} wanted={wanted} onClose={() => setWanted(undefined)} />}
    </chakra.section>
  )
}

/** Actions for a key; questions open a dialog. */
function useKeyActions(channel_id: number, open: (dialog: WantedKeyDialog) => void) {
  const { t } = useTranslation('channel-keys')
  const client = useQueryClient()
  const { ask, dialog } = useConfirm()
  const vendor = useVendorMessage()
  const run = (body: Parameters<typeof changeKeys>[2]): Promise<void> => saying(changeKeys(client, channel_id, body), () => t('done'))
  const of = (key: ChannelKey): readonly MenuAction[] => {
    const { key_id, state, tail } = key
    const isOut = state === 'disabled' || state === 'auto-disabled'
    const remove = (): void =>
      ask({
        title: t('delete-title', { tail }),
        help: t('delete-help'),
        confirm: t('action.delete'),
        run: () => run({ key_ids: [key_id], action: 'delete' }),
      })
    const test = (): void =>
      void testKey(client, channel_id, key_id).then(
        (seconds) => toast.success(t('tested', { tail, time: durationText(seconds * SECOND) })),
        (error: unknown) => toast.error(vendor.ofTest(failureText(error) ?? '')),
      )
    return [
      { id: 'test', label: t('action.test'), icon: <FlaskConical />, run: test },
      isOut
        ? {
            id: 'enable',
            label: t('action.enable'),
            icon: <CircleCheck />,
            run: () => void run({ key_ids: [key_id], action: 'enable' }),
          }
        : { id: 'disable', label: t('action.disable'), icon: <Ban />, run: () => open({ kind: 'disable', key }) },
      { id: 'rotate', label: t('action.rotate'), icon: <RefreshCw />, run: () => open({ kind: 'rotate', key }) },
      { id: 'expire', label: t('action.expire'), icon: <CalendarClock />, run: () => open({ kind: 'expire', key }) },
      { id: 'delete', label: t('action.delete'), icon: <Trash2 />, isDangerous: true, run: remove },
    ]
  }
  return { of, dialog }
}

function KeyLine({ item, actions }: { readonly item: ChannelKey; readonly actions: readonly MenuAction[] }): ReactNode {
  const { t } = useTranslation('channel-keys')
  const name = item.tail === '' ? t('short') : `…${item.tail}`
  const vendor = useVendorMessage()
  const facts = factsOf({ ...item, reason: vendor.ofAnswer(item.reason, item.status) }, t)
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="3"
      px="3"
      py="1"
      borderBottomWidth="1px"
      borderColor="border"
      _last={{ borderBottomWidth: '0' }}
    >
      <chakra.span fontFamily="mono" color="text.strong">
        {name}
      </chakra.span>
      <StatusTag tone={TONES[item.state]}>{t(`state.${item.state}`)}</StatusTag>
      <chakra.span ms="auto">
        <RowMenu label={`${t('title')} ${name}`} actions={actions} />
      </chakra.span>
      {facts.length === 0 ? null : (
        <chakra.span flexBasis="100%" color="text.muted" textStyle="xs" pb="1" overflowWrap="anywhere">
          {facts.join(' · ')}
        </chakra.span>
      )}
    </chakra.li>
  )
}

type Translate = ReturnType<typeof useTranslation<'channel-keys'>>['t']

function factsOf({ state, reason, time, expires_at, added_at, replaced_by, balance }: ChannelKey, t: Translate): readonly string[] {
  const disabled = time === 0 ? [] : [t('disabled-at', { reason: reason === '' ? t('no-reason') : reason, time: timeText(time) })]
  const expiry = expires_at === 0 ? [] : [t(state === 'expired' ? 'expired-at' : 'expires-at', { time: timeText(expires_at) })]
  return [
    ...(balance === undefined ? [] : [balanceFact(balance, t)]),
    ...disabled,
    ...expiry,
    ...(replaced_by === '' ? [] : [t('replaced-by', { tail: replaced_by })]),
    ...(added_at === 0 ? [] : [t('added-at', { time: timeText(added_at) })]),
  ]
}

function balanceFact({ amount, at, detail }: NonNullable<ChannelKey['balance']>, t: Translate): string {
  const time = timeText(at)
  return amount === null ? t('balance-unknown', { reason: detail, time }) : t('balance', { amount: balanceText(amount), time })
}
