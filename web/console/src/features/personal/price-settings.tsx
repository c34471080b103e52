import type { User } from '@tollgate/contracts/resources/users'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { SwitchField } from '../../ui/form/labelled-field.tsx'
import { useOwnChanges } from './api.ts'
import { ownSetting } from './setting.ts'

/** Switch that allows calls of models without a price. It is saved at once. */
export function PriceSettings({ account }: { readonly account: User }): ReactNode {
  const { t } = useTranslation('personal')
  const { saveSetting } = useOwnChanges()
  const stored = ownSetting(account.setting).accept_unset_model_ratio_model === true
  const isOn = saveSetting.isPending ? saveSetting.variables.accept_unset_model_ratio_model === true : stored
  return (
    <SwitchField
      label={t('price.unset')}
      help={t('price.unset-help')}
      value={isOn}
      onValue={(accept_unset_model_ratio_model) =>
        saveSetting.mutate(
          { accept_unset_model_ratio_model },
          { onSuccess: () => toast.success(t('preferences.saved')), onError: () => toast.error(t('preferences.failed')) },
        )
      }
    />
  )
}
