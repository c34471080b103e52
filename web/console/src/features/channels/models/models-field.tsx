import { Button, chakra, Input } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { modelDiff } from '@tollgate/domain/channel-models/model-diff'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { copyText } from '../../../ui/overlay/clipboard.ts'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { LabelledField, TagsField } from '../../../ui/form/labelled-field.tsx'
import { useModelOptions } from '../../../ui/form/model-options.ts'
import type { Bound } from '../../../ui/form/use-resource-form.ts'
import { allModels, fetchModels } from '../api.ts'
import type { FieldsProps } from '../form/field-props.ts'
import { withCustomModels } from '../form/form.ts'
import { objectOf } from '../form/setting-text.ts'
import { UnpricedModels } from './unpriced.tsx'
import { usePresets } from '../form/use-presets.ts'

/** The models of a channel: picked, taken from the type's presets or from upstream, or typed. */
export function ModelsField({ form, channel }: FieldsProps): ReactNode {
  const { t } = useTranslation('channels')
  const { field, values } = form
  const known = useQuery(allModels)
  const optionsOf = useModelOptions()
  return (
    <>
      <TagsField
        isMono
        isRequired
        label={t('field.models')}
        help={t('field.models-help')}
        options={optionsOf([...new Set([...values.models, ...(known.data ?? [])])])}
        {...field('models')}
      >
        <ModelSources form={form} channel={channel} all={known.data ?? []} />
      </TagsField>
      <UnpricedModels models={values.models} />
      <CustomModels {...field('models')} />
      <JsonField
        label={t('field.mapping')}
        help={t('field.mapping-help')}
        placeholder={'{\n  "gpt-4o": "gpt-4o-2024-11-20"\n}'}
        pairs={{ key: 'gpt-4o', value: 'gpt-4o-2024-11-20' }}
        {...field('model_mapping')}
      />
    </>
  )
}

function ModelSources({ form: { values, set }, channel, all }: FieldsProps & { all: readonly string[] }): ReactNode {
  const { t } = useTranslation('channels')
  const [isFetching, setFetching] = useState(false)
  const [gone, setGone] = useState<readonly string[]>([])
  const left = gone.filter((name) => values.models.includes(name))
  const presets = usePresets()
  const add = (names: readonly string[]): void => set({ models: [...new Set([...values.models, ...names])] })
  const fetch = async (): Promise<void> => {
    const isTyped = channel === undefined || values.key.trim() !== ''
    if (channel === undefined && values.key.trim() === '') return toast.error(t('error.fetch-key'))
    setFetching(true)
    try {
      const names = await fetchModels(
        isTyped ? { base_url: values.base_url.trim(), type: values.type, key: values.key.trim() } : { id: channel.id },
      )
      const diff = modelDiff(values.models, names, objectOf(values.model_mapping))
      toast.success(t('field.models-fetched', { count: names.length, added: diff.fresh.length }))
      setGone(diff.gone)
      add(diff.fresh)
    } catch {
      // The specification's own text; the vendor's answer would not help here.
      toast.error(t('error.fetch'))
    } finally {
      setFetching(false)
    }
  }
  return (
    <chakra.div display="flex" flexWrap="wrap" gap="1">
      {left.length === 0 ? null : (
        <chakra.div
          role="note"
          flexBasis="100%"
          display="flex"
          flexWrap="wrap"
          alignItems="center"
          gap="2"
          p="2.5"
          mb="1"
          borderWidth="1px"
          borderColor="warning.border"
          bg="warning.subtle"
          borderRadius="control"
        >
          <chakra.span flex="1" minW="14rem" color="text.strong" overflowWrap="anywhere">
            {t('field.models-gone', { count: left.length, names: left.slice(0, 5).join(', ') + (left.length > 5 ? ' …' : '') })}
          </chakra.span>
          <Button
            type="button"
            size="xs"
            variant="outline"
            onClick={() => set({ models: values.models.filter((name) => !gone.includes(name)) })}
          >
            {t('field.models-gone-remove')}
          </Button>
        </chakra.div>
      )}
      <Button type="button" size="xs" variant="outline" onClick={() => add(presets(values.type))}>
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
        disabled={values.models.length === 0}
        onClick={() => void copyText(values.models.join(','))}
      >
        {t('field.models-copy')}
      </Button>
      <Button type="button" size="xs" variant="ghost" disabled={values.models.length === 0} onClick={() => set({ models: [] })}>
        {t('field.models-clear')}
      </Button>
    </chakra.div>
  )
}

function CustomModels({ value, onValue }: Bound<readonly string[]>): ReactNode {
  const { t } = useTranslation('channels')
  const [text, setText] = useState('')
  const add = (): void => {
    const { models, hasRepeats } = withCustomModels(value, text)
    if (hasRepeats) toast.error(t('error.model-exists'))
    onValue(models)
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
