import { Alert, Button, chakra, Flex, Link, Skeleton, Stack, Switch, Table, Text } from '@chakra-ui/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { prices, type CatalogueView, type PriceEntries } from '@tollgate/contracts/resources/prices'
import type { Tone } from '@tollgate/domain/display/tone'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { CheckBox } from '../../ui/form/check-box.tsx'
import { matching } from '../../ui/form/pick-list.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { SearchField } from '../../ui/list/filter-bar.tsx'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { useNarrow } from '../../ui/page/use-narrow.ts'
import type { SettingValues } from '../../ui/settings/setting.ts'
import {
  CATALOGUE_COLUMNS,
  catalogueChanges,
  catalogueValues,
  textsWith,
  type CatalogueChange,
  type CatalogueColumn,
  type CatalogueMaps,
} from './catalogue-changes.ts'
import { DollarChange } from './dollar-change.tsx'
import { MapButton } from './map-button.tsx'
import { builtInCatalogue, useSchedule } from './price-tools-api.ts'
import { RefreshState } from './refresh-state.tsx'

type CatalogueProps = {
  readonly maps: CatalogueMaps
  /** The form has unsaved changes. */
  readonly isDraft: boolean
  /** The stored option `PriceRefreshEnabled`. */
  readonly isFollowing: boolean
  readonly onApply: (values: SettingValues) => void
  readonly onClose: () => void
}

const SHOWN = 200
const KINDS = { added: 'green', changed: 'blue', same: 'grey' } as const satisfies Record<CatalogueChange['kind'], Tone>
const ORDER = ['added', 'changed', 'same'] as const

/** Today's prices of the makers beside those of the form: the chosen ones are filled in, and saved like typed ones. */
export function CatalogueDrawer({ maps, isDraft, isFollowing, onApply, onClose }: CatalogueProps): ReactNode {
  const { t } = useTranslation('price-tools')
  const builtIn = useQuery(builtInCatalogue)
  const [read, setRead] = useState<CatalogueView | undefined>(undefined)
  const [isOutside, setOutside] = useState(false)
  const view = isOutside ? read : builtIn.data
  const choice = useChoice(maps, view)
  const apply = (): void => {
    onApply(catalogueValues(maps, choice.entries))
    toast.success(t('catalogue.applied', { count: choice.entries.size }))
    onClose()
  }
  return (
    <DetailDrawer
      title={t('catalogue.title')}
      size="lg"
      onClose={onClose}
      footer={
        <Button type="button" disabled={choice.entries.size === 0} onClick={apply}>
          {t('catalogue.apply', { count: choice.entries.size })}
        </Button>
      }
    >
      <Stack gap="4">
        <Text textStyle="sm" color="text.muted">
          {t('catalogue.help')}
        </Text>
        <RefreshState isOn={isFollowing} />
        <Flex gap="2" role="group" aria-label={t('catalogue.source')}>
          {([false, true] as const).map((outside) => (
            <Button
              key={String(outside)}
              type="button"
              size="sm"
              variant={outside === isOutside ? 'subtle' : 'outline'}
              aria-pressed={outside === isOutside}
              onClick={() => setOutside(outside)}
            >
              {t(outside ? 'catalogue.outside' : 'catalogue.built-in')}
            </Button>
          ))}
        </Flex>
        {isOutside ? <Address onRead={setRead} /> : null}
        {!isOutside && builtIn.error !== null && builtIn.data === undefined ? (
          <ErrorState message={t('catalogue.failed')} onRetry={() => void builtIn.refetch()} />
        ) : null}
        {!isOutside && builtIn.isPending ? <Skeleton height="12rem" /> : null}
        {view === undefined ? null : <Found view={view} choice={choice} maps={maps} isDraft={isDraft} />}
      </Stack>
    </DetailDrawer>
  )
}

function Address({ onRead }: { readonly onRead: (view: CatalogueView) => void }): ReactNode {
  const { t } = useTranslation('price-tools')
  const [address, setAddress] = useState('')
  const read = useMutation({ mutationFn: () => call(prices.readCatalogue, { body: { address: address.trim() } }), onSuccess: onRead })
  return (
    <Flex gap="2" align="end" wrap="wrap">
      <chakra.div flex="1" minW="16rem">
        <TextField label={t('catalogue.address')} help={t('catalogue.address-help')} value={address} onValue={setAddress} />
      </chakra.div>
      <Button type="button" variant="outline" loading={read.isPending} disabled={address.trim() === ''} onClick={() => read.mutate()}>
        {t('catalogue.read')}
      </Button>
    </Flex>
  )
}

type Choice = ReturnType<typeof useChoice>

