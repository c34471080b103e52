import { Button, Textarea } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { storage, useStored } from '../../../lib/storage.ts'
import { ChoiceField, LabelledField } from '../../../ui/form/labelled-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'

const BUILT_IN = ['translator', 'reviewer', 'summary', 'writer'] as const

type SystemFieldProps = { readonly value: string; readonly onValue: (value: string) => void }

/** The system prompt, with texts to start from: ours and the reader's own. */
export function SystemField({ value, onValue }: SystemFieldProps): ReactNode {
  const { t } = useTranslation(['playground', 'display'])
  const own = useOwnPresets()
  const [isNaming, setNaming] = useState(false)
  const texts = new Map([
    ['default', t('system-default')],
    ...BUILT_IN.map((name) => [name, t(`preset.${name}-text`)] as const),
    ...Object.entries(own).map(([name, text]) => [`own ${name}`, text] as const),
  ])
  const choices = [
    { value: 'default', label: t('preset.default') },
    ...BUILT_IN.map((name) => ({ value: name, label: t(`preset.${name}`) })),
    ...Object.keys(own).map((name) => ({ value: `own ${name}`, label: name })),
  ]
  const current = [...texts].findLast(([, text]) => text === value)?.[0] ?? ''
  return (
    <>
      <ChoiceField
        label={t('preset.label')}
        value={current}
        choices={current === '' ? [{ value: '', label: t('preset.custom') }, ...choices] : choices}
        onValue={(name) => onValue(texts.get(name) ?? value)}
      />
      <LabelledField
        label={t('system')}
        aside={
          current.startsWith('own ') ? (
            <Button type="button" size="xs" variant="ghost" onClick={() => saveOwn(without(own, current.slice('own '.length)))}>
              {t('preset.remove')}
            </Button>
          ) : (
            <Button
              type="button"
              size="xs"
              variant="ghost"
              disabled={value.trim() === '' || current !== ''}
              onClick={() => setNaming(true)}
            >
              {t('preset.save')}
            </Button>
          )
        }
      >
        <Textarea rows={4} textStyle="sm" value={value} onChange={(event) => onValue(event.currentTarget.value)} />
      </LabelledField>
      {isNaming ? (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            saveOwn({ ...own, [name]: value })
            setNaming(false)
          }}
        />
      ) : null}
    </>
  )
}

function NameDialog({ onName, onClose }: { readonly onName: (name: string) => void; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation(['playground', 'display'])
  const [name, setName] = useState('')
  return (
    <FormDialog
      title={t('preset.save')}
      submit={t('display:action.save')}
      isBusy={false}
      isDisabled={name.trim() === ''}
      onSubmit={() => onName(name.trim())}
      onClose={onClose}
    >
      <TextField autoFocus label={t('preset.name')} maxLength={40} value={name} onValue={setName} />
    </FormDialog>
  )
}

function useOwnPresets(): Readonly<Record<string, string>> {
  const stored = useStored('playground-presets') ?? {}
  return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

const saveOwn = (presets: Readonly<Record<string, string>>): void => storage.set('playground-presets', presets)
const without = (presets: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(presets).filter(([key]) => key !== name))
