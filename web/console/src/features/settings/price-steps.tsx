import { Box, Button, chakra, Flex, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { Plus, X } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { FormSection } from '../../ui/form/form-drawer.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import type { Bound } from '../../ui/form/use-resource-form.ts'
import { meaningOf, problemsOfStep, withNewStep, withText, type PriceStep, type StepColumn } from './price-step.ts'

type StepsProps = {
  readonly field: Bound<readonly PriceStep[]>
  /** True if prices are typed in dollars, false for ratios. */
  readonly isPrice: boolean
  /** The ratios of the model, which apply where a step states none. */
  readonly model: { readonly completion: number; readonly cache: number }
}

/** The prices of a model for long prompts, one row each. */
export function PriceSteps({ field, isPrice, model }: StepsProps): ReactNode {
  const { t } = useTranslation('prices')
  const { value: steps, onValue, error } = field
  const [added, setAdded] = useState<number | undefined>(undefined)
  const addButton = useRef<HTMLButtonElement>(null)
  const add = (): void => {
    const next = withNewStep(steps)
    setAdded(next.at(-1)?.id)
    onValue(next)
  }
  const remove = (index: number): void => {
    onValue(steps.toSpliced(index, 1))
    addButton.current?.focus()
  }
  return (
    <FormSection title={t('steps.title')}>
      <Stack gap="4" data-field={field.field}>
        <Text textStyle="sm" color="text.muted">
          {t('steps.help')}
        </Text>
        {steps.map((step, index) => (
          <Step
            key={step.id}
            number={index + 1}
            step={step}
            steps={steps}
            isPrice={isPrice}
            isChecked={error !== undefined}
            isNew={step.id === added}
            model={model}
            onChange={(next) => onValue(steps.with(index, next))}
            onRemove={() => remove(index)}
          />
        ))}
        <Button ref={addButton} type="button" size="sm" variant="outline" alignSelf="flex-start" onClick={add}>
          <Plus />
          {t('steps.add')}
        </Button>
      </Stack>
    </FormSection>
  )
}

type StepProps = Pick<StepsProps, 'isPrice' | 'model'> & {
  readonly number: number
  readonly step: PriceStep
  readonly steps: readonly PriceStep[]
  /** True once the problems of the steps are shown. */
  readonly isChecked: boolean
  readonly isNew: boolean
  readonly onChange: (step: PriceStep) => void
  readonly onRemove: () => void
}

function Step({ number, step, steps, isPrice, isChecked, isNew, model, onChange, onRemove }: StepProps): ReactNode {
  const { t } = useTranslation('prices')
  const problems = isChecked ? problemsOfStep(step, steps, isPrice) : {}
  const box = (column: StepColumn) => {
    const problem = problems[column]
    return {
      label: t(column === 'above' ? 'steps.above' : `column.${column}`),
      inputMode: column === 'above' ? ('numeric' as const) : ('decimal' as const),
      value: step[column],
      error: problem === undefined ? undefined : t(`problem.${problem}`),
      onValue: (text: string) => onChange(withText(step, column, text)),
    }
  }
  const columns = isPrice ? (['output', 'cached'] as const) : (['completion', 'cache'] as const)
  const inherited = inheritedTexts(step, model)
  return (
    <Box role="group" aria-label={t('steps.step', { number })} borderWidth="1px" borderColor="border" borderRadius="control" p="3">
      <Flex align="center" justify="space-between" gap="2" mb="2">
        <Text textStyle="label">{t('steps.step', { number })}</Text>
        <IconButton type="button" size="sm" label={t('steps.remove', { number })} onClick={onRemove}>
          <X />
        </IconButton>
      </Flex>
      <SimpleGrid columns={2} gap="3" alignItems="start">
        <TextField {...box('above')} placeholder="200000" autoFocus={isNew} />
        <TextField {...box(isPrice ? 'input' : 'ratio')} />
        {columns.map((column) => (
          <TextField
            key={column}
            {...box(column)}
            placeholder={inherited[column] === '' ? '' : t('drawer.default', { value: inherited[column] })}
          />
        ))}
      </SimpleGrid>
      <Meaning step={step} steps={steps} model={model} />
    </Box>
  )
}

/** The values that apply where a step leaves a box empty. */
function inheritedTexts(step: PriceStep, { completion, cache }: StepsProps['model']) {
  const { input } = withText(step, 'ratio', step.ratio)
  const times = (factor: number): string =>
    input === '' || !Number.isFinite(Number(input)) ? '' : String(Number((Number(input) * factor).toPrecision(12)))
  return { completion: String(completion), cache: String(cache), output: times(completion), cached: times(cache) }
}

/** The step in a sentence. */
function Meaning({ step, steps, model }: Pick<StepProps, 'step' | 'steps' | 'model'>): ReactNode {
  const { t } = useTranslation('prices')
  const meaning = meaningOf(step, steps, model)
  const others = Object.entries(step.others)
  if (meaning === undefined && others.length === 0) return null
  return (
    <Stack gap="1" mt="3" textStyle="sm" color="text.muted">
      {meaning === undefined ? null : (
        <Text role="status">
          {meaning.upTo === undefined
            ? t('steps.above-all', { ...meaning, above: groupDigits(meaning.above) })
            : t('steps.between', { ...meaning, above: groupDigits(meaning.above), upTo: groupDigits(meaning.upTo) })}
        </Text>
      )}
      {others.length === 0 ? null : (
        <Text overflowWrap="anywhere">
          {t('steps.others')} <chakra.code textStyle="xs">{others.map(([name, value]) => `${name} ${value}`).join(', ')}</chakra.code>
        </Text>
      )}
    </Stack>
  )
}
