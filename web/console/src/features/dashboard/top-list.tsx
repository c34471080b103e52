import { chakra } from '@chakra-ui/react'
import type { UsageSeries } from '@tollgate/contracts/resources/dashboard'
import { Link } from '@tanstack/react-router'
import { Download, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SparkLine } from '../../ui/chart/spark-line.tsx'
import { FactTable } from '../../ui/display/fact-table.tsx'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { csvOf, saveCsv } from '../../ui/list/csv.ts'
import type { Column } from '../../ui/list/table-columns.ts'
import { Panel } from '../../ui/page/panel.tsx'
import type { Shared } from './charts.tsx'
import { linkOf } from './links.ts'
import { useMetricTexts } from './use-metric.ts'
import { startsOf, valueOf, type Metric } from './chart-data.ts'

type Key = UsageSeries['keys'][number]
type TopListProps = Shared & { readonly data: UsageSeries; readonly isRoot: boolean }

/** The largest of what the charts are split by, with everything that is known about each. */
export function TopList(props: TopListProps): ReactNode {
  const { t } = useTranslation(['dashboard', 'display'])
  const columns = useColumns(props)
  const { keys } = props.data
  return (
    <Panel
      title={t('top.title')}
      help={t('top.help')}
      isFlush
      action={
        <IconButton size="sm" label={t('display:chart.save')} onClick={() => saveCsv('top-list', csvOf(columns, keys))}>
          <Download />
        </IconButton>
      }
    >
      <FactTable
        label={t('top.title')}
        rows={keys}
        columns={columns}
        idOf={({ key }) => key}
        onRow={(one) => props.onLog(linkOf(props, { key: one }))}
      />
    </Panel>
  )
}

function useColumns(props: TopListProps): readonly Column<Key>[] {
  const { data, frame, by, rank, isRoot } = props
  const { t } = useTranslation('dashboard')
  const textsOf = useMetricTexts()
  const starts = startsOf(frame.period, data.unit, data.is_utc ? 0 : frame.timezone)
  const nameOf = ({ name }: Key): string => (name === '' ? t('chart.none') : name)
  const course = ({ key }: Key): number[] => {
    const points = new Map(data.points.filter((point) => point.key === key).map((point) => [point.at, point[rank]]))
    return starts.map((at) => points.get(at) ?? 0)
  }
  const number = (id: 'quota' | 'requests' | 'tokens'): Column<Key> => ({
    id,
    header: t(`top.${id}`),
    cell: (one) => textsOf(id).textOf(one[id]),
    text: (one) => one[id],
    align: 'end',
  })
  const rate = (id: 'errors' | 'duration' | 'p95' | 'first' | 'cache', metric: Metric): Column<Key> => {
    const value = (one: Key): number | undefined => valueOf(metric, one)
    return {
      id,
      header: t(`top.${id}`),
      cell: (one) => textOf(value(one), textsOf(metric).textOf),
      text: (one) => value(one) ?? '',
      align: 'end',
    }
  }
  const margin: readonly Column<Key>[] = [
    {
      id: 'cost',
      header: t('top.cost'),
      cell: ({ cost }) => textOf(cost, textsOf('quota').textOf),
      text: ({ cost }) => cost ?? '',
      align: 'end',
    },
    {
      id: 'margin',
      header: t('top.margin'),
      cell: (one) => <Margin sums={one} />,
      text: ({ quota, cost }) => (cost === undefined ? '' : quota - cost),
      align: 'end',
    },
  ]
  return [
    {
      id: 'name',
      header: t(`name.${by}`),
      cell: (one) => (
        <chakra.span display="inline-flex" alignItems="center" gap="1">
          <chakra.button
            type="button"
            color="text.strong"
            fontWeight="medium"
            cursor="pointer"
            borderRadius="xs"
            focusVisibleRing="outside"
          >
            {nameOf(one)}
          </chakra.button>
          {by === 'user' && Number(one.key) > 0 ? <UserLink id={Number(one.key)} name={nameOf(one)} /> : null}
        </chakra.span>
      ),
      text: nameOf,
    },
    {
      id: 'course',
      header: t('top.course'),
      cell: (one) => <SparkLine values={course(one)} label={`${t(`rank.${rank}`)}: ${nameOf(one)}`} />,
    },
    number('quota'),
    ...(isRoot && by === 'channel' ? margin : []),
    number('requests'),
    number('tokens'),
    rate('errors', 'error-rate'),
    rate('duration', 'duration'),
    rate('p95', 'p95'),
    rate('first', 'first-p95'),
    rate('cache', 'cache-share'),
  ]
}

/** From a row to its user; the row itself opens the log. */
function UserLink({ id, name }: { readonly id: number; readonly name: string }): ReactNode {
  const { t } = useTranslation('dashboard')
  const label = t('top.user', { name })
  return (
    <chakra.span
      asChild
      display="inline-flex"
      p="1"
      borderRadius="xs"
      color="text.muted"
      focusVisibleRing="outside"
      _hover={{ color: 'accent.fg' }}
    >
      <Link to="/user" search={{ open: id }} aria-label={label} data-hint={label} onClick={(event) => event.stopPropagation()}>
        <UserRound size={14} aria-hidden />
      </Link>
    </chakra.span>
  )
}

const textOf = (value: number | undefined, write: (value: number) => string): string => (value === undefined ? '–' : write(value))

/** The margin of the charges over upstream’s price; a loss is coloured. */
function Margin({ sums: { quota, cost } }: { readonly sums: Key }): ReactNode {
  const textsOf = useMetricTexts()
  if (cost === undefined) return '–'
  const left = quota - cost
  const share = quota === 0 ? '' : ` (${((left / quota) * 100).toFixed(0)}%)`
  return <chakra.span color={left < 0 ? 'danger.fg' : 'inherit'}>{`${textsOf('quota').textOf(left)}${share}`}</chakra.span>
}
