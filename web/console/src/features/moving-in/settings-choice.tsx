import { chakra, Stack } from '@chakra-ui/react'
import type { ImportReason } from '@tollgate/contracts/resources/imports'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckBox } from '../../ui/form/check-box.tsx'
import { Panel } from '../../ui/page/panel.tsx'

const OF_SETTINGS: readonly string[] = ['setting-replaced', 'setting-kept']

export const isOfSettings = ({ code }: ImportReason): boolean => OF_SETTINGS.includes(code)

/** The settings that the next run leaves out. */
export type KeptSettings = { readonly names: ReadonlySet<string>; readonly toggle: (name: string) => void }

type Props = { readonly reasons: readonly ImportReason[]; readonly kept: KeptSettings }

/** The settings saved here that a run would replace, each with a box to keep it. */
export function SettingsChoice({ reasons, kept }: Props): ReactNode {
  const { t } = useTranslation('moving-in')
  const rows = reasons
    .filter(isOfSettings)
    .flatMap(({ items }) => items)
    .map(({ at, detail }) => ({ name: at.replace(/^options /, ''), detail }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  if (rows.length === 0) return null
  return (
    <Panel title={t('report.settings')} help={t('report.settings-help')}>
      <Stack gap="1.5">
        {rows.map(({ name, detail }) => (
          <chakra.label key={name} display="flex" gap="2.5" alignItems="baseline" cursor="pointer" overflowWrap="anywhere">
            <CheckBox label={name} isChecked={!kept.names.has(name)} onChange={() => kept.toggle(name)} />
            <span>
              <chakra.code textStyle="xs">{name}</chakra.code>
              {detail === '' ? null : <chakra.span color="text.muted"> {t('report.settings-here', { value: detail })}</chakra.span>}
            </span>
          </chakra.label>
        ))}
      </Stack>
    </Panel>
  )
}
