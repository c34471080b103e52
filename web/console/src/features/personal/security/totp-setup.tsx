import { Box, Code, Flex, QrCode, Text } from '@chakra-ui/react'
import { twoFactor } from '@tollgate/contracts/resources/two-factor'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { failureText } from '../../../lib/report.ts'
import { CopyButton } from '../../../ui/display/copy-button.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'

export type TotpSecret = { readonly secret: string; readonly uri: string }

type TotpSetupProps = {
  readonly secret: TotpSecret
  /** With the recovery codes, which are shown once. */
  readonly onDone: (codes: readonly string[]) => void
  readonly onClose: () => void
}

/** The key as QR image and text; the first code of the app turns two-step verification on. */
export function TotpSetup({ secret, onDone, onClose }: TotpSetupProps): ReactNode {
  const { t } = useTranslation('security')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    if (code.trim() === '') return setProblem(t('two-factor.code-required'))
    setBusy(true)
    setProblem(undefined)
    try {
      onDone((await call(twoFactor.confirm, { body: { code: code.trim() } })).recovery_codes)
    } catch (error) {
      setProblem(failureText(error))
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={t('two-factor.setup-title')}
      submit={t('two-factor.turn-on')}
      isBusy={isBusy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Text>{t('two-factor.scan')}</Text>
      <Flex direction="column" align="center" gap="3">
        <Box bg="white" p="3" borderRadius="control" borderWidth="1px" borderColor="border" role="img" aria-label={t('two-factor.qrcode')}>
          <QrCode.Root value={secret.uri} boxSize="44">
            <QrCode.Frame boxSize="44" fill="black">
              <QrCode.Pattern />
            </QrCode.Frame>
          </QrCode.Root>
        </Box>
        <Flex align="center" gap="1" maxW="full">
          <Code overflowWrap="anywhere" data-totp-secret>
            {secret.secret}
          </Code>
          <CopyButton text={secret.secret} />
        </Flex>
      </Flex>
      <TextField
        label={t('two-factor.code')}
        help={t('two-factor.code-help')}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onValue={setCode}
        error={problem}
      />
    </FormDialog>
  )
}
