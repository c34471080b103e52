import { Button, chakra, Flex } from '@chakra-ui/react'
import { useRouter } from '@tanstack/react-router'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { isRoot, useUser } from '../../../lib/session.ts'
import { useSiteStatus } from '../../../lib/status.ts'
import { toast } from '../../../lib/toast.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { useRedeem } from './api.ts'

/** Turns a code into quota. */
export function Redeem(): ReactNode {
  const { t } = useTranslation(['statement', 'common'])
  const redeem = useRedeem()
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (redeem.isPending) {
      toast.error(t('common:submit-twice'))
      return
    }
    if (key.trim() === '') return setProblem(t('redeem.blank'))
    redeem.mutate(key.trim(), {
      onError: (error) => setProblem(failureText(error)),
      onSuccess: () => {
        setKey('')
        setProblem(undefined)
        toast.success(t('redeem.done'))
      },
    })
  }
  return (
    <Panel title={t('redeem.title')} help={t('redeem.help')} action={<TopUpLink />}>
      <chakra.form noValidate onSubmit={submit}>
        <Flex gap="2" align="flex-end" maxW="xl">
          <TextField
            label={t('redeem.code')}
            autoComplete="off"
            spellCheck={false}
            fontFamily="mono"
            value={key}
            onValue={(text) => {
              setKey(text)
              setProblem(undefined)
            }}
            error={problem}
          />
          <Button type="submit" loading={redeem.isPending} {...(problem === undefined ? {} : { mb: '6' })}>
            {t('redeem.submit')}
          </Button>
        </Flex>
      </chakra.form>
    </Panel>
  )
}

/** Leads to the operator's own top-up page. */
function TopUpLink(): ReactNode {
  const { t } = useTranslation('statement')
  const link = useSiteStatus()?.top_up_link ?? ''
  const user = useUser()
  const router = useRouter()
  const toSetting = { label: t('redeem.set-link'), run: () => void router.navigate({ to: '/setting', search: { keyword: 'TopUpLink' } }) }
  const look = { size: 'sm', variant: 'outline' } as const
  if (link === '')
    return (
      <Button {...look} onClick={() => toast.error(t('redeem.no-link'), isRoot(user) ? toSetting : undefined)}>
        {t('redeem.link')}
      </Button>
    )
  return (
    <Button {...look} asChild>
      <a href={link} target="_blank" rel="noopener noreferrer">
        {t('redeem.link')}
      </a>
    </Button>
  )
}
