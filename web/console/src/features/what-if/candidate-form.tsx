import { Button, chakra, Flex, Input, Stack, Switch, Table, Tabs, Text } from '@chakra-ui/react'
import { ROUTING_STRATEGIES } from '@tollgate/contracts/relay/routing-strategies'
import type { WhatIfPresent } from '@tollgate/contracts/resources/what-if'
import { Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { CutText } from '../../ui/display/number-text.tsx'
import { TableFrame } from '../../ui/display/table-frame.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { useStart } from './api.ts'
import { candidateOf, draftOf, NO_CHANGE, type ChannelDraft, type Draft, type PresentChannel } from './draft.ts'

const WINDOWS = [1, 6, 24, 72, 168, 720] as const

type FormProps = { readonly present: WhatIfPresent; readonly onStarted: (id: number) => void }

/** The window and the configuration to replay it with. */
export function CandidateForm({ present, onStarted }: FormProps): ReactNode {
  const { t } = useTranslation('what-if')
  const [hours, setHours] = useState(24)
  const [draft, setDraft] = useState(NO_CHANGE)
  const start = useStart()
  const read = candidateOf(draft, present)
  const run = (): void => {
    if ('invalid' in read) return
    start.mutate({ hours, candidate: read.candidate }, { onSuccess: ({ id }) => onStarted(id) })
  }
  const isDirty = draft !== NO_CHANGE
  return (
    <Panel
      title={t('configuration')}
      help={t('configuration-help')}
      action={
        <>
          <Select
            label={t('window')}
            value={String(hours)}
            choices={WINDOWS.map((count) => ({ value: String(count), label: t('last', { count }) }))}
            onChange={(value) => setHours(Number(value))}
          />
          <Button variant="outline" disabled={!isDirty} onClick={() => setDraft(NO_CHANGE)}>
            {t('reset')}
          </Button>
          <Button loading={start.isPending} disabled={'invalid' in read} onClick={run}>
            {t('run')}
          </Button>
        </>
      }
    >
      <Stack gap="3">
        <Tabs.Root defaultValue="channels" lazyMount>
          <Tabs.List overflowX="auto">
            {(['channels', 'strategies', 'fallbacks', 'prices'] as const).map((name) => (
              <Tabs.Trigger key={name} value={name}>
                {t(`tab.${name}`)}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <Tabs.Content value="channels">
            <Channels present={present} draft={draft} onDraft={setDraft} />
          </Tabs.Content>
          <Tabs.Content value="strategies">
            <Strategies present={present} draft={draft} onDraft={setDraft} />
          </Tabs.Content>
          <Tabs.Content value="fallbacks">
            <Chains draft={draft} onDraft={setDraft} />
          </Tabs.Content>
          <Tabs.Content value="prices">
            <Prices draft={draft} onDraft={setDraft} />
          </Tabs.Content>
        </Tabs.Root>
        {'invalid' in read ? (
          <Text role="alert" textStyle="sm" color="danger.fg">
            {t('invalid', { names: read.invalid.join(t('summary.and')) })}
          </Text>
        ) : null}
      </Stack>
    </Panel>
  )
}

type PartProps = { readonly draft: Draft; readonly onDraft: (draft: Draft) => void }

const FIELDS = ['weight', 'priority', 'cost_ratio'] as const

function Channels({ present, draft, onDraft }: PartProps & { readonly present: WhatIfPresent }): ReactNode {
  const { t } = useTranslation('what-if')
  const change = (channel: PresentChannel, part: Partial<ChannelDraft>): void => {
    const next = { ...(draft.channels[channel.id] ?? draftOf(channel)), ...part }
    onDraft({ ...draft, channels: { ...draft.channels, [channel.id]: next } })
  }
  return (
    <chakra.div maxH="22rem" overflowY="auto">
      <TableFrame label={t('tab.channels')}>
        <Table.Root size="sm">
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader>{t('channel')}</Table.ColumnHeader>
              <Table.ColumnHeader>{t('field.is_enabled')}</Table.ColumnHeader>
              {FIELDS.map((name) => (
                <Table.ColumnHeader key={name} whiteSpace="nowrap">
                  {t(`field.${name}`)}
                </Table.ColumnHeader>
              ))}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {present.channels.map((channel) => {
              const own = draft.channels[channel.id] ?? draftOf(channel)
              const now = draftOf(channel)
              return (
                <Table.Row key={channel.id}>
                  <Table.Cell whiteSpace="nowrap">
                    <CutText text={`#${channel.id} ${channel.name}`} />
                  </Table.Cell>
                  <Table.Cell>
                    <Switch.Root checked={own.is_enabled} onCheckedChange={({ checked }) => change(channel, { is_enabled: checked })}>
                      <Switch.HiddenInput aria-label={t('enabled-of', { name: channel.name })} />
                      <Switch.Control>
                        <Switch.Thumb />
                      </Switch.Control>
                    </Switch.Root>
                  </Table.Cell>
                  {FIELDS.map((name) => (
                    <Table.Cell key={name}>
                      <Input
                        size="sm"
                        w="6rem"
                        inputMode="decimal"
                        aria-label={t('field-of', { field: t(`field.${name}`), name: channel.name })}
                        value={own[name]}
                        {...(own[name] === now[name] ? {} : { borderColor: 'accent.solid' })}
                        onChange={(event) => change(channel, { [name]: event.target.value })}
                      />
                    </Table.Cell>
                  ))}
                </Table.Row>
              )
            })}
          </Table.Body>
        </Table.Root>
      </TableFrame>
    </chakra.div>
  )
}

function Strategies({ present, draft, onDraft }: PartProps & { readonly present: WhatIfPresent }): ReactNode {
  const { t } = useTranslation('what-if')
  const choices = [{ value: '', label: t('as-recorded') }, ...ROUTING_STRATEGIES.map((value) => ({ value, label: t(`strategy.${value}`) }))]
  const set = (group: string, value: string): void => {
    const { [group]: _, ...others } = draft.strategies
    const found = ROUTING_STRATEGIES.find((one) => one === value)
    onDraft({ ...draft, strategies: found === undefined ? others : { ...others, [group]: found } })
  }
  return (
    <Stack gap="3">
      <Text textStyle="sm" color="text.muted">
        {t('strategies-help')}
      </Text>
      <chakra.div display="grid" gap="3" gridTemplateColumns={{ base: '1fr', sm: 'repeat(auto-fill, minmax(14rem, 1fr))' }}>
        {['*', ...present.groups].map((group) => {
          const label = group === '*' ? t('every-group') : group
          return (
            <Stack key={group} gap="1">
              <Text textStyle="sm" fontWeight="medium" overflowWrap="anywhere">
                {label}
              </Text>
              <Select
                isWide
                label={label}
                value={draft.strategies[group] ?? ''}
                choices={choices}
                onChange={(value) => set(group, value)}
              />
            </Stack>
          )
        })}
      </chakra.div>
    </Stack>
  )
}

function Chains({ draft, onDraft }: PartProps): ReactNode {
  const { t } = useTranslation('what-if')
  return (
    <Rows
      help={t('fallbacks-help')}
      rows={draft.chains}
      blank={{ model: '', chain: '' }}
      fields={[
        { name: 'model', label: t('model') },
        { name: 'chain', label: t('chain'), placeholder: 'model-a, model-b' },
      ]}
      onRows={(chains) => onDraft({ ...draft, chains })}
    />
  )
}

function Prices({ draft, onDraft }: PartProps): ReactNode {
  const { t } = useTranslation('what-if')
  return (
    <Rows
      help={t('prices-help')}
      rows={draft.prices}
      blank={{ model: '', input: '', output: '' }}
      fields={[
        { name: 'model', label: t('model') },
        { name: 'input', label: t('input') },
        { name: 'output', label: t('output') },
      ]}
      onRows={(prices) => onDraft({ ...draft, prices })}
    />
  )
}

type RowsProps<Row extends Readonly<Record<string, string>>> = {
  readonly help: string
  readonly rows: readonly Row[]
  readonly blank: Row
  readonly fields: readonly { readonly name: keyof Row & string; readonly label: string; readonly placeholder?: string }[]
  readonly onRows: (rows: readonly Row[]) => void
}

/** Rows of text boxes, which can be added and removed. */
function Rows<Row extends Readonly<Record<string, string>>>({ help, rows, blank, fields, onRows }: RowsProps<Row>): ReactNode {
  const { t } = useTranslation('what-if')
  return (
    <Stack gap="3" align="flex-start">
      <Text textStyle="sm" color="text.muted">
        {help}
      </Text>
      {rows.map((row, at) => (
        // Rows have no identity but their place.
        <Flex key={at} gap="2" w="full" wrap={{ base: 'wrap', sm: 'nowrap' }} align="center">
          {fields.map(({ name, label, placeholder = label }) => (
            <Input
              key={name}
              size="sm"
              minW="8rem"
              flex="1"
              aria-label={label}
              placeholder={placeholder}
              value={row[name]}
              onChange={(event) => onRows(rows.map((one, index) => (index === at ? { ...one, [name]: event.target.value } : one)))}
            />
          ))}
          <IconButton size="sm" label={t('remove')} onClick={() => onRows(rows.filter((_, index) => index !== at))}>
            <Trash2 />
          </IconButton>
        </Flex>
      ))}
      <Button size="sm" variant="outline" onClick={() => onRows([...rows, blank])}>
        <Plus />
        {t('add')}
      </Button>
    </Stack>
  )
}
