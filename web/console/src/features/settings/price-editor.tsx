import { Alert, Button, Flex, Stack, Tabs } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { matching } from '../../ui/form/pick-list.ts'
import { SearchField } from '../../ui/list/filter-bar.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { nameOf, type SettingValues } from '../../ui/settings/setting.ts'
import type { SettingsForm } from '../../ui/settings/settings-section.tsx'
import { enabledModels } from './api.ts'
import { BatchFill } from './batch-fill.tsx'
import { staleBands } from './catalogue-changes.ts'
import type { OpenView } from './open-view.ts'
import { PriceDrawer } from './price-drawer.tsx'
import { PriceTools } from './price-tools.tsx'
import { PriceTable } from './price-table.tsx'
import { lacksOutput, priceRows, readMaps, rowOf, unsetModels, withRows, type PriceRow } from './prices.ts'

const TABS = ['model', 'visual', 'unset_models'] as const

type EditorProps = {
  readonly form: SettingsForm
  /** The options as texts, one field each. */
  readonly rows: ReactNode
  /** The stored values. */
  readonly saved: Readonly<SettingValues>
  /** Unsaved values of other sections. */
  readonly others: () => SettingValues
  readonly view: OpenView
}

/** The prices of models: as JSON, as a table, and the models that have none. All three edit the same values, saved together. */
export function PriceEditor({ form, rows, saved, others, view }: EditorProps): ReactNode {
  const { t } = useTranslation('prices')
  return (
    <Stack gap="4">
      <PriceTools form={form} saved={saved} others={others} />
      <StaleBands form={form} saved={saved} />
      <Tabs.Root value={view.name ?? 'model'} onValueChange={({ value }) => view.open(value)} lazyMount unmountOnExit>
        <Tabs.List>
          {TABS.map((tab) => (
            <Tabs.Trigger key={tab} value={tab}>
              {t(`tab.${tab}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="model">{rows}</Tabs.Content>
        <Tabs.Content value="visual">
          <VisualPrices form={form} />
        </Tabs.Content>
        <Tabs.Content value="unset_models">
          <UnsetPrices form={form} saved={saved} />
        </Tabs.Content>
      </Tabs.Root>
    </Stack>
  )
}

/** Says which models would be sold at another price, with the prices for long prompts that belonged to the old one. */
function StaleBands({ form, saved }: Pick<EditorProps, 'form' | 'saved'>): ReactNode {
  const { t } = useTranslation('prices')
  const names = useMemo(() => staleBands(saved, form.values), [saved, form.values])
  if (names.length === 0) return null
  return (
    <Alert.Root status="warning">
      <Alert.Indicator />
      <Alert.Title overflowWrap="anywhere">{t('stale-bands', { count: names.length, names: names.join(', ') })}</Alert.Title>
    </Alert.Root>
  )
}

type Drawer = { readonly row: PriceRow | undefined }

function VisualPrices({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation('prices')
  const [keyword, setKeyword] = useState('')
  const [drawer, setDrawer] = useState<Drawer | undefined>(undefined)
  const maps = useMemo(() => readMaps(form.values), [form.values])
  const rows = useMemo(() => (maps === undefined ? [] : priceRows(maps)), [maps])
  if (maps === undefined) return <BrokenJson />
  const found = new Set(
    matching(
      rows.map(({ name }) => name),
      keyword,
    ),
  )
  const shown = rows.filter(({ name }) => found.has(name))
  return (
    <Stack gap="3">
      <Flex gap="2" wrap="wrap" justify="space-between">
        <SearchField value={keyword} onChange={setKeyword} placeholder={t('search')} width="18rem" />
        <Button type="button" variant="outline" onClick={() => setDrawer({ row: undefined })}>
          <Plus />
          {t('add')}
        </Button>
      </Flex>
      <PriceTable
        rows={shown}
        empty={t('empty')}
        onChange={(row) => form.set(withRows(maps, [row]))}
        onEdit={(row) => setDrawer({ row })}
        onRemove={({ name }) => form.set(withRows(maps, [], [name]))}
      />
      {drawer === undefined ? null : (
        <PriceDrawer
          row={drawer.row}
          taken={new Set(rows.map(({ name }) => name))}
          onSave={(row) => form.set(withRows(maps, [row]))}
          onClose={() => setDrawer(undefined)}
        />
      )}
    </Stack>
  )
}

/** Models without a stored price; a price that is typed and not saved yet keeps its row. */
function UnsetPrices({ form, saved }: Pick<EditorProps, 'form' | 'saved'>): ReactNode {
  const { t } = useTranslation('prices')
  const models = useQuery(enabledModels)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [keyword, setKeyword] = useState('')
  const maps = useMemo(() => readMaps(form.values), [form.values])
  const stored = useMemo(() => readMaps(saved), [saved])
  if (maps === undefined) return <BrokenJson />
  if (models.error !== null && models.data === undefined)
    return <ErrorState message={t('models-failed')} onRetry={() => void models.refetch()} />
  const isOutputRequired = saved[nameOf('OutputPriceRequired')] === 'true'
  const names = matching(unsetModels(stored ?? maps, models.data ?? [], isOutputRequired), keyword)
  const chosen = names.filter((name) => selected.has(name))
  return (
    <Stack gap="3">
      <Flex gap="2" wrap="wrap" justify="space-between">
        <SearchField value={keyword} onChange={setKeyword} placeholder={t('search')} width="18rem" />
        <BatchFill
          count={chosen.length}
          onFill={(change) => {
            form.set(
              withRows(
                maps,
                chosen.map((name) => ({ ...rowOf(maps, name), ...change })),
              ),
            )
            setSelected(new Set())
          }}
        />
      </Flex>
      <PriceTable
        rows={names.map((name) => rowOf(maps, name))}
        empty={models.data === undefined ? '' : t('unset-empty')}
        isRefused={(row) => isOutputRequired && lacksOutput(maps, row)}
        selected={selected}
        onSelect={setSelected}
        onChange={(row) => form.set(withRows(maps, [row]))}
      />
    </Stack>
  )
}

function BrokenJson(): ReactNode {
  const { t } = useTranslation('prices')
  return (
    <Alert.Root status="warning">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Description>{t('broken')}</Alert.Description>
      </Alert.Content>
    </Alert.Root>
  )
}
