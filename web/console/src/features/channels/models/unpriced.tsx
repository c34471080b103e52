import { Button, chakra, Flex } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toPriceChange } from '../../../lib/model-prices.ts'
import { saying } from '../../../lib/saying.ts'
import { isRoot, useUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { cataloguePrices, saveCataloguePrices, savePrice, unpricedModels } from '../api.ts'

const SHOWN = 5

/** The models that have no price: their requests are refused until they have one, which root can set here. */
export function UnpricedModels({ models }: { readonly models: readonly string[] }): ReactNode {
  const { t } = useTranslation('channels')
  const mayPrice = isRoot(useUser())
  const { data = [] } = useQuery(unpricedModels(models))
  const unpriced = data.filter((model) => models.includes(model))
  const { data: known = [] } = useQuery(cataloguePrices(mayPrice ? unpriced : []))
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  if (unpriced.length === 0) return null
  const names = unpriced.slice(0, SHOWN).join(', ') + (unpriced.length > SHOWN ? ' …' : '')
  return (
    <chakra.div role="note" p="3" borderWidth="1px" borderColor="warning.border" bg="warning.subtle" borderRadius="control">
      <Flex gap="3" align="center" wrap="wrap">
        <chakra.span flex="1" minW="14rem" color="text.strong" overflowWrap="anywhere">
          {t('unpriced.help', { count: unpriced.length, names })} {mayPrice ? '' : t('unpriced.only-root')}
        </chakra.span>
        {mayPrice && known.length > 0 ? (
          <Button
            type="button"
            size="sm"
            onClick={() => void saying(saveCataloguePrices(client, known), () => t('unpriced.catalogue-saved', { count: known.length }))}
          >
            {t('unpriced.catalogue', { count: known.length })}
          </Button>
        ) : null}
        {mayPrice && !isOpen ? (
          <Button type="button" size="sm" variant="outline" onClick={() => setOpen(true)}>
            {t('unpriced.set')}
          </Button>
        ) : null}
      </Flex>
      {mayPrice && isOpen ? unpriced.slice(0, SHOWN).map((model) => <PriceRow key={model} model={model} />) : null}
    </chakra.div>
  )
}

function PriceRow({ model }: { readonly model: string }): ReactNode {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const [{ input, output }, setPrice] = useState({ input: '', output: '' })
  const save = (): void => {
    const change = toPriceChange({ kind: 'tokens', input, output })
    if (change.kind === 'invalid') return toast.error(t('unpriced.invalid'))
    return void saying(savePrice(client, model, change), () => t('unpriced.saved', { model }))
  }
  return (
    <Flex gap="3" mt="3" align="flex-end" wrap="wrap">
      <chakra.span flexBasis="100%" fontFamily="mono" textStyle="xs" color="text.strong" overflowWrap="anywhere">
        {model}
      </chakra.span>
      <chakra.div flex="1" minW="7rem">
        <TextField
          label={t('unpriced.input')}
          inputMode="decimal"
          unit="$"
          value={input}
          onValue={(text) => setPrice({ input: text, output })}
        />
      </chakra.div>
      <chakra.div flex="1" minW="7rem">
        <TextField
          label={t('unpriced.output')}
          inputMode="decimal"
          unit="$"
          value={output}
          onValue={(text) => setPrice({ input, output: text })}
        />
      </chakra.div>
      <Button type="button" variant="outline" onClick={save}>
        {t('unpriced.save')}
      </Button>
    </Flex>
  )
}
