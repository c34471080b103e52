import { Tabs } from '@chakra-ui/react'
import type { User } from '@tollgate/contracts/resources/users'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../ui/page/panel.tsx'
import { NotificationSettings } from './notifications/notification-settings.tsx'
import { PriceSettings } from './price-settings.tsx'

/** The tabs and what each shows; their texts are `preferences.<name>`. */
const TABS = { notification: NotificationSettings, price: PriceSettings } as const satisfies Readonly<
  Record<string, (props: { readonly account: User }) => ReactNode>
>
type Tab = keyof typeof TABS
const NAMES = Object.keys(TABS).filter((name): name is Tab => name in TABS)

/** Settings of a user for the own account: notifications and prices. */
export function Preferences({ account }: { readonly account: User }): ReactNode {
  const { t } = useTranslation('personal')
  return (
    <Panel isFlush title={t('preferences.title')}>
      <Tabs.Root defaultValue={NAMES[0] ?? 'notification'} lazyMount>
        <Tabs.List px="4">
          {NAMES.map((name) => (
            <Tabs.Trigger key={name} value={name}>
              {t(`preferences.${name}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {NAMES.map((name) => {
          const Content = TABS[name]
          return (
            <Tabs.Content key={name} value={name} px="4" pb="4">
              <Content account={account} />
            </Tabs.Content>
          )
        })}
      </Tabs.Root>
    </Panel>
  )
}
