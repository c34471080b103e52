import { Alert, Button, Flex, Text } from '@chakra-ui/react'
import type { FirstRun } from '@tollgate/contracts/resources/setup'
import { Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { useTestChannel } from './api.ts'

/** Sends one small request through the channel; what goes wrong is said here, where it can be tried again. */
export function TestStep({ channel, onDone }: { readonly channel: FirstRun['channel']; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation('home')
  const { mutate, isPending, error } = useTestChannel()
  if (channel === null) return null
  const run = (): void =>
    mutate(channel.id, {
      onSuccess: ({ time }) => {
        toast.success(t('test-passed', { seconds: time.toFixed(2) }))
        onDone()
      },
    })
  return (
    <Flex direction="column" align="flex-start" gap="3">
      <Text textStyle="sm">{t('test-help', { name: channel.name, model: channel.model })}</Text>
      {error === null ? null : (
        <Alert.Root status="error">
          <Alert.Indicator />
          <Alert.Content>
            <Alert.Title>{t('test-failed')}</Alert.Title>
            <Alert.Description overflowWrap="anywhere">{failureText(error)}</Alert.Description>
          </Alert.Content>
        </Alert.Root>
      )}
      <Button loading={isPending} loadingText={t('testing')} onClick={run}>
        <Zap aria-hidden />
        {t('test-now')}
      </Button>
    </Flex>
  )
}
