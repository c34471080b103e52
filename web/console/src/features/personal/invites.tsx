import { Button, Flex, Input, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { User } from '@tollgate/contracts/resources/users'
import { quotaText } from '@tollgate/domain/display/quota-text'
import { ArrowRightLeft, Copy } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { QuotaText, useQuotaStyle } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { QuotaField } from '../../ui/form/quota-field.tsx'
import { copyText } from '../../ui/overlay/clipboard.ts'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { inviteCode, useOwnChanges } from './api.ts'

/** The invite link, what it earned, and moving earnings to the balance. */
export function Invites({ account }: { readonly account: User }): ReactNode {
  const { t } = useTranslation('personal')
  const code = useQuery({ ...inviteCode, meta: { quiet: true } })
  const [isOpen, setOpen] = useState(false)
  const { quota_per_unit } = useQuotaStyle()
  const link = code.data === undefined ? '' : `${window.location.origin}/register?aff=${encodeURIComponent(code.data)}`
  return (
    <Panel
      title={t('invite.title')}
      help={t('invite.help')}
      action={
        <Button size="sm" variant="outline" disabled={account.aff_quota < quota_per_unit} onClick={() => setOpen(true)}>
          <ArrowRightLeft aria-hidden />
          {t('invite.transfer')}
        </Button>
      }
    >
      <StatRow>
        <StatCard label={t('invite.pending')}>
          <QuotaText quota={account.aff_quota} />
        </StatCard>
        <StatCard label={t('invite.total')}>
          <QuotaText quota={account.aff_history_quota} />
        </StatCard>
        <StatCard label={t('invite.count')}>{account.aff_count}</StatCard>
      </StatRow>
      {code.error === null ? null : (
        <Text mt="3" color="danger.fg">
          {failureText(code.error)}
        </Text>
      )}
      {code.isPending ? <Skeleton height="8" mt="3" /> : null}
      {link === '' ? null : (
        <Flex gap="2" mt="3">
          <Input readOnly aria-label={t('invite.link')} value={link} fontFamily="mono" onFocus={(event) => event.currentTarget.select()} />
          <Button variant="outline" onClick={() => void copyText(link, t('invite.copied'))}>
            <Copy aria-hidden />
            {t('invite.copy')}
          </Button>
        </Flex>
      )}
      {isOpen ? <TransferDialog account={account} onClose={() => setOpen(false)} /> : null}
    </Panel>
  )
}

function TransferDialog({ account, onClose }: { readonly account: User; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('personal')
  const style = useQuotaStyle()
  const { transfer } = useOwnChanges()
  const [amount, setAmount] = useState(String(account.aff_quota))
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const submit = async (): Promise<void> => {
    const quota = Number(amount)
    if (!Number.isSafeInteger(quota) || quota < style.quota_per_unit) {
      setProblem(`${t('invite.transfer-least')}${quotaText(style.quota_per_unit, 'total', style)}`)
      return
    }
    try {
      await transfer.mutateAsync(quota)
      toast.success(t('invite.transferred'))
      onClose()
    } catch (error) {
      setProblem(failureText(error))
    }
  }
  return (
    <FormDialog
      title={t('invite.transfer-title')}
      submit={t('invite.transfer')}
      isBusy={transfer.isPending}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Text>
        {t('invite.pending')}: <QuotaText quota={account.aff_quota} />
      </Text>
      <QuotaField label={t('invite.amount')} value={amount} onValue={setAmount} error={problem} field="amount" />
    </FormDialog>
  )
}
