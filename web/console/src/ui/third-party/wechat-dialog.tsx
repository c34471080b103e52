import { Box, chakra, Flex, Text } from '@chakra-ui/react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { TextField } from '../form/text-field.tsx'
import { FormDialog } from '../overlay/form-dialog.tsx'

type WechatDialogProps = {
  readonly purpose: 'log-in' | 'bind'
  /** Address of the QR image; empty when the administrator has set none. */
  readonly qrcode: string
  /** Uses the code that the WeChat account sent; what it throws is shown below the field. */
  readonly onCode: (code: string) => Promise<unknown>
  readonly onClose: () => void
}

/** The QR image of the site's WeChat account, and a field for the code that it sends. */
export function WechatDialog({ purpose, qrcode, onCode, onClose }: WechatDialogProps): ReactNode {
  const { t } = useTranslation('third-party')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    if (code.trim() === '') return setProblem(t('wechat.required'))
    setBusy(true)
    setProblem(undefined)
    try {
      await onCode(code.trim())
    } catch (error) {
      setProblem(failureText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={t(`wechat.${purpose}`)}
      submit={t(`wechat.submit.${purpose}`)}
      isBusy={isBusy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Flex direction="column" align="center" gap="3">
        {qrcode === '' ? (
          <Text color="text.muted">{t('wechat.no-qrcode')}</Text>
        ) : (
          <Box bg="white" p="2" borderRadius="control" borderWidth="1px" borderColor="border">
            <chakra.img src={qrcode} alt={t('wechat.qrcode')} boxSize="44" objectFit="contain" />
          </Box>
        )}
        <Text textStyle="sm" color="text.muted" textAlign="center">
          {t('wechat.help')}
        </Text>
      </Flex>
      <TextField label={t('wechat.code')} autoFocus autoComplete="one-time-code" value={code} onValue={setCode} error={problem} />
    </FormDialog>
  )
}
