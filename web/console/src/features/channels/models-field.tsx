import { Button, chakra, Input } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { copyText } from '../../ui/clipboard.ts'
import { JsonField } from '../../ui/json-field.tsx'
import { LabelledField } from '../../ui/labelled-field.tsx'
import { TagSelect } from '../../ui/tag-select.tsx'
import { allModels, fetchModels } from './api.ts'
import { useProblem, type FieldsProps } from './field-props.ts'
import { withCustomModels, type ChannelForm } from './form.ts'
import { usePresets } from './use-presets.ts'

/** The models of a channel: picked, taken from the type's presets or from upstream, or typed. */
export function ModelsField(props: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  const { form, onChange, problems } = props
  const problem = useProblem(problems)
  const known = useQuery(allModels)
  const options = [...new Set([...form.models, ...(known.data ?? [])])]
  const setModels = (models: readonly string[]): void => onChange({ ...form, models })
  return (
    <>
      <LabelledField label={t('field.models')} help={t('field.models-help')} error={problem('models')} field="models" isRequired>
        <TagSelect isMono label={t('field.models')} options={options} value={form.models} onChange={setModels} />
        <ModelSources {...props} all={known.data ?? []} />
      </LabelledField>
      <CustomModels form={form} onModels={setModels} />
      <JsonField
        label={t('field.mapping')}
        help={t('field.mapping-help')}
        error={problem('model_mapping')}
        field="model_mapping"
        value={form.model_mapping}
        onChange={(model_mapping) => onChange({ ...form, model_mapping })}
        placeholder={'{\n  "gpt-4o": "gpt-4o-2024-11-20"\n}'}
        pairs={{ key: 'gpt-4o', value: 'gpt-4o-2024-11-20' }}
      />
    </>
  )
}

function ModelSources({ form, onChange, channel, all }: FieldsProps & { all: readonly string[] }): ReactNode {
  const { t } = useTranslation('channels')
  const [isFetching, setFetching] = useState(false)
  const presets = usePresets()
  const add = (names: readonly string[]): void => onChange({ ...form, models: [...new Set([...form.models, ...names])] })
  const fetch = async (): Promise<void> => {
    const isTyped = channel === undefined || form.key.trim() !== ''
    if (channel === undefined && form.key.trim() === '') return toast.error(t('error.fetch-key'))
    setFetching(true)
    try {
      const names = await fetchModels(
        isTyped ? { base_url: form.base_url.trim(), type: form.type, key: form.key.trim() } : { id: channel.id },
      )
      toast.success(t('field.models-fetched', { count: names.length, added: names.filter((name) => !form.models.includes(name)).length }))
      add(names)
    } catch {
      // The specification's own text; the vendor's answer would not help here.
      toast.error(t('error.fetch'))
    } finally {
      setFetching(false)
    }
  }
  return (
    <chakra.div display="flex" flexWrap="wrap" gap="1">
      <Button type="button" size="xs" variant="outline" onClick={() => add(presets(form.type))}>
        {t('field.models-preset')}
      </Button>
      <Button type="button" size="xs" variant="outline" onClick={() => add(all)}>
        {t('field.models-all')}
      </Button>
      <Button type="button" size="xs" variant="outline" loading={isFetching} onClick={() => void fetch()}>
        {t('field.models-fetch')}
      </Button>
      <Button
        type="button"
        size="xs"
        variant="ghost"
        disabled={form.models.length === 0}
        onClick={() => void copyText(form.models.join(','))}
      >
        {t('field.models-copy')}
      </Button>
      <Button type="button" size="xs" variant="ghost" disabled={form.models.length === 0} onClick={() => onChange({ ...form, models: [] })}>
        {t('field.models-clear')}
      </Button>
    </chakra.div>
  )
}

function CustomModels({ form, onModels }: { form: ChannelForm; onModels: (models: readonly string[]) => void }): ReactNode {
  const { t } = useTranslation('channels')
  const [text, setText] = useState('')
  const add = (): void => {
    const { models, hasRepeats } = withCustomModels(form.models, text)
    if (hasRepeats) toast.error(t('error.model-exists'))
    onModels(models)
    setText('')
  }
  return (
    <LabelledField label={t('field.models-custom')} help={t('field.models-custom-help')}>
      <chakra.div display="flex" gap="2" width="full">
        <Input
          fontFamily="mono"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <Button type="button" variant="outline" disabled={text.trim() === ''} onClick={add}>
          {t('field.models-custom-add')}
        </Button>
      </chakra.div>
    </LabelledField>
  )
}
