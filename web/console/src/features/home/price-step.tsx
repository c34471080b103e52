import { Button, chakra, Field, Flex, NativeSelect, Text } from '@chakra-ui/react'
import type { FirstRun } from '@tollgate/contracts/resources/setup'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { useMarkUnsold, useSetPrice } from './api.ts'
import { toPriceChange } from '../../lib/model-prices.ts'

type Draft = {
  readonly model: string
  readonly kind: 'tokens' | 'call'
  readonly input: string
  readonly output: string
  readonly each: string
}

/** A price for one of the channel's models that has none yet. */
export function PriceStep({ run, onDone }: { readonly run: FirstRun; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation('home')
  const models = run.unpriced_models
  if (models.length === 0) return <Text textStyle="sm">{t('all-priced')}</Text>
  return (
    <>
      <Text textStyle="sm" mb="4">
        {run.priced_model === null ? t('price-help') : t('price-rest', { model: run.priced_model, count: models.length })}
      </Text>
      <PriceForm models={models} onDone={onDone} />
    </>
  )
}

function PriceForm({ models, onDone }: { readonly models: readonly string[]; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation('home')
  const [draft, setDraft] = useState<Draft>({ model: models[0] ?? '', kind: 'tokens', input: '', output: '', each: '' })
  const { mutate, isPending } = useSetPrice()
  const unsold = useMarkUnsold()
  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change })
  const model = models.includes(draft.model) ? draft.model : (models[0] ?? '')
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    const change = toPriceChange(draft)
    if (change.kind === 'invalid') return toast.error(t(`price-${change.reason}`))
    mutate(
      { model, change },
      {
        onSuccess: () => {
          toast.success(t('price-saved', { model }))
          onDone()
        },
      },
    )
  }
  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="4" onSubmit={onSubmit}>
      <Flex gap="4" direction={{ base: 'column', sm: 'row' }}>
        <Choice
          label={t('price-model')}
          value={model}
          onValue={(value) => set({ model: value })}
          options={models.map((one) => [one, one])}
        />
        <Choice
          label={t('price-kind')}
          value={draft.kind}
          onValue={(value) => set({ kind: value === 'call' ? 'call' : 'tokens' })}
          options={[
            ['tokens', t('price-by-tokens')],
            ['call', t('price-by-call')],
          ]}
        />
      </Flex>
      {draft.kind === 'call' ? (
        <TextField label={t('price-each')} inputMode="decimal" unit="$" value={draft.each} onValue={(each) => set({ each })} />
      ) : (
        <Flex gap="4" direction={{ base: 'column', sm: 'row' }}>
          <TextField
            label={t('price-input')}
            inputMode="decimal"
            unit="$"
            value={draft.input}
            help={t('price-per-million')}
            onValue={(input) => set({ input })}
          />
          <TextField
            label={t('price-output')}
            inputMode="decimal"
            unit="$"
            value={draft.output}
            help={t('price-per-million')}
            onValue={(output) => set({ output })}
          />
        </Flex>
      )}
      <Flex gap="2" wrap="wrap">
        <Button type="submit" loading={isPending}>
          {t('save-price')}
        </Button>
        <Button
          type="button"
          variant="outline"
          loading={unsold.isPending}
          onClick={() => unsold.mutate([model], { onSuccess: () => toast.success(t('price-unsold-done', { model })) })}
        >
          {t('price-unsold')}
        </Button>
      </Flex>
    </chakra.form>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly (readonly [value: string, text: string])[]
}

function Choice({ label, value, onValue, options }: ChoiceProps): ReactNode {
  return (
    <Field.Root>
      <Field.Label>{label}</Field.Label>
      <NativeSelect.Root>
        <NativeSelect.Field value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Field.Root>
  )
}
