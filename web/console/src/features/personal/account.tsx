import { Button, Text } from '@chakra-ui/react'
import { csvExports } from '@tollgate/contracts/resources/exports'
import { self, type OwnUser } from '@tollgate/contracts/resources/self'
import type { User } from '@tollgate/contracts/resources/users'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, callForFile } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { useLeave } from '../../lib/leave.ts'
import { refresh } from '../../lib/query-client.ts'
import { report } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { saveFile } from '../../ui/list/csv.ts'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { InfoDialog } from '../../ui/overlay/info-dialog.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { NameDialog, PasswordDialog } from './own-dialogs.tsx'
import { useProof } from './security/use-proof.tsx'

type Opened = 'name' | 'password' | 'delete' | undefined

/** Names, password, the system access token, and leaving for good. */
export function Account({ account }: { readonly account: OwnUser }): ReactNode {
  const { t } = useTranslation('personal')
  const [opened, setOpened] = useState<Opened>(undefined)
  const [token, setToken] = useState<string | undefined>(undefined)
  const { ask, dialog } = useConfirm()
  const { guarded, dialog: proof } = useProof()
  const client = useQueryClient()
  const close = (): void => setOpened(undefined)
  const createToken = async (): Promise<void> => {
    try {
      const created = await guarded(() => call(self.createAccessToken, {}))
      setToken(created)
      void refresh(client, self.get)
      await copyText(created, t('token.created'))
    } catch (error) {
      report(error)
    }
  }
  const askForToken = (): void =>
    // Not awaited: the question closes first, because a proof may be asked for, and a dialog follows.
    ask({ title: t('token.ask'), help: t('token.ask-help'), confirm: t('token.create'), isDangerous: false, run: () => void createToken() })
  // Without an answer about it, there may be one.
  const hasToken = account.has_access_token !== false
  return (
    <Panel isFlush title={t('account.title')}>
      <PanelRow title={t('account.names')} action={<RowButton label={t('account.edit')} onClick={() => setOpened('name')} />}>
        {account.username} {account.display_name === '' || account.display_name === account.username ? '' : `· ${account.display_name}`}
      </PanelRow>
      <PanelRow title={t('account.password')} action={<RowButton label={t('account.change')} onClick={() => setOpened('password')} />}>
        {t('account.password-help')}
      </PanelRow>
      <PanelRow
        title={t('token.title')}
        action={<RowButton label={t('token.create')} onClick={hasToken ? askForToken : () => void createToken()} />}
      >
        {t('token.help')}
      </PanelRow>
      <PanelRow title={t('data.title')} action={<RowButton label={t('data.save')} onClick={() => void saveOwnData().catch(report)} />}>
        {t('data.help')}
      </PanelRow>
      <PanelRow
        title={t('delete.title')}
        action={
          <Button size="sm" variant="outline" colorPalette="danger" onClick={() => setOpened('delete')}>
            {t('delete.button')}
          </Button>
        }
      >
        {t('delete.help')}
      </PanelRow>
      {opened === 'name' ? <NameDialog account={account} onClose={close} /> : null}
      {opened === 'password' ? <PasswordDialog guarded={guarded} onClose={close} /> : null}
      {opened === 'delete' ? <LeaveForGood account={account} guarded={guarded} onClose={close} /> : null}
      {token === undefined ? null : <TokenDialog token={token} onClose={() => setToken(undefined)} />}
      {dialog}
      {proof}
    </Panel>
  )
}

async function saveOwnData(): Promise<void> {
  saveFile('my-data.jsonl', await callForFile(csvExports.own, {}))
}

function RowButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }): ReactNode {
  return (
    <Button size="sm" variant="outline" onClick={onClick}>
      {label}
    </Button>
  )
}

/** Shown once: the server keeps a hash. */
function TokenDialog({ token, onClose }: { readonly token: string; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('personal')
  return (
    <InfoDialog title={t('token.title')} width="md" isOnce buttons={<Button onClick={onClose}>{t('token.seen')}</Button>} onClose={onClose}>
      <Text mb="3">{t('token.once')}</Text>
      <CodeBlock code={token} label={t('token.title')} />
    </InfoDialog>
  )
}

type LeaveProps = {
  readonly account: User
  readonly guarded: Guarded
  readonly onClose: () => void
}

function LeaveForGood({ account, guarded, onClose }: LeaveProps): ReactNode {
  const { t } = useTranslation('personal')
  const leave = useLeave()
  const remove = async (): Promise<void> => {
    try {
      await leave(() => guarded(() => call(self.remove, {})))
      toast.success(t('delete.done'))
    } catch (error) {
      report(error)
    }
  }
  return <DeleteDialog name={account.username} onDelete={remove} onClose={onClose} />
}
