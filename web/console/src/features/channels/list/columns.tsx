import { chakra } from '@chakra-ui/react'
import type { Channel, ChannelHealth } from '@tollgate/contracts/resources/channels'
import { timeText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import { ChevronDown, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resources } from '../../../i18n/resources.ts'
import { CopyId } from '../../../ui/display/copy-button.tsx'
import { CutText, TimeText } from '../../../ui/display/number-text.tsx'
import { QuotaText } from '../../../ui/display/quota-text.tsx'
import type { Column } from '../../../ui/list/table-columns.ts'
import { StatusTag, ToneTag } from '../../../ui/display/tone-tag.tsx'
import { CostCell, HealthCell, TestCell, TodayCell } from '../health/health-cells.tsx'
import { ChannelNumber } from './number-cells.tsx'
import type { useRowActions } from './row-actions.tsx'
import {
  balanceText,
  evidenceOf,
  findType,
  groupsOf,
  isEnabled,
  keysOutOf,
  modelsOf,
  nameOfRow,
  statusOf,
  type ChannelRow,
} from '../channel-display.ts'
import { useVendorMessage } from '../../../ui/display/vendor-message.ts'

type Context = {
  readonly t: TFunction<['channels', 'display']>
  readonly language: 'zh' | 'en'
  readonly actions: Pick<ReturnType<typeof useRowActions>, 'of' | 'onNumber'>
  readonly onExpandTag: (tag: string) => void
  /** Opens the comparison of a channel's models with its vendor's. */
  readonly onModels: (channel: Channel) => void
  readonly health: ReadonlyMap<number, ChannelHealth> | undefined
}

/** The channel list's columns: one per field that helps the reader; keys and JSON fields stay in the drawer. */
export function channelColumns({ t, language, actions, onExpandTag, onModels, health }: Context): readonly Column<ChannelRow>[] {
  const column = columnOf(t)
  const typeName = (channel: Channel): string => findType(channel.type)?.name[language] ?? String(channel.type)
  const time = (channel: number): ReactNode => <TimeText time={channel} absent={t('display:time.never')} />
  const number = (name: 'priority' | 'weight'): Column<ChannelRow> => ({
    ...column(name, null, (channel) => channel[name]),
    cell: (row) => <ChannelNumber name={name} row={row} onNumber={actions.onNumber} />,
    align: 'end',
  })
  return [
    {
      ...column(
        'id',
        ({ id }) => <CopyId text={String(id)} />,
        ({ id }) => id,
      ),
      width: '3.5rem',
    },
    { ...column('name'), cell: (row) => <Name row={row} onExpandTag={onExpandTag} />, text: nameOfRow, isFixed: true, card: 'title' },
    { ...column('type', typeName, typeName), card: 'line' },
    {
      ...column('status', null, (channel) => statusOf(channel).text),
      cell: (row) => <Status row={row} health={health} onModels={onModels} />,
      card: 'status',
    },
    { ...column('health', ({ id }) => <HealthCell health={health?.get(id)} />), card: 'line' },
    column(
      'group',
      (channel) => <Groups names={groupsOf(channel)} />,
      ({ group }) => group,
    ),
    { ...column('models', (channel) => <Models names={modelsOf(channel)} />), align: 'end', isOptional: true },
    {
      ...column(
        'response',
        (channel) => <TestCell channel={channel} />,
        ({ response_time }) => response_time,
      ),
      align: 'end',
      card: 'line',
    },
    { ...column('today', ({ id }) => <TodayCell health={health?.get(id)} />), align: 'end' },
    { ...column('effective-cost', ({ id }) => <CostCell health={health?.get(id)} />), align: 'end', isOptional: true },
    { ...column('used', null, ({ used_quota }) => used_quota), cell: (row) => <Used row={row} />, align: 'end', card: 'line' },
    {
      ...column(
        'balance',
        (channel) => <Balance channel={channel} />,
        ({ balance }) => balance,
      ),
      align: 'end',
    },
    number('priority'),
    number('weight'),
    { ...column('tag', ({ tag }) => (tag === '' ? null : <ToneTag tone="grey">{tag}</ToneTag>)), isOptional: true },
    { ...column('created', ({ created_time }) => time(created_time)), isOptional: true },
    { ...column('tested', ({ test_time }) => time(test_time)), isOptional: true },
    { ...column('balance-updated', ({ balance_updated_time }) => time(balance_updated_time)), isOptional: true },
    {
      id: 'actions',
      header: t('display:table.actions'),
      cell: actions.of,
      isFixed: true,
      align: 'end',
      isSticky: 'end',
      card: 'actions',
    },
  ]
}

type ColumnId = keyof Resources['channels']['column']

/** A column about one channel: empty on the head of a tag. */
function columnOf(t: Context['t']) {
  return (
    id: ColumnId,
    show: ((channel: Channel) => ReactNode) | null = null,
    text?: (channel: Channel) => string | number,
  ): Column<ChannelRow> => ({
    id,
    header: t(`column.${id}`),
    cell: (row) => (row.kind === 'tag' ? null : show?.(row.channel)),
    ...(text === undefined ? {} : { text: (row: ChannelRow) => (row.kind === 'tag' ? row.tag : text(row.channel)) }),
  })
}

function Name({ row, onExpandTag }: { row: ChannelRow; onExpandTag: (tag: string) => void }): ReactNode {
  const { t } = useTranslation('channels')
  if (row.kind === 'channel') {
    return (
      <chakra.span color="text.strong" fontWeight="medium" display="block" {...(row.isInTag ? { ps: '6' } : {})}>
        <CutText text={row.channel.name} width="14rem" />
      </chakra.span>
    )
  }
  return (
    <chakra.button
      type="button"
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      cursor="pointer"
      borderRadius="sm"
      focusVisibleRing="outside"
      aria-expanded={row.isOpen}
      onClick={() => onExpandTag(row.tag)}
    >
      {row.isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
      <chakra.span color="text.strong" fontWeight="semibold">
        {row.tag === '' ? t('tag-none') : row.tag}
      </chakra.span>
      <chakra.span color="text.muted" textStyle="xs" fontWeight="normal">
        {t('tag-count', { count: row.channels.length })}
      </chakra.span>
    </chakra.button>
  )
}

type StatusProps = Pick<Context, 'health' | 'onModels'> & { readonly row: ChannelRow }

function Status({ row, health, onModels }: StatusProps): ReactNode {
  const { t } = useTranslation(['channels', 'display'])
  const vendor = useVendorMessage()
  if (row.kind === 'tag') {
    const enabled = row.channels.filter(isEnabled).length
    const tone = enabled === row.channels.length ? 'green' : enabled === 0 ? 'grey' : 'yellow'
    return <StatusTag tone={tone}>{t('tag-enabled', { enabled, total: row.channels.length })}</StatusTag>
  }
  const { tone, text } = statusOf(row.channel)
  const evidence = evidenceOf(row.channel)
  const reason =
    evidence === undefined || evidence.reason === ''
      ? t('status-no-reason')
      : t('status-reason', { reason: vendor.ofAnswer(evidence.reason, evidence.status) })
  const time = evidence === undefined || evidence.time <= 0 ? '' : `\n${t('status-time', { time: timeText(evidence.time) })}`
  const keysOut = keysOutOf(row.channel).length
  return (
    <chakra.span display="inline-flex" flexWrap="wrap" alignItems="center" gap="1">
      <StatusTag tone={tone} hint={evidence === undefined ? undefined : `${reason}${time}`}>
        {t(`display:channel.${text}`)}
      </StatusTag>
      {keysOut === 0 || evidence !== undefined ? null : <ToneTag tone="orange">{t('keys-out', { count: keysOut })}</ToneTag>}
      <Marks channel={row.channel} health={health?.get(row.channel.id)} onModels={onModels} />
    </chakra.span>
  )
}

type MarksProps = { readonly channel: Channel; readonly health: ChannelHealth | undefined; readonly onModels: Context['onModels'] }

/** Marks that can wait: keys disabled by hand, and models that only the vendor or only the channel has. */
function Marks({ channel, health, onModels }: MarksProps): ReactNode {
  const { t } = useTranslation('channels')
  const { keys_disabled = 0, models } = health ?? {}
  const fresh = models?.fresh.length ?? 0
  const gone = models?.gone.length ?? 0
  return (
    <>
      {keys_disabled === 0 ? null : (
        <ToneTag tone="grey" hint={t('keys-disabled-hint')}>
          {t('keys-disabled', { count: keys_disabled })}
        </ToneTag>
      )}
      {fresh + gone === 0 ? null : (
        <chakra.button
          type="button"
          display="inline-flex"
          cursor="pointer"
          borderRadius="sm"
          focusVisibleRing="outside"
          aria-label={t('models-differ-label', { name: channel.name, fresh, gone })}
          onClick={(event) => {
            event.stopPropagation()
            onModels(channel)
          }}
        >
          <ToneTag tone="blue" hint={t('models-differ-hint', { fresh, gone })}>
            {t('models-differ', { change: [fresh > 0 ? `+${fresh}` : '', gone > 0 ? `−${gone}` : ''].filter(Boolean).join(' ') })}
          </ToneTag>
        </chakra.button>
      )}
    </>
  )
}

const FEW_GROUPS = 2

function Groups({ names }: { names: readonly string[] }): ReactNode {
  const rest = names.slice(FEW_GROUPS)
  return (
    <chakra.span display="inline-flex" gap="1" alignItems="center">
      {names.slice(0, FEW_GROUPS).map((name) => (
        <ToneTag key={name} tone="grey">
          {name}
        </ToneTag>
      ))}
      {rest.length === 0 ? null : (
        <chakra.span color="text.muted" textStyle="xs" data-hint={rest.join('\n')}>{`+${rest.length}`}</chakra.span>
      )}
    </chakra.span>
  )
}

function Models({ names }: { names: readonly string[] }): ReactNode {
  const { t } = useTranslation('channels')
  return <chakra.span data-hint={names.slice(0, 30).join('\n')}>{t('model-count', { count: names.length })}</chakra.span>
}

function Used({ row }: { row: ChannelRow }): ReactNode {
  return (
    <QuotaText quota={row.kind === 'tag' ? row.channels.reduce((sum, { used_quota }) => sum + used_quota, 0) : row.channel.used_quota} />
  )
}

function Balance({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation('channels')
  if (channel.balance_updated_time <= 0) return <chakra.span color="text.muted">–</chakra.span>
  return (
    <chakra.span data-hint={`${t('column.balance-updated')} ${timeText(channel.balance_updated_time)}`}>
      {balanceText(channel.balance)}
    </chakra.span>
  )
}
