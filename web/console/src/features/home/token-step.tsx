import { Button, chakra, Flex } from '@chakra-ui/react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { TextField } from '../../ui/form/text-field.tsx'
import { useCreateToken } from './api.ts'

/** A token of one's own: no limit of its own, never expires. */
export function TokenStep({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation('home')
  const [name, setName] = useState<string>(t('token-default-name'))
  const { mutate, isPending } = useCreateToken()
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '') return toast.error(t('token-name-required'))
    mutate(name.trim(), {
      onSuccess: () => {
        toast.success(t('token-created'))
        onDone()
      },
    })
  }
  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="4" onSubmit={onSubmit}>
      <TextField label={t('token-name')} value={name} maxLength={30} help={t('token-help')} onValue={setName} />
      <Flex>
        <Button type="submit" loading={isPending}>
          {t('create-token')}
        </Button>
      </Flex>
    </chakra.form>
  )
}
