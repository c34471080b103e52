import { Alert, Button, ButtonGroup, Skeleton, Stack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ENDPOINT_TYPES, type PricingAnswer } from '@tollgate/contracts/resources/pricing'
import { RATIO, toneOf } from '@tollgate/domain/display/thresholds'
import { ratioText } from '@tollgate/domain/display/ratio-text'
import { Calculator as CalculatorIcon, Copy, LayoutGrid, Table as TableIcon } from 'lucide-react'
import { useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { useQuotaStyle } from '../../ui/display/quota-text.tsx'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { Select, type Choice } from '../../ui/form/select-field.tsx'
import { Filters, type Filter } from '../../ui/list/filters.tsx'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { Page } from '../../ui/page/page.tsx'
import { EmptyState, ErrorState } from '../../ui/page/states.tsx'
import { useNarrow } from '../../ui/page/use-narrow.ts'
import { priceList } from './api.ts'
import { Calculator } from './calculator.tsx'
import { ModelDetails } from './details.tsx'
import { PriceCards } from './price-cards.tsx'
import { PriceTable, type ListProps } from './price-table.tsx'
import { RatioHelp } from './ratio-help.tsx'
import type { PricingChange, PricingSearch } from './search.ts'
import { modelsOf, OTHER_VENDOR, promptOf, shownGroup, shownRows, vendorsOf, type ModelRow, type Shown } from './price-rows.ts'

type PageProps = { readonly search: PricingSearch; readonly onChange: (change: PricingChange) => void }

/** `/pricing`: what every model costs, for visitors too. */
export function PricingPage({ search, onChange }: PageProps): ReactNode {
  const { t } = useTranslation('pricing')
  const user = useUser()
  const list = useQuery(priceList(user?.id))
  if (list.data === undefined)
    return (
      <Page title={t('title')}>
        {list.error === null ? (
          <Stack gap="3" aria-busy>
            <Skeleton height="12" />
            <Skeleton height="96" />
          </Stack>
        ) : (
          <ErrorState message={failureText(list.error) ?? t('failed')} onRetry={() => void list.refetch()} />
        )}
      </Page>
    )
  return <PriceList answer={list.data} search={search} onChange={onChange} />
}

function PriceList({ answer, search, onChange }: PageProps & { readonly answer: PricingAnswer }): ReactNode {
  const { t } = useTranslation('pricing')
  const user = useUser()
  const { quota_per_unit } = useQuotaStyle()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [hasCalculator, setCalculator] = useState(promptOf(search) !== undefined)
  const shown = useMemo(() => shownGroup(answer, search.group, user?.group, quota_per_unit), [answer, search.group, user, quota_per_unit])
  const models = useMemo(() => modelsOf(answer), [answer])
  const rows = useMemo(() => shownRows(models, search, shown), [models, search, shown])
  const prompt = promptOf(search)
  const chosen = rows.filter(({ model_name }) => selected.has(model_name))
  const copySelected = (): void => {
    const names = chosen.map(({ model_name }) => model_name)
    void copyText(names.join(','), t('copied-selected', { count: names.length }))
  }
  const onGroup = (group: string): void => {
    onChange({ group })
    toast.info(t('group.selected', { group, ratio: ratioText(shown.groups.get(group) ?? 1) }))
  }
  const row = search.model === undefined ? undefined : models.find(({ model_name }) => model_name === search.model)
  const list: ListProps = {
    rows,
    shown,
    prompt,
    sort: search.sort,
    onSort: (sort) => onChange({ sort }),
    selected,
    onSelect: setSelected,
    onGroup,
    onOpen: (model) => onChange({ model }),
  }
  return (
    <Page
      title={t('title')}
      count={rows.length}
      action={
        <>
          <RatioHelp />
          <Button variant="outline" aria-expanded={hasCalculator} onClick={() => setCalculator(!hasCalculator)}>
            <CalculatorIcon aria-hidden />
            {t('calculator.open')}
          </Button>
          <Button variant="outline" disabled={chosen.length === 0} onClick={copySelected}>
            <Copy aria-hidden />
            {t('copy-selected')}
          </Button>
        </>
      }
    >
      <Banners answer={answer} quotaPerUnit={quota_per_unit} />
      {hasCalculator ? <Calculator search={search} onChange={onChange} /> : null}
      <PriceFilters models={models} shown={shown} search={search} onChange={onChange} onGroup={onGroup} />
      {rows.length === 0 ? <Nothing isFiltered={models.length > 0} /> : <Rows view={search.view} {...list} />}
      {row === undefined ? null : <ModelDetails row={row} shown={shown} prompt={prompt} onClose={() => onChange({ model: undefined })} />}
    </Page>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  const { t } = useTranslation('pricing')
  const which = isFiltered ? 'no-match' : 'empty'
  return <EmptyState title={t(`${which}.title`)} help={t(`${which}.help`)} />
}

/** Whose prices these are, and how they are computed. */
function Banners({ answer, quotaPerUnit }: { readonly answer: PricingAnswer; readonly quotaPerUnit: number }): ReactNode {
  const { t } = useTranslation('pricing')
  const user = useUser()
  const { group, ratio } = shownGroup(answer, undefined, user?.group, quotaPerUnit)
  return (
    <Stack gap="2">
      <Alert.Root status={user === undefined ? 'warning' : 'success'}>
        <Alert.Indicator />
        <Alert.Content>
          <Alert.Description>
            {user === undefined ? t('group.visitor', { ratio: ratioText(ratio) }) : t('group.own', { group, ratio: ratioText(ratio) })}
          </Alert.Description>
        </Alert.Content>
      </Alert.Root>
      <Alert.Root status="info">
        <Alert.Indicator />
        <Alert.Content>
          <Alert.Description>{t('formula')}</Alert.Description>
        </Alert.Content>
      </Alert.Root>
    </Stack>
  )
}

type FiltersProps = {
  readonly models: readonly ModelRow[]
  readonly shown: Shown
  readonly search: PricingSearch
  readonly onChange: (change: PricingChange) => void
  readonly onGroup: (group: string) => void
}

function PriceFilters({ models, shown, search, onChange, onGroup }: FiltersProps): ReactNode {
  const { t } = useTranslation('pricing')
  const vendors = useMemo(() => vendorsOf(models), [models])
  const found = new Set(models.flatMap(({ supported_endpoint_types: types }) => types))
  const choice = (name: 'vendor' | 'type' | 'endpoint', all: string, choices: readonly Choice[], width: string): Filter => ({
    kind: 'choice',
    name,
    label: t(`filter.${name}`),
    choices: [{ value: '', label: all }, ...choices],
    width,
  })
  const filters: readonly Filter[] = [
    { kind: 'text', name: 'keyword', label: t('column.name'), placeholder: t('search'), width: '16rem', isMain: true },
    choice(
      'vendor',
      t('all.vendor'),
      vendors.map((name) => (name === '' ? { value: OTHER_VENDOR, label: t('other-vendor') } : { value: name, label: name })),
      '9.5rem',
    ),
    choice(
      'type',
      t('all.type'),
      (['usage', 'call'] as const).map((value) => ({ value, label: t(`type.${value}`) })),
      '9.5rem',
    ),
    choice(
      'endpoint',
      t('all.endpoint'),
      ENDPOINT_TYPES.filter((type) => found.has(type)).map((value) => ({ value, label: t(`endpoint.${value}`) })),
      '11rem',
    ),
    {
      kind: 'custom',
      name: 'group',
      element: (
        <Select
          label={t('filter.group')}
          width="9.5rem"
          value={shown.group}
          choices={[...shown.groups].map(([value, ratio]) => ({
            value,
            tone: toneOf(RATIO, ratio),
            label: `${value} · ${ratioText(ratio)}`,
          }))}
          onChange={onGroup}
        />
      ),
    },
  ]
  return <Filters filters={filters} search={search} onSearch={onChange} settings={<ViewToggle view={search.view} onChange={onChange} />} />
}

const VIEWS = { table: TableIcon, cards: LayoutGrid } as const

/** Table or cards; narrow windows have cards only. */
function ViewToggle({
  view = 'table',
  onChange,
}: {
  readonly view: PricingSearch['view']
  readonly onChange: (change: PricingChange) => void
}): ReactNode {
  const { t } = useTranslation('pricing')
  if (!useWide()) return null
  return (
    <ButtonGroup role="group" aria-label={t('view.name')} gap="1" ms={{ sm: 'auto' }}>
      {(['table', 'cards'] as const).map((one) => {
        const Icon = VIEWS[one]
        return (
          <IconButton
            key={one}
            label={t(`view.${one}`)}
            variant={view === one ? 'subtle' : 'ghost'}
            aria-pressed={view === one}
            onClick={() => onChange({ view: one === 'table' ? undefined : one })}
          >
            <Icon />
          </IconButton>
        )
      })}
    </ButtonGroup>
  )
}

function Rows({ view, ...list }: ListProps & { readonly view: PricingSearch['view'] }): ReactNode {
  const isNarrow = useNarrow()
  if (useWide() && view !== 'cards') return <PriceTable {...list} />
  return <PriceCards {...list} columns={isNarrow ? 1 : 3} />
}

const WIDE = '(min-width: 1100px)'

/** True if a table of this many columns fits. */
function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(WIDE)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => window.matchMedia(WIDE).matches,
  )
}
