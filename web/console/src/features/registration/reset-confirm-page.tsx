import { Alert, Button, chakra, Flex, Link as ChakraLink, Stack, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../../lib/page-title.ts'
import { failureText } from '../../lib/report.ts'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Entrance } from '../../ui/page/entrance.tsx'
import { useResetPassword } from './api.ts'

type ResetLink = { readonly email: string; readonly token: string }

/** `/user/reset`: the page of the mailed link. The password changes on a click, because mail programs open links by themselves. */
export function ResetConfirmPage({ link }: { readonly link: ResetLink }): ReactNode {
  const { t } = useTranslation('registration')
  usePageTitle(t('confirm-title'))
  const { mutate, isPending, data: password, error } = useResetPassword()
  const isComplete = link.email !== '' && link.token !== ''
  return (
    <Entrance
      title={t('confirm-title')}
      links={
        <ChakraLink asChild>
          <Link to={password === undefined ? '/reset' : '/login'}>{t(password === undefined ? 'new-link' : 'sign-in')}</Link>
        </ChakraLink>
      }
    >
      {password === undefined ? (
        <Stack gap="4">
          <TextField size="lg" label={t('email')} value={link.email} onValue={() => undefined} readOnly />
          <chakra.div aria-live="polite">
            {isComplete && error === null ? null : (
              <Problem text={isComplete ? (failureText(error) ?? t('link-incomplete')) : t('link-incomplete')} />
            )}
          </chakra.div>
          <Button size="lg" w="full" disabled={!isComplete} loading={isPending} onClick={() => mutate(link)}>
            {t('confirm')}
          </Button>
        </Stack>
      ) : (
        <NewPassword password={password} />
      )}
    </Entrance>
  )
}

function Problem({ text }: { readonly text: string }): ReactNode {
  return (
    <Alert.Root status="error">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title fontWeight="normal">{text}</Alert.Title>
      </Alert.Content>
    </Alert.Root>
  )
}

function NewPassword({ password }: { readonly password: string }): ReactNode {
  const { t } = useTranslation('registration')
  return (
    <Stack gap="3" aria-live="polite">
      <Text textStyle="sm" color="text">
        {t('new-password')}
      </Text>
      <Flex align="center" justify="space-between" gap="2" px="3" py="2" bg="subtle" borderRadius="control">
        <chakra.span fontFamily="mono" textStyle="md" color="text.strong" overflowWrap="anywhere">
          {password}
        </chakra.span>
        <CopyButton text={password} label={t('copy-password')} />
      </Flex>
      <Text textStyle="sm" color="text.muted">
        {t('new-password-help')}
      </Text>
    </Stack>
  )
}
