import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin, useUser } from '../../../lib/session.ts'
import { PickField } from '../../../ui/form/pick-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { ownModels } from '../../../lib/own-account.ts'
import { GroupField } from '../settings/settings-panel.tsx'
import { countOf, defaultSettings } from '../settings/settings.ts'

/** Names of models that make pictures, speech or text from speech, where the name tells. */
const PURPOSES = {
  images: /image|dall-e|imagen|flux|stable-diffusion|cogview|seedream/i,
  speech: /tts|speech/i,
  transcription: /whisper|transcribe|asr/i,
} as const

export type MediaTarget = {
  readonly model: string
  readonly group: string
  readonly channel: number
  readonly fields: ReactNode
}

/** Which model is asked, as which group, and for administrators through which channel. */
export function useMediaTarget(purpose: keyof typeof PURPOSES): MediaTarget {
  const { t } = useTranslation('playground')
  const user = useUser()
  const models = useQuery(ownModels).data ?? []
  const [chosen, setChosen] = useState('')
  const [settings, setSettings] = useState(() => defaultSettings(''))
  const fitting = models.filter((name) => PURPOSES[purpose].test(name))
  const model = chosen === '' ? (fitting[0] ?? '') : chosen
  const others = models.filter((name) => !fitting.includes(name))
  const set = (change: Partial<typeof settings>): void => setSettings({ ...settings, ...change })
  return {
    model,
    group: settings.group,
    channel: countOf(settings.channel),
    fields: (
      <>
        <GroupField settings={settings} set={set} />
        <PickField
          label={t('model')}
          field="model"
          error={undefined}
          options={[...fitting, ...others]}
          placeholder={t('choose-model')}
          value={model}
          onValue={setChosen}
        />
        {isAdmin(user) ? (
          <TextField
            label={t('channel')}
            help={t('channel-help')}
            inputMode="numeric"
            value={settings.channel}
            onValue={(channel) => set({ channel })}
          />
        ) : null}
      </>
    ),
  }
}
