import { chakra, Flex, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { RATIO, toneOf } from '@tollgate/domain/display/thresholds'
import { ratioText } from '@tollgate/domain/display/ratio-text'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ownGroups, ownModels } from '../../../lib/own-account.ts'
import { isAdmin, useUser } from '../../../lib/session.ts'
import { ToneTag } from '../../../ui/display/tone-tag.tsx'
import { ChoiceField, LabelledField, SwitchField } from '../../../ui/form/labelled-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { FoldSection } from '../../../ui/form/fold-section.tsx'
import { SystemField } from './system-field.tsx'
import { TEMPERATURE, type PlaygroundSettings } from './settings.ts'

const ToolsFields = lazy(async () => ({ default: (await import('./tools-fields.tsx')).ToolsFields }))

type SettingsPanelProps = {
  readonly settings: PlaygroundSettings
  readonly onSettings: (settings: PlaygroundSettings) => void
  /** Models and channels are chosen beside their answers. */
  readonly isCompared: boolean
}

/** Group, model and how the model answers. */
export function SettingsPanel({ settings, onSettings, isCompared }: SettingsPanelProps): ReactNode {
  const { t } = useTranslation('playground')
  const user = useUser()
  const set = (change: Partial<PlaygroundSettings>): void => onSettings({ ...settings, ...change })
  return (
    <Stack gap="4">
      <GroupField settings={settings} set={set} />
      {isCompared ? null : <ModelField settings={settings} set={set} />}
      <TemperatureField value={settings.temperature} onValue={(temperature) => set({ temperature })} />
      <TextField
        label={t('max-tokens')}
        help={t('max-tokens-help')}
        inputMode="numeric"
        value={settings.maxTokens}
        onValue={(maxTokens) => set({ maxTokens })}
      />
      <SystemField value={settings.system} onValue={(system) => set({ system })} />
      {isAdmin(user) && !isCompared ? (
        <TextField
          label={t('channel')}
          help={t('channel-help')}
          inputMode="numeric"
          value={settings.channel}
          onValue={(channel) => set({ channel })}
        />
      ) : null}
      <SwitchField
        label={t('reconnect')}
        help={t('reconnect-help')}
        value={settings.isReconnecting}
        onValue={(isReconnecting) => set({ isReconnecting })}
      />
      <FoldSection title={t('structure')} isNeeded={settings.tools !== '' || settings.schema !== ''}>
        <Suspense fallback={null}>
          <ToolsFields settings={settings} set={set} />
        </Suspense>
      </FoldSection>
    </Stack>
  )
}

type PartProps = { readonly settings: PlaygroundSettings; readonly set: (change: Partial<PlaygroundSettings>) => void }

/** The reader's own group first. */
export function GroupField({ settings, set }: PartProps): ReactNode {
  const { t } = useTranslation('playground')
  const own = useUser()?.group ?? ''
  const groups = Object.entries(useQuery(ownGroups).data ?? {}).toSorted(([a], [b]) => Number(b === own) - Number(a === own))
  const group = settings.group === '' ? own : settings.group
  const chosen = groups.find(([name]) => name === group)?.[1]
  return (
    <ChoiceField
      label={t('group')}
      value={group}
      onValue={(group) => set({ group })}
      choices={groups.map(([name, { desc, ratio }]) => ({
        value: name,
        tone: toneOf(RATIO, ratio),
        label: `${name} · ${desc} · ${ratioText(ratio)}`,
      }))}
      aside={chosen === undefined ? null : <ToneTag tone={toneOf(RATIO, chosen.ratio)}>{ratioText(chosen.ratio)}</ToneTag>}
      error={undefined}
      field="group"
    />
  )
}

function ModelField({ settings, set }: PartProps): ReactNode {
  const { t } = useTranslation('playground')
  const { data } = useQuery(ownModels)
  const models = data ?? []
  const known = models.includes(settings.model) ? models : [settings.model, ...models]
  return (
    <ChoiceField
      label={t('model')}
      value={settings.model}
      onValue={(model) => set({ model })}
      choices={known.map((model) => ({ value: model, label: model }))}
      error={data !== undefined && !models.includes(settings.model) ? t('model-missing') : undefined}
      field="model"
    />
  )
}

function TemperatureField({ value, onValue }: { readonly value: number; readonly onValue: (value: number) => void }): ReactNode {
  const { t } = useTranslation('playground')
  return (
    <LabelledField
      label={t('temperature')}
      aside={
        <Text as="output" textStyle="sm" color="text.strong" fontVariantNumeric="tabular-nums">
          {value}
        </Text>
      }
    >
      <Flex w="full" align="center" h="6">
        <chakra.input
          type="range"
          aria-label={t('temperature')}
          w="full"
          accentColor="accent.solid"
          _dark={{ colorScheme: 'dark' }}
          min={TEMPERATURE.min}
          max={TEMPERATURE.max}
          step={TEMPERATURE.step}
          value={value}
          onChange={(event) => onValue(Number(event.currentTarget.value))}
        />
      </Flex>
    </LabelledField>
  )
}
