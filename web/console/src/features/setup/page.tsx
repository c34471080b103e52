import { Alert, Box, Button, chakra, Flex, Heading, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api-error.ts'
import { toast } from '../../lib/toast.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { setupStatus, useInitialise } from './api.ts'
import { checkSetup, toSetupBody, type SetupErrors, type SetupForm } from './form.ts'
import { ModeChoice } from './mode-choice.tsx'

const ModesDialog = lazy(async () => ({ default: (await import('./modes-dialog.tsx')).ModesDialog }))

const RELOAD_AFTER_MS = 1500

/** First run: root account and usage mode. `code` comes from the address that start-up printed. */
export function SetupPage({ code }: { readonly code: string }): ReactNode {
  const { t } = useTranslation('setup')
  const { data, error } = useQuery(setupStatus)
  useEffect(() => {
    if (error !== null) toast.error(t('read-failed'))
  }, [error, t])
  return (
    <Flex as="main" id="content" flex="1" justify="center" px="4" py={{ base: '6', sm: '12' }}>
      <Box w="full" maxW="xl">
        <Heading as="h1" textStyle="2xl" fontWeight="semibold" color="text.strong">
          {t('title')}
        </Heading>
        <Text mt="1" mb="5" color="text.muted">
          {t('intro')}
        </Text>
        {data?.database_type === 'sqlite' ? <SqliteWarning /> : null}
        <Box bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel">
          <InitialiseForm hasRoot={data?.root_init === true} needsCode={data?.needs_code === true} code={code} />
        </Box>
      </Box>
    </Flex>
  )
}

function SqliteWarning(): ReactNode {
  const { t } = useTranslation('setup')
  return (
    <Alert.Root status="warning" mb="4">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{t('sqlite-title')}</Alert.Title>
        <Alert.Description>{t('sqlite-help')}</Alert.Description>
      </Alert.Content>
    </Alert.Root>
  )
}

type FormProps = { readonly hasRoot: boolean; readonly needsCode: boolean; readonly code: string }

function InitialiseForm({ hasRoot, needsCode, code }: FormProps): ReactNode {
  const { t } = useTranslation('setup')
  const [form, setForm] = useState<SetupForm>({ username: '', password: '', confirmPassword: '', mode: 'external', code })
  const [isExplained, setExplained] = useState(false)
  const { formRef, errors, onSubmit, onLeave, isPending } = useSetupSubmit(form, hasRoot)
  const set = (change: Partial<SetupForm>): void => setForm({ ...form, ...change })
  return (
    <chakra.form ref={formRef} noValidate onSubmit={onSubmit}>
      <Section title={t('administrator')}>
        {hasRoot ? (
          <Text textStyle="sm">{t('root-exists')}</Text>
        ) : (
          <AccountFields form={form} set={set} errors={errors} onLeave={onLeave} />
        )}
      </Section>
      <Section
        title={t('usage-mode')}
        aside={
          <Button variant="plain" textStyle="sm" onClick={() => setExplained(true)}>
            {t('explain-modes')}
          </Button>
        }
      >
        <ModeChoice mode={form.mode} onMode={(mode) => set({ mode })} />
      </Section>
      {needsCode || code !== '' ? (
        <Section>
          <TextField
            label={t('code')}
            help={t('code-help')}
            name="code"
            autoComplete="one-time-code"
            fontFamily="mono"
            value={form.code}
            onValue={(value) => set({ code: value })}
          />
        </Section>
      ) : null}
      <Flex justify="flex-end" px="5" py="4">
        <Button type="submit" size="lg" w={{ base: 'full', sm: 'auto' }} loading={isPending}>
          {t('submit')}
        </Button>
      </Flex>
      <Suspense fallback={null}>{isExplained ? <ModesDialog onClose={() => setExplained(false)} /> : null}</Suspense>
    </chakra.form>
  )
}

function Section({
  title,
  aside,
  children,
}: {
  readonly title?: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <Box as="section" px="5" py="5" borderBottomWidth="1px" borderColor="border">
      {title === undefined ? null : (
        <Flex align="baseline" justify="space-between" gap="3" mb="3">
          <Heading as="h2" textStyle="section" color="text.strong">
            {title}
          </Heading>
          {aside}
        </Flex>
      )}
      {children}
    </Box>
  )
}

type AccountProps = {
  readonly form: SetupForm
  readonly set: (change: Partial<SetupForm>) => void
  readonly errors: SetupErrors
  readonly onLeave: (field: keyof SetupErrors) => void
}

function AccountFields({ form, set, errors, onLeave }: AccountProps): ReactNode {
  const { t } = useTranslation('setup')
  const textOf = (field: keyof SetupErrors): string | undefined => {
    const error = errors[field]
    return error === undefined ? undefined : t(error)
  }
  return (
    <Flex direction="column" gap="4">
      <TextField
        label={t('username')}
        name="username"
        autoComplete="username"
        required
        value={form.username}
        error={textOf('username')}
        onBlur={() => onLeave('username')}
        onValue={(username) => set({ username })}
      />
      <Flex gap="4" direction={{ base: 'column', sm: 'row' }} align="flex-start">
        <TextField
          label={t('password')}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          value={form.password}
          help={t('password-help')}
          error={textOf('password')}
          onBlur={() => onLeave('password')}
          onValue={(password) => set({ password })}
        />
        <TextField
          label={t('confirm-password')}
          name="confirmPassword"
          type="password"
          autoComplete="new-password"
          required
          value={form.confirmPassword}
          error={textOf('confirmPassword')}
          onBlur={() => onLeave('confirmPassword')}
          onValue={(confirmPassword) => set({ confirmPassword })}
        />
      </Flex>
    </Flex>
  )
}

/** Shows a field's error once it was left or the whole was sent; sends what is right. */
function useSetupSubmit(form: SetupForm, hasRoot: boolean) {
  const { t } = useTranslation(['setup', 'common'])
  const formRef = useRef<HTMLFormElement>(null)
  const [left, setLeft] = useState<ReadonlySet<keyof SetupErrors>>(new Set())
  const { mutate, isPending, isSuccess } = useInitialise()
  const all = checkSetup(form, hasRoot)
  const errors: SetupErrors = Object.fromEntries(Object.entries(all).filter(([field]) => [...left].some((one) => one === field)))

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (isPending || isSuccess) return toast.warning(t('common:submit-twice'))
    if (formRef.current === null) return toast.error(t('form-missing'))
    setLeft(new Set(['username', 'password', 'confirmPassword']))
    const first = Object.values(all)[0]
    if (first !== undefined) return toast.error(t(first))
    mutate(toSetupBody(form), {
      onSuccess: ({ message }) => {
        toast.success(message === '' ? t('done') : message)
        setTimeout(() => window.location.reload(), RELOAD_AFTER_MS)
      },
      onError: (error) => {
        const isRefused = error instanceof ApiError && error.failure.kind === 'refused'
        toast.error(isRefused ? `${t('refused')} · ${error.message}` : t('failed'))
      },
    })
  }
  const onLeave = (field: keyof SetupErrors): void => setLeft(new Set([...left, field]))
  return { formRef, errors, onSubmit, onLeave, isPending: isPending || isSuccess }
}