/** The shown rows and the ticked ones; at first, served models without a price are ticked. */
function useChoice(maps: CatalogueMaps, view: CatalogueView | undefined) {
  const [isServedOnly, setServedOnly] = useState(true)
  const [keyword, setKeyword] = useState('')
  const [ticks, setTicks] = useState<ReadonlyMap<string, boolean>>(new Map())
  const changes = useMemo(() => catalogueChanges(maps, view?.rows ?? []), [maps, view])
  const hasServed = changes.some(({ row }) => row.is_served)
  const inScope = changes.filter(({ row }) => !isServedOnly || !hasServed || row.is_served)
  const found = new Set(
    matching(
      inScope.map(({ row }) => row.name),
      keyword,
    ),
  )
  const shown = inScope
    .filter(({ row }) => found.has(row.name))
    .toSorted((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind))
  const isChosen = ({ row, kind }: CatalogueChange): boolean =>
    kind !== 'same' && (ticks.get(row.name) ?? (kind === 'added' && row.is_served))
  const entries = new Map<string, PriceEntries>(changes.filter(isChosen).map(({ row }) => [row.name, row.entries]))
  const choose = (list: readonly CatalogueChange[], chosen: boolean): void =>
    setTicks(new Map([...ticks, ...list.filter(({ kind }) => kind !== 'same').map(({ row }) => [row.name, chosen] as const)]))
  return { isServedOnly, setServedOnly, hasServed, keyword, setKeyword, shown, isChosen, choose, entries }
}

type FoundProps = {
  readonly view: CatalogueView
  readonly choice: Choice
  readonly maps: CatalogueMaps
  readonly isDraft: boolean
}

function Found({ view, choice, maps, isDraft }: FoundProps): ReactNode {
  const { t } = useTranslation('price-tools')
  const { shown } = choice
  return (
    <Stack gap="3">
      <Text textStyle="sm">
        {view.date === ''
          ? t('catalogue.count', { count: view.rows.length })
          : t('catalogue.dated', { date: view.date, count: view.rows.length })}
      </Text>
      <Flex gap="4" wrap="wrap" align="center">
        <SearchField value={choice.keyword} onChange={choice.setKeyword} placeholder={t('catalogue.search')} width="16rem" />
        {choice.hasServed ? (
          <Switch.Root checked={choice.isServedOnly} onCheckedChange={({ checked }) => choice.setServedOnly(checked)}>
            <Switch.HiddenInput />
            <Switch.Control>
              <Switch.Thumb />
            </Switch.Control>
            <Switch.Label>{t('catalogue.served-only')}</Switch.Label>
          </Switch.Root>
        ) : null}
      </Flex>
      <Flex gap="2" wrap="wrap">
        {ORDER.map((kind) => (
          <ToneTag key={kind} tone={KINDS[kind]}>
            {t(`import.${kind}`)} {shown.filter((change) => change.kind === kind).length}
          </ToneTag>
        ))}
      </Flex>
      {shown.length === 0 ? (
        <Text color="text.muted">{t('catalogue.none')}</Text>
      ) : (
        <Changes choice={choice} maps={maps} isDraft={isDraft} />
      )}
      <Unknown view={view} />
      <SuspectPrices view={view} />
    </Stack>
  )
}

type ChangesProps = Pick<FoundProps, 'choice' | 'maps' | 'isDraft'>

