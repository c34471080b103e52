import { Alert, Heading, Stack, Tabs } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextRows } from '../../ui/form/text-rows.tsx'
import { nameOf, type SettingValues } from '../../ui/settings/setting.ts'
import type { SettingsForm } from '../../ui/settings/settings-section.tsx'
import { ComingGroups } from './coming-groups.tsx'
import type { OpenView } from './open-view.ts'
import { PriceTools } from './price-tools.tsx'
import { groupRows, LIMIT_KINDS, limitRows, windowRows, withGroups, withLimits, withWindows, type LimitKind } from './row-maps.ts'

type GroupProps = ViewedProps & {
  readonly saved: Readonly<SettingValues>
  /** Unsaved values of other sections. */
  readonly others: () => SettingValues
}
type ViewedProps = EditorProps & { readonly view: OpenView }
type EditorProps = { readonly form: SettingsForm; /** The options as texts, one field each. */ readonly rows: ReactNode }

/** Groups as rows of name, ratio and description, or as JSON. */
export function GroupEditor({ form, rows, saved, others, view }: GroupProps): ReactNode {
  const { t } = useTranslation('settings')
  const groups = groupRows(form.values)
  return (
    <Stack gap="4">
      <PriceTools form={form} saved={saved} others={others} tools={['replay', 'schedule']} />
      <ComingGroups />
      <TwoViews form={form} keys={['GroupRatio', 'UserUsableGroups', 'GroupGroupRatio', 'AutoGroups']} json={rows} view={view}>
        {groups === undefined ? (
          <Broken />
        ) : (
          <TextRows
            hasHeader
            columns={[
              { name: t('rows.group') },
              { name: t('rows.ratio'), isNumber: true },
              { name: t('rows.usable'), placeholder: t('rows.not-usable') },
            ]}
            value={JSON.stringify(groups)}
            rows={groups}
            add={t('rows.add-group')}
            onRows={(next) => {
              const change = withGroups(next)
              form.set(change)
              return JSON.stringify(groupRows({ ...form.values, ...change }))
            }}
          />
        )}
      </TwoViews>
    </Stack>
  )
}

/** Shared limits as rows of name and limits, or as JSON. */
export function LimitEditor({ form, rows, view }: ViewedProps): ReactNode {
  return (
    <TwoViews form={form} keys={['RateLimits']} json={rows} view={view}>
      {LIMIT_KINDS.map((kind) => (
        <LimitRows key={kind} kind={kind} form={form} />
      ))}
    </TwoViews>
  )
}

function LimitRows({ kind, form }: { readonly kind: LimitKind; readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation('settings')
  const limits = limitRows(form.values, kind)
  if (limits === undefined) return <Broken />
  const number = (name: string) => ({ name, isNumber: true, placeholder: t('rows.no-limit') })
  return (
    <Stack gap="2">
      <Heading as="h4" textStyle="label">
        {t(`rows.limits-of.${kind}`)}
      </Heading>
      <TextRows
        hasHeader
        columns={[{ name: t(`rows.${kind}`) }, number(t('rows.rpm')), number(t('rows.tpm')), number(t('rows.concurrency'))]}
        value={JSON.stringify(limits)}
        rows={limits}
        add={t(`rows.add-${kind}`)}
        onRows={(next) => {
          const change: SettingValues = withLimits(form.values, kind, next)
          form.set(change)
          return JSON.stringify(limitRows({ ...form.values, ...change }, kind))
        }}
      />
    </Stack>
  )
}

/** The requests of a window by group, as rows below the option as JSON. */
export function WindowEditor({ form, rows }: EditorProps): ReactNode {
  const { t } = useTranslation('settings')
  const windows = windowRows(form.values)
  return (
    <Stack gap="4">
      {rows}
      <Stack gap="2">
        <Heading as="h3" textStyle="label">
          {t('rows.limits-of.group')}
        </Heading>
        {windows === undefined ? (
          <Broken />
        ) : (
          <TextRows
            hasHeader
            columns={[
              { name: t('rows.group') },
              { name: t('rows.requests'), isNumber: true, placeholder: t('rows.no-limit') },
              { name: t('rows.successful'), isNumber: true },
            ]}
            value={JSON.stringify(windows)}
            rows={windows}
            add={t('rows.add-group')}
            onRows={(next) => {
              const change = withWindows(next)
              form.set(change)
              return JSON.stringify(windowRows({ ...form.values, ...change }))
            }}
          />
        )}
      </Stack>
    </Stack>
  )
}

type ViewsProps = {
  readonly form: SettingsForm
  readonly keys: readonly string[]
  readonly json: ReactNode
  readonly view: OpenView
  readonly children: ReactNode
}

/** Both views edit the same values, saved together. What a check refuses is said in both. */
function TwoViews({ form, keys, json, view, children }: ViewsProps): ReactNode {
  const { t } = useTranslation('settings')
  const problems = keys.flatMap((key) => form.field(nameOf(key)).error ?? [])
  return (
    <Tabs.Root value={view.name ?? 'rows'} onValueChange={({ value }) => view.open(value)} lazyMount unmountOnExit>
      <Tabs.List>
        <Tabs.Trigger value="rows">{t('rows.tab')}</Tabs.Trigger>
        <Tabs.Trigger value="json">{t(keys.length > 1 ? 'rows.all' : 'rows.json')}</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="rows">
        <Stack gap="4">
          {children}
          {problems.length === 0 ? null : (
            <Alert.Root status="error">
              <Alert.Indicator />
              <Alert.Title>{problems.join(' ')}</Alert.Title>
            </Alert.Root>
          )}
        </Stack>
      </Tabs.Content>
      <Tabs.Content value="json">
        <Stack gap="4">{json}</Stack>
      </Tabs.Content>
    </Tabs.Root>
  )
}

function Broken(): ReactNode {
  const { t } = useTranslation('settings')
  return (
    <Alert.Root status="warning">
      <Alert.Indicator />
      <Alert.Title>{t('rows.broken')}</Alert.Title>
    </Alert.Root>
  )
}
