import { chakra, Table } from '@chakra-ui/react'
import type { Explanation } from '@tollgate/contracts/relay/usage-event'
import { reproduceChoice, type ReproducedDraw } from '@tollgate/domain/channel-choice/reproduce'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dollarText } from '../../lib/dollar-text.ts'
import { percentText } from '../../lib/percent-text.ts'
import { CutText } from '../../ui/display/number-text.tsx'
import { TableFrame } from '../../ui/display/table-frame.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'

/** The recorded choice made again from its record: each draw with its probabilities, and whether the same attempts follow. */
export function ReproducedChoice({ explanation }: { readonly explanation: Explanation }): ReactNode {
  const { t } = useTranslation('logs')
  const reproduced = reproduceChoice(explanation)
  if (reproduced.kind === 'missing')
    return (
      <chakra.p textStyle="xs" color="text.muted">
        {t(`replay.missing.${reproduced.fact}`)}
      </chakra.p>
    )
  const { kind, draws, key_count } = reproduced
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1">
        <StatusTag tone={kind === 'exact' ? 'green' : 'red'}>{t(`replay.${kind}`)}</StatusTag>
        <chakra.span textStyle="xs" color="text.muted">
          {t(`replay.help.${kind}`)} {key_count === undefined ? '' : t('replay.keys', { number: key_count })}
        </chakra.span>
      </chakra.div>
      <Draws draws={draws} />
    </chakra.div>
  )
}

function Draws({ draws }: { readonly draws: readonly ReproducedDraw[] }): ReactNode {
  const { t } = useTranslation('logs')
  const hasGroups = draws.some(({ group }) => group !== undefined)
  return (
    <TableFrame label={t('replay.table')}>
      <Table.Root size="sm">
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeader>{t('replay.draw')}</Table.ColumnHeader>
            {hasGroups ? <Table.ColumnHeader>{t('explain.group')}</Table.ColumnHeader> : null}
            <Table.ColumnHeader>{t('column.channel')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('replay.probability')}</Table.ColumnHeader>
            <Table.ColumnHeader>{t('replay.decided')}</Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {draws.map((draw, nth) => (
            // Draws have no name but their place, which does not change.
            <Table.Row key={nth}>
              <Table.Cell>{nth + 1}</Table.Cell>
              {hasGroups ? <Table.Cell whiteSpace="nowrap">{draw.group}</Table.Cell> : null}
              <Chosen draw={draw} />
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </TableFrame>
  )
}

function Chosen({ draw: { candidates, chances, number, cost, is_same } }: { readonly draw: ReproducedDraw }): ReactNode {
  const { t } = useTranslation('logs')
  const chosen = candidates.find(({ result }) => result === 'chosen')
  if (chosen === undefined)
    return (
      <Table.Cell colSpan={3} color="text.muted">
        {t('replay.none')}
      </Table.Cell>
    )
  const share = chances.find(({ candidate }) => candidate.channel_id === chosen.channel_id)?.probability ?? 0
  const { chosen_by } = chosen
  return (
    <>
      <Table.Cell whiteSpace="nowrap">
        <CutText text={`#${chosen.channel_id} ${chosen.channel_name}`} />
      </Table.Cell>
      <Table.Cell textAlign="end" whiteSpace="nowrap">
        {percentText(share)}
      </Table.Cell>
      <Table.Cell whiteSpace={{ base: 'normal', sm: 'nowrap' }}>
        {chosen_by === undefined ? '' : t(`chosen-by.${chosen_by}`)}
        {chosen_by === undefined || number === undefined ? '' : ' · '}
        {number === undefined ? '' : t('replay.number', { number: number.toFixed(4) })}
        {chosen_by === undefined && number === undefined ? t('replay.only') : ''}
        {cost === undefined ? '' : ` · ${t(cost.is_measured ? 'replay.measured' : 'replay.listed', { usd: dollarText(cost.usd) })}`}
        {is_same === false ? <StatusTag tone="red">{t('replay.other')}</StatusTag> : null}
      </Table.Cell>
    </>
  )
}
