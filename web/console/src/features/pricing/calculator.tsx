import { Button, Field, Grid, Text, Textarea } from '@chakra-ui/react'
import { countText, estimateTokens } from '@tollgate/domain/pricing/estimate'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/form/text-field.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import type { PricingChange, PricingSearch } from './search.ts'

type CalculatorProps = { readonly search: PricingSearch; readonly onChange: (change: PricingChange) => void }

const FIELDS = ['input', 'cached', 'output', 'times'] as const
type Name = (typeof FIELDS)[number]
const MAX = 1_000_000_000

/** Price of a prompt: token counts, typed or estimated from a text. They are in the address, the text is not. */
export function Calculator({ search, onChange }: CalculatorProps): ReactNode {
  const { t } = useTranslation('pricing')
  const [typed, setTyped] = useState<Readonly<Partial<Record<Name, string>>>>({})
  const [text, setText] = useState('')
  const set = (name: Name, value: string): void => {
    setTyped({ ...typed, [name]: value })
    if (isCount(value)) onChange({ [name]: Number(value) === 0 ? undefined : Number(value) })
  }
  const paste = (value: string): void => {
    setText(value)
    setTyped(Object.fromEntries(Object.entries(typed).filter(([name]) => name !== 'input')))
    onChange({ input: value === '' ? undefined : tokensOf(value) })
  }
  const clear = (): void => {
    setTyped({})
    setText('')
    onChange({ input: undefined, cached: undefined, output: undefined, times: undefined })
  }
  const errorOf = (name: Name): string | undefined => {
    const value = typed[name]
    if (value !== undefined && !isCount(value)) return t('calculator.number')
    return name === 'cached' && (search.cached ?? 0) > (search.input ?? 0) ? t('calculator.too-many') : undefined
  }
  return (
    <Panel
      title={t('calculator.title')}
      help={t('calculator.help')}
      action={
        <Button size="xs" variant="ghost" onClick={clear}>
          {t('calculator.clear')}
        </Button>
      }
    >
      <Grid templateColumns={{ base: '1fr 1fr', md: '2fr 1fr 1fr 1fr 1fr' }} gap="3" alignItems="start">
        <Field.Root gridColumn={{ base: '1 / -1', md: 'auto' }}>
          <Field.Label>{t('calculator.text')}</Field.Label>
          <Textarea rows={2} value={text} onChange={(event) => paste(event.target.value)} spellCheck={false} />
          {text === '' ? null : (
            <Text textStyle="xs" color="text.muted" role="status">
              {t('calculator.estimate', { tokens: tokensOf(text) })}
            </Text>
          )}
        </Field.Root>
        {FIELDS.map((name) => (
          <TextField
            key={name}
            label={t(`calculator.${name}`)}
            inputMode="numeric"
            value={typed[name] ?? String(search[name] ?? (name === 'times' ? 1 : 0))}
            onValue={(value) => set(name, value)}
            error={errorOf(name)}
          />
        ))}
      </Grid>
    </Panel>
  )
}

const isCount = (text: string): boolean => /^\d+$/.test(text.trim()) && Number(text) <= MAX
/** Vocabularies differ by model; the estimate is for the common one. */
const tokensOf = (text: string): number => (text === '' ? 0 : estimateTokens(countText(text), 'o200k'))