function Changes({ choice, maps, isDraft }: ChangesProps): ReactNode {
  const { t } = useTranslation('price-tools')
  const { shown } = choice
  const columns = CATALOGUE_COLUMNS.filter((column) =>
    shown.some(({ before, after }) => before[column] !== undefined || after[column] !== undefined),
  )
  const isNarrow = useNarrow()
  const open = shown.filter(({ kind }) => kind !== 'same')
  const chosen = open.filter(choice.isChosen).length
  return (
    <>
      <Table.ScrollArea
        borderWidth="1px"
        borderColor="border"
        borderRadius="control"
        maxH="28rem"
        tabIndex={0}
        aria-label={t('catalogue.list')}
      >
        <Table.Root size="sm" stickyHeader>
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader width="8">
                <CheckBox
                  label={t('catalogue.all')}
                  isChecked={open.length > 0 && chosen === open.length}
                  isPartly={chosen > 0}
                  onChange={() => choice.choose(open, chosen < open.length)}
                />
              </Table.ColumnHeader>
              <Table.ColumnHeader>{t('column.model')}</Table.ColumnHeader>
              {(isNarrow ? [] : columns).map((column) => (
                <Table.ColumnHeader key={column} textAlign="end">
                  {t(`column.${column}`)}
                </Table.ColumnHeader>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {shown.slice(0, SHOWN).map((change) => (
              <ChangeRow
                key={change.row.name}
                change={change}
                columns={columns}
                isNarrow={isNarrow}
                choice={choice}
                maps={maps}
                isDraft={isDraft}
              />
            ))}
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
      {shown.length > SHOWN ? <Text textStyle="xs">{t('import.more-rows', { count: shown.length - SHOWN })}</Text> : null}
    </>
  )
}

type RowProps = ChangesProps & {
  readonly change: CatalogueChange
  readonly columns: readonly CatalogueColumn[]
  /** Prices stand below the name instead of in columns. */
  readonly isNarrow: boolean
}

function ChangeRow({ change, columns, isNarrow, choice, maps, isDraft }: RowProps): ReactNode {
  const { t } = useTranslation(['price-tools', 'options'])
  const { row, kind, before, after, others } = change
  return (
    <Table.Row>
      <Table.Cell verticalAlign="top" py="2">
        {kind === 'same' ? null : (
          <CheckBox
            label={row.name}
            isChecked={choice.isChosen(change)}
            onChange={() => choice.choose([change], !choice.isChosen(change))}
          />
        )}
      </Table.Cell>
      <Table.Cell py="2">
        <Text fontFamily="mono" textStyle="xs" overflowWrap="anywhere" minW="10rem">
          {row.name}
        </Text>
        <Flex gap="1" wrap="wrap" mt="1" align="center">
          <ToneTag tone={KINDS[kind]}>{t(`import.${kind}`)}</ToneTag>
          {row.retires === undefined ? null : (
            <ToneTag tone="orange" hint={row.successor === undefined ? undefined : t('catalogue.successor', { name: row.successor })}>
              {t('catalogue.retires', { date: row.retires })}
            </ToneTag>
          )}
          {row.is_served && row.retires !== undefined && row.successor !== undefined ? (
            <MapButton from={row.name} to={row.successor} />
          ) : null}
          {row.page === undefined ? null : (
            <Link href={row.page} target="_blank" rel="noreferrer" textStyle="xs">
              {row.maker}
            </Link>
          )}
        </Flex>
        {isNarrow ? <Prices change={change} columns={columns} /> : null}
        {others.length === 0 ? null : (
          <Text textStyle="xs" color="text.muted" mt="1">
            {t('catalogue.others', { names: others.map((key) => t(`options:${key}.label`)).join(t('catalogue.and')) })}
          </Text>
        )}
        {row.coming.map((next) => (
          <Coming key={next.from} name={row.name} next={next} maps={maps} isDraft={isDraft} />
        ))}
      </Table.Cell>
      {(isNarrow ? [] : columns).map((column) => (
        <Table.Cell key={column} py="2" textAlign="end" verticalAlign="top" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          <DollarChange before={before[column]} after={after[column]} />
        </Table.Cell>
      ))}
    </Table.Row>
  )
}

function Prices({ change: { before, after }, columns }: Pick<RowProps, 'change' | 'columns'>): ReactNode {
  const { t } = useTranslation('price-tools')
  return (
    <Flex columnGap="3" wrap="wrap" textStyle="xs" mt="1" fontVariantNumeric="tabular-nums">
      {columns
        .filter((column) => before[column] !== undefined || after[column] !== undefined)
        .map((column) => (
          <chakra.span key={column} whiteSpace="nowrap">
            <chakra.span color="text.muted">{t(`column.${column}`)}</chakra.span>{' '}
            <DollarChange before={before[column]} after={after[column]} />
          </chakra.span>
        ))}
    </Flex>
  )
}

type ComingProps = {
  readonly name: string
  readonly next: CatalogueChange['row']['coming'][number]
  readonly maps: CatalogueMaps
  readonly isDraft: boolean
}

/** A price that is known to change; scheduling it leaves everything else as it is stored. */
function Coming({ name, next: { from, lines, entries }, maps, isDraft }: ComingProps): ReactNode {
  const { t } = useTranslation('price-tools')
  const schedule = useSchedule()
  const submit = (): void =>
    schedule.mutate(
      { prices: textsWith(maps, name, entries), at: Date.parse(`${from}T00:00:00Z`) / 1000 },
      { onSuccess: () => toast.success(t('schedule.done')) },
    )
  return (
    <Flex gap="2" mt="1" align="center" wrap="wrap">
      <Text textStyle="xs" color="warning.fg">
        {t('catalogue.coming', { date: from, input: lines.input ?? '–', output: lines.output ?? '–' })}
      </Text>
      <Button
        type="button"
        size="xs"
        variant="ghost"
        loading={schedule.isPending}
        disabled={isDraft || schedule.isSuccess}
        onClick={submit}
        {...(isDraft ? { 'data-hint': t('catalogue.save-first') } : {})}
      >
        {schedule.isSuccess ? t('schedule.done') : t('catalogue.schedule')}
      </Button>
    </Flex>
  )
}

function Unknown({ view: { unknown } }: { readonly view: CatalogueView }): ReactNode {
  const { t } = useTranslation('price-tools')
  if (unknown.length === 0) return null
  return (
    <Text textStyle="sm" color="text.muted">
      {t('catalogue.unknown', { count: unknown.length, names: unknown.slice(0, 12).join(t('catalogue.and')) })}
    </Text>
  )
}

function SuspectPrices({ view: { suspect_prices } }: { readonly view: CatalogueView }): ReactNode {
  const { t } = useTranslation('price-tools')
  if (suspect_prices.length === 0) return null
  return (
    <Alert.Root status="warning">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{t('catalogue.doubts', { count: suspect_prices.length })}</Alert.Title>
        <Alert.Description>
          {suspect_prices.slice(0, 10).map(({ model, question }) => (
            <Text key={model} textStyle="xs" overflowWrap="anywhere">
              <chakra.span fontFamily="mono">{model}</chakra.span>: {question}
            </Text>
          ))}
        </Alert.Description>
      </Alert.Content>
    </Alert.Root>
  )
}
