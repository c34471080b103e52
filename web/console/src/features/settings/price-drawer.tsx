import { SimpleGrid, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { completionRatioOf } from '@tollgate/domain/pricing/completion-ratio'
import { useTranslation } from 'react-i18next'
import { FormDrawer, FormSection } from '../../ui/form/form-drawer.tsx'
import { ChoiceField } from '../../ui/form/labelled-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm, type FormProblem, type ResourceForm } from '../../ui/form/use-resource-form.ts'
import { PriceHistory } from './price-history.tsx'
import { problemsOfStep, toCards, toSteps, type PriceStep, type StepProblem } from './price-step.ts'
import { PriceSteps } from './price-steps.tsx'
import { parseNumber, type PriceRow } from './prices.ts'
import { dollarsFrom, numberIn, ratiosFrom, textOf, type DollarTexts, type RatioTexts } from './token-price.ts'

type PriceForm = RatioTexts &
  DollarTexts & {
    readonly name: string
    /** Mode of the price: by tokens or by call. */
    readonly mode: string
    /** Ratios or prices per million tokens. */
    readonly method: string
    readonly price: string
    readonly steps: readonly PriceStep[]
  }

type DrawerProps = {
  /** Undefined: a new model. */
  readonly row: PriceRow | undefined
  readonly taken: ReadonlySet<string>
  readonly onSave: (row: PriceRow) => void
  readonly onClose: () => void
}

/** The price of one model, as ratios or in dollars: each is derived from the other. */
export function PriceDrawer({ row, taken, onSave, onClose }: DrawerProps): ReactNode {
  const { t } = useTranslation(['prices', 'price-tools'])
  const form = useResourceForm<PriceForm>({
    initial: toForm(row),
    isNew: row === undefined,
    problemsOf: (values) => problemsOf(values, row, taken).map(({ field, message }) => ({ field, message: t(`problem.${message}`) })),
    save: (values) => Promise.resolve(onSave(toRow(values))),
    onSaved: onClose,
  })
  const { field, values } = form
  return (
    <FormDrawer title={row === undefined ? t('add') : t('edit', { name: row.name })} form={form} onClose={onClose}>
      <FormSection title={t('drawer.model')}>
        <TextField
          label={t('column.name')}
          required={row === undefined}
          readOnly={row !== undefined}
          fontFamily="mono"
          {...field('name')}
        />
        <ChoiceField
          label={t('drawer.mode')}
          choices={(['token', 'request'] as const).map((value) => ({ value, label: t(`drawer.${value}`) }))}
          {...field('mode')}
          onValue={(mode) => form.set({ mode, ...(mode === 'request' ? NO_RATIOS : { price: '' }) })}
        />
      </FormSection>
      <FormSection title={t('drawer.price')}>
        {values.mode === 'request' ? (
          <TextField label={t('column.price')} help={t('drawer.price-help')} inputMode="decimal" unit="$" {...field('price')} />
        ) : (
          <TokenPrices form={form} />
        )}
      </FormSection>
      {values.mode === 'request' ? null : (
        <PriceSteps
          field={field('steps')}
          isPrice={values.method === 'price'}
          model={{
            completion: completionRatioOf(values.name.trim(), numberIn(values.completion)),
            // A cached token of a model without a cache ratio costs what input costs.
            cache: numberIn(values.cache) ?? 1,
          }}
        />
      )}
      {row === undefined ? null : (
        <FormSection title={t('price-tools:history.title')}>
          <PriceHistory name={row.name} />
        </FormSection>
      )}
    </FormDrawer>
  )
}

const NO_RATIOS = { ratio: '', completion: '', cache: '', input: '', output: '', cached: '', steps: [] } as const

function TokenPrices({ form }: { readonly form: ResourceForm<PriceForm> }): ReactNode {
  const { t } = useTranslation('prices')
  const { field, values } = form
  const isPrice = values.method === 'price'
  // The charged ratio: an empty one has the default of the model's family.
  const completion = completionRatioOf(values.name.trim(), numberIn(values.completion))
  const charged = dollarsFrom({ ...values, completion: String(completion) })
  return (
    <>
      <ChoiceField
        label={t('drawer.method')}
        choices={(['ratio', 'price'] as const).map((value) => ({ value, label: t(`drawer.by-${value}`) }))}
        {...field('method')}
        onValue={(method) => form.set({ method, ...(method === 'price' ? dollarsFrom(values) : {}) })}
      />
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        {isPrice ? (
          <>
            <TextField
              label={t('column.input')}
              inputMode="decimal"
              {...field('input')}
              onValue={(input) => form.set({ input, ...ratiosFrom({ ...values, input }) })}
            />
            <TextField
              label={t('column.output')}
              inputMode="decimal"
              placeholder={charged.output === '' ? '' : t('drawer.default', { value: charged.output })}
              {...field('output')}
              onValue={(output) => form.set({ output, ...ratiosFrom({ ...values, output }) })}
            />
          </>
        ) : (
          <>
            <TextField label={t('column.ratio')} inputMode="decimal" {...field('ratio')} />
            <TextField
              label={t('column.completion')}
              inputMode="decimal"
              placeholder={t('drawer.default', { value: completionRatioOf(values.name.trim(), undefined) })}
              {...field('completion')}
            />
          </>
        )}
        {isPrice ? (
          <TextField
            label={t('column.cached')}
            inputMode="decimal"
            placeholder={values.input === '' ? '' : t('drawer.default', { value: values.input })}
            {...field('cached')}
            onValue={(cached) => form.set({ cached, ...ratiosFrom({ ...values, cached }) })}
          />
        ) : (
          <TextField label={t('column.cache')} help={t('drawer.cache-help')} inputMode="decimal" {...field('cache')} />
        )}
      </SimpleGrid>
      <Text textStyle="sm" color="text.muted" role="status">
        {isPrice
          ? t('drawer.as-ratio', { ratio: dash(values.ratio), completion: String(completion) })
          : t('drawer.as-price', { input: dash(charged.input), output: dash(charged.output) })}
      </Text>
    </>
  )
}

const dash = (text: string): string => (text === '' ? '–' : text)

function toForm(row: PriceRow | undefined): PriceForm {
  const ratio = textOf(row?.ratio)
  const completion = textOf(row?.completion)
  const cache = textOf(row?.cache)
  return {
    name: row?.name ?? '',
    mode: row?.price === undefined ? 'token' : 'request',
    method: 'ratio',
    price: textOf(row?.price),
    ratio,
    completion,
    cache,
    ...dollarsFrom({ ratio, completion, cache }),
    steps: toSteps(row?.cards ?? []),
  }
}

function toRow({ name, mode, price, ratio, completion, cache, steps }: PriceForm): PriceRow {
  const isCall = mode === 'request'
  return {
    name: name.trim(),
    price: isCall ? numberIn(price) : undefined,
    ratio: isCall ? undefined : numberIn(ratio),
    completion: isCall ? undefined : numberIn(completion),
    cache: isCall ? undefined : numberIn(cache),
    cards: isCall ? [] : toCards(steps),
  }
}

type Message = 'name' | 'taken' | 'zero' | StepProblem

function problemsOf(
  values: PriceForm,
  row: PriceRow | undefined,
  taken: ReadonlySet<string>,
): readonly (Omit<FormProblem<PriceForm>, 'message'> & { readonly message: Message })[] {
  const problems: (Omit<FormProblem<PriceForm>, 'message'> & { readonly message: Message })[] = []
  const name = values.name.trim()
  if (name === '') problems.push({ field: 'name', message: 'name' })
  else if (row === undefined && taken.has(name)) problems.push({ field: 'name', message: 'taken' })
  const shown =
    values.mode === 'request'
      ? (['price'] as const)
      : values.method === 'price'
        ? (['input', 'output', 'cached'] as const)
        : (['ratio', 'completion', 'cache'] as const)
  for (const field of shown) {
    const parsed = parseNumber(values[field], field === 'price' ? 'price' : 'ratio', row?.price)
    if (typeof parsed === 'string') problems.push({ field, message: parsed })
  }
  const [main] = shown
  if (values[main].trim() === '') problems.push({ field: main, message: 'required' })
  if (values.mode === 'token') {
    const { steps } = values
    const wrong = steps.flatMap((step) => Object.values(problemsOfStep(step, steps, values.method === 'price')))
    problems.push(...wrong.map((message) => ({ field: 'steps' as const, message })))
  }
  return problems
}
