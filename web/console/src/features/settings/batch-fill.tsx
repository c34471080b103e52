import { Button, Flex, Input } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { Select } from '../../ui/form/select-field.tsx'
import { fillOf, FILL_MODES, type FillMode } from './fill.ts'
import type { PriceRow } from './prices.ts'

type BatchFillProps = { readonly count: number; readonly onFill: (change: Partial<PriceRow>) => void }

/** One value for every selected model. */
export function BatchFill({ count, onFill }: BatchFillProps): ReactNode {
  const { t } = useTranslation('prices')
  const [mode, setMode] = useState<FillMode>('ratio')
  const [value, setValue] = useState('')
  const [second, setSecond] = useState('')
  const fill = (): void => {
    const change = fillOf(mode, { count, value, second })
    if (typeof change === 'string') {
      toast.error(t(`fill.${change}`))
      return
    }
    onFill(change)
    setValue('')
    setSecond('')
  }
  const box = { w: '8rem', inputMode: 'decimal', autoComplete: 'off' } as const
  return (
    <Flex gap="2" wrap="wrap" align="center">
      <Select
        label={t('fill.mode')}
        width="11rem"
        value={mode}
        choices={FILL_MODES.map((one) => ({ value: one, label: t(`fill.mode-${one}`) }))}
        onChange={(one) => setMode(FILL_MODES.find((known) => known === one) ?? 'ratio')}
      />
      <Input
        {...box}
        aria-label={mode === 'both' ? t('column.ratio') : t('fill.value')}
        placeholder={mode === 'both' ? t('column.ratio') : t('fill.value')}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      {mode === 'both' ? (
        <Input
          {...box}
          aria-label={t('column.completion')}
          placeholder={t('column.completion')}
          value={second}
          onChange={(event) => setSecond(event.target.value)}
        />
      ) : null}
      <Button type="button" variant="outline" onClick={fill}>
        {t('fill.run', { count })}
      </Button>
    </Flex>
  )
}
