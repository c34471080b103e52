import { Stack } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Budgets } from '../../ui/budgets/budgets.tsx'
import { ChoiceField } from '../../ui/form/labelled-field.tsx'
import { Panel } from '../../ui/page/panel.tsx'

/** Budgets that a group gives to each of its users. They are saved one by one, apart from the settings around them. */
export function GroupBudgets({ groups }: { readonly groups: readonly string[] }): ReactNode {
  const { t } = useTranslation('budgets')
  const [chosen, setChosen] = useState('')
  const group = groups.includes(chosen) ? chosen : (groups.find((name) => name === 'default') ?? groups[0])
  if (group === undefined) return null
  return (
    <Panel title={t('group-title')} help={t('group-help')}>
      <Stack gap="4">
        <ChoiceField label={t('group')} choices={groups.map((value) => ({ value, label: value }))} value={group} onValue={setChosen} />
        <Budgets key={group} owner={{ group }} canAdd />
      </Stack>
    </Panel>
  )
}
