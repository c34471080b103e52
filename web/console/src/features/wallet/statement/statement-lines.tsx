import { Box, chakra, Flex, Table, Text } from '@chakra-ui/react'
import type { Statement, StatementLine } from '@tollgate/contracts/resources/statements'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TimeText } from '../../../ui/display/number-text.tsx'
import { QuotaText } from '../../../ui/display/quota-text.tsx'
import { causeOf } from '../../../ui/payment/statement-csv.ts'
import { useNarrow } from '../../../ui/page/use-narrow.ts'

/** The lines of a statement between its balances: a table, on a phone two lines each. */
export function StatementLines({ statement }: { readonly statement: Statement }): ReactNode {
  const { t } = useTranslation('statement')
  const isNarrow = useNarrow()
  const { lines, is_cut } = statement
  return (
    <>
      {isNarrow ? <Cards statement={statement} /> : <Lines statement={statement} />}
      {lines.length === 0 ? (
        <Text px="4" py="3" color="text.muted">
          {t('none')}
        </Text>
      ) : null}
      <Projects statement={statement} />
      {is_cut ? (
        <Text px="4" py="3" color="warning.fg">
          {t('cut')}
        </Text>
      ) : null}
    </>
  )
}

/** Usage of an organisation's month by project. */
function Projects({ statement: { projects = [] } }: { readonly statement: Statement }): ReactNode {
  const { t } = useTranslation('statement')
  if (projects.length === 0) return null
  return (
    <Box px="4" py="3" borderTopWidth="1px">
      <Text fontWeight="medium">{t('projects')}</Text>
      {projects.map(({ id, name, quota, requests }) => (
        <Flex key={id} justify="space-between" gap="3" textStyle="sm" pt="1">
          <Text>{id === 0 ? t('no-project') : name}</Text>
          <Flex gap="3">
            <Text color="text.muted">{t('requests', { count: requests })}</Text>
            <QuotaText quota={quota} />
          </Flex>
        </Flex>
      ))}
    </Box>
  )
}

function Lines({ statement: { opening, closing, lines } }: { readonly statement: Statement }): ReactNode {
  const { t } = useTranslation('statement')
  return (
    <Box overflowX="auto" tabIndex={0} role="group" aria-label={t('lines')} focusVisibleRing="inside">
      <Table.Root size="sm">
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeader>{t('column.time')}</Table.ColumnHeader>
            <Table.ColumnHeader>{t('column.cause')}</Table.ColumnHeader>
            <Table.ColumnHeader>{t('column.reference')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('column.amount')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('column.balance')}</Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          <Sum label={t('opening')} quota={opening} />
          {lines.map((line) => (
            <Table.Row key={keyOf(line)}>
              <Table.Cell whiteSpace="nowrap">
                <Moment line={line} />
              </Table.Cell>
              <Table.Cell>
                <Cause line={line} />
              </Table.Cell>
              <Table.Cell>
                <Reference line={line} />
              </Table.Cell>
              <Table.Cell textAlign="end">
                <Amount line={line} />
              </Table.Cell>
              <Table.Cell textAlign="end">
                <QuotaText quota={line.balance} />
              </Table.Cell>
            </Table.Row>
          ))}
          <Sum label={t('closing')} quota={closing} />
        </Table.Body>
      </Table.Root>
    </Box>
  )
}

function Sum({ label, quota }: { readonly label: string; readonly quota: number }): ReactNode {
  return (
    <Table.Row fontWeight="medium" color="text.strong">
      <Table.Cell colSpan={4}>{label}</Table.Cell>
      <Table.Cell textAlign="end">
        <QuotaText quota={quota} />
      </Table.Cell>
    </Table.Row>
  )
}

function Cards({ statement: { opening, closing, lines } }: { readonly statement: Statement }): ReactNode {
  const { t } = useTranslation('statement')
  return (
    <chakra.ul listStyleType="none">
      <CardSum label={t('opening')} quota={opening} />
      {lines.map((line) => (
        <chakra.li key={keyOf(line)} px="4" py="2.5" borderBottomWidth="1px" borderColor="border">
          <Flex gap="3" justify="space-between" align="baseline">
            <chakra.span minW="0" overflowWrap="anywhere">
              <Cause line={line} />
            </chakra.span>
            <chakra.span flexShrink="0" fontWeight="medium">
              <Amount line={line} />
            </chakra.span>
          </Flex>
          <Flex gap="3" justify="space-between" align="baseline" textStyle="xs" color="text.muted">
            <Moment line={line} />
            <QuotaText quota={line.balance} />
          </Flex>
          <Reference line={line} />
        </chakra.li>
      ))}
      <CardSum label={t('closing')} quota={closing} />
    </chakra.ul>
  )
}

function CardSum({ label, quota }: { readonly label: string; readonly quota: number }): ReactNode {
  return (
    <chakra.li
      display="flex"
      justifyContent="space-between"
      px="4"
      py="2.5"
      fontWeight="medium"
      color="text.strong"
      borderBottomWidth="1px"
      borderColor="border"
      _last={{ borderBottomWidth: '0' }}
    >
      {label}
      <QuotaText quota={quota} />
    </chakra.li>
  )
}

type LineProps = { readonly line: StatementLine }

function Moment({ line }: LineProps): ReactNode {
  if (line.kind !== 'usage') return <TimeText time={line.at} absent="–" />
  return <chakra.span fontVariantNumeric="tabular-nums">{line.reference}</chakra.span>
}

function Cause({ line }: LineProps): ReactNode {
  const { t } = useTranslation('statement')
  const cause = causeOf(t, line)
  return (
    <>
      {t(`kind.${line.kind}`)}
      {cause === '' ? null : (
        <Text as="span" color="text.muted">
          {' · '}
          {cause}
        </Text>
      )}
    </>
  )
}

/** The number to quote to the operator; the date of a day's usage is its time already. */
function Reference({ line: { kind, reference } }: LineProps): ReactNode {
  if (kind === 'usage') return null
  return (
    <chakra.span display="block" fontFamily="mono" textStyle="xs" color="text.muted" overflowWrap="anywhere">
      {reference}
    </chakra.span>
  )
}

function Amount({ line: { amount } }: LineProps): ReactNode {
  return (
    <chakra.span color={amount < 0 ? 'text' : 'success.fg'}>
      {amount > 0 ? '+' : ''}
      <QuotaText quota={amount} />
    </chakra.span>
  )
}

const keyOf = ({ kind, reference, at }: StatementLine): string => `${kind} ${reference} ${at}`
