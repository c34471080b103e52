import { SimpleGrid, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { completionRatioOf } from '@tollgate/domain/pricing/completion-ratio'
import { useTranslation } from 'react-i18next'
import { FormDrawer, FormSection } from '../../ui/form/form-drawer.tsx'
import { ChoiceField } from '../../ui/form/labelled-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useResourceForm, type FormProblem, type ResourceForm } from '../../ui/form/use-resource-form.ts'
import { PriceHistory } from './price-history.tsx'
import { dollarsOf, parseNumber, ratioOf, type PriceRow } from './prices.ts'

type PriceForm = {
  readonly name: string
  /** Mode of the price: by tokens or by call. */
  readonly mode: string
  /** Ratios or prices per million tokens. */
  readonly method: string
  readonly price: string
  readonly ratio: string
  readonly completion: string
  readonly cache: string
  readonly input: string
  readonly output: string
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
      {row === undefined ? null : (
        <FormSection title={t('price-tools:history.title')}>
          <PriceHistory name={row.name} />
        </FormSection>
      )}
    </FormDrawer>
  )
}

const NO_RATIOS = { ratio: '', completion: '', cache: '', input: '', output: '' } as const

function TokenPrices({ form }: { readonly form: ResourceForm<PriceForm> }): ReactNode {
  const { t } = useTranslation('prices')
  const { field, values } = form
  const isPrice = values.method === 'price'
  // The charged ratio: an empty one has the default of the model's family.
  const completion = completionRatioOf(values.name.trim(), numberIn(values.completion))
  const charged = dollarsFrom({ ratio: values.ratio, completion: String(completion) })
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
        <TextField label={t('column.cache')} help={t('drawer.cache-help')} inputMode="decimal" {...field('cache')} />
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
const numberIn = (text: string): number | undefined => (text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text))
const textOf = (value: number | undefined): string => (value === undefined || !Number.isFinite(value) ? '' : String(value))

function dollarsFrom({ ratio, completion }: Pick<PriceForm, 'ratio' | 'completion'>): Pick<PriceForm, 'input' | 'output'> {
  const [base, factor] = [numberIn(ratio), numberIn(completion)]
  return {
    input: textOf(base === undefined ? undefined : dollarsOf(base)),
    output: textOf(base === undefined || factor === undefined ? undefined : dollarsOf(base * factor)),
  }
}

function ratiosFrom({ input, output }: Pick<PriceForm, 'input' | 'output'>): Pick<PriceForm, 'ratio' | 'completion'> {
  const [base, answer] = [numberIn(input), numberIn(output)]
  return {
    ratio: base === undefined ? input : textOf(ratioOf(base)),
    completion:
      base === undefined || base === 0 || answer === undefined
        ? answer === undefined
          ? output
          : ''
        : textOf(Number((answer / base).toPrecision(12))),
  }
}

function toForm(row: PriceRow | undefined): PriceForm {
  const ratio = textOf(row?.ratio)
  const completion = textOf(row?.completion)
  return {
    name: row?.name ?? '',
    mode: row?.price === undefined ? 'token' : 'request',
    method: 'ratio',
    price: textOf(row?.price),
    ratio,
    completion,
    cache: textOf(row?.cache),
    ...dollarsFrom({ ratio, completion }),
  }
}

function toRow({ name, mode, price, ratio, completion, cache }: PriceForm): PriceRow {
  const isCall = mode === 'request'
  return {
    name: name.trim(),
    price: isCall ? numberIn(price) : undefined,
    ratio: isCall ? undefined : numberIn(ratio),
    completion: isCall ? undefined : numberIn(completion),
    cache: isCall ? undefined : numberIn(cache),
  }
}

type Message = 'name' | 'taken' | 'number' | 'zero' | 'required'

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
        ? (['input', 'output', 'cache'] as const)
        : (['ratio', 'completion', 'cache'] as const)
  for (const field of shown) {
    const parsed = parseNumber(values[field], field === 'price' ? 'price' : 'ratio', row?.price)
    if (typeof parsed === 'string') problems.push({ field, message: parsed })
  }
  const [main] = shown
  if (values[main].trim() === '') problems.push({ field: main, message: 'required' })
  return problems
}
