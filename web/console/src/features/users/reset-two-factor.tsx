import { Button } from '@chakra-ui/react'
import { twoFactor } from '@tollgate/contracts/resources/two-factor'
import type { User } from '@tollgate/contracts/resources/users'
import { ShieldOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { saying } from '../../lib/saying.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'

/** For a user who lost phone and recovery codes. */
export function ResetTwoFactor({ user, guarded }: { readonly user: User; readonly guarded: Guarded }): ReactNode {
  const { t } = useTranslation('users')
  const { ask, dialog } = useConfirm()
  const reset = (): Promise<void> =>
    saying(
      guarded(() => call(twoFactor.reset, { params: { id: user.id } })),
      () => t('done'),
    )
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        onClick={() =>
          ask({
            title: t('two-factor.ask', { name: user.username }),
            help: t('two-factor.ask-help'),
            confirm: t('two-factor.reset'),
            // Not awaited: the question closes first, because a proof may be asked for.
            run: () => void reset(),
          })
        }
      >
        <ShieldOff />
        {t('two-factor.reset')}
      </Button>
      {dialog}
    </>
  )
}
