import { Button, chakra, Input } from '@chakra-ui/react'
import { Plus, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../display/icon-button.tsx'
import type { Pair } from './json-text.ts'

type PairRowsProps = {
  readonly initial: readonly Pair[]
  /** Of the two columns. */
  readonly names: { readonly key: string; readonly value: string }
  readonly onChange: (pairs: readonly Pair[]) => void
}

/** Rows of key and value. A row that has no key yet lives here only. */
export function PairRows({ initial, names, onChange }: PairRowsProps): ReactNode {
  const { t } = useTranslation('display')
  const [pairs, setPairs] = useState(initial)
  const change = (next: readonly Pair[]): void => {
    setPairs(next)
    onChange(next)
  }
  const box = { fontFamily: 'mono', minW: '0', spellCheck: false } as const
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5" width="full">
      {pairs.map(([key, value], index) => (
        <chakra.div key={index} display="flex" gap="1.5" alignItems="center">
          <Input
            {...box}
            aria-label={names.key}
            placeholder={names.key}
            value={key}
            onChange={(event) => change(pairs.with(index, [event.target.value, value]))}
          />
          <chakra.span color="text.muted" aria-hidden>
            →
          </chakra.span>
          <Input
            {...box}
            aria-label={names.value}
            placeholder={names.value}
            value={value}
            onChange={(event) => change(pairs.with(index, [key, event.target.value]))}
          />
          <IconButton type="button" size="sm" label={t('json.remove-pair', { key })} onClick={() => change(pairs.toSpliced(index, 1))}>
            <X />
          </IconButton>
        </chakra.div>
      ))}
      <Button type="button" size="sm" variant="outline" alignSelf="flex-start" onClick={() => setPairs([...pairs, ['', '']])}>
        <Plus />
        {t('json.add-pair')}
      </Button>
    </chakra.div>
  )
}
