import { Box, chakra, Flex, Text } from '@chakra-ui/react'
import { useDeferredValue, useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../form/text-field.tsx'
import type { Bound } from '../form/use-resource-form.ts'

type PictureFieldProps = Bound<string> & { readonly label: string; readonly help: string }

/** The address of an image, with the image below it, or why it does not load. */
export function PictureField(props: PictureFieldProps): ReactNode {
  const address = useDeferredValue(props.value.trim())
  return (
    <Box>
      <TextField {...props} inputMode="url" placeholder="https://" />
      {address === '' ? null : <Preview key={address} address={address} label={props.label} />}
    </Box>
  )
}

function Preview({ address, label }: { readonly address: string; readonly label: string }): ReactNode {
  const { t } = useTranslation('display')
  const [isBroken, setBroken] = useState(false)
  const isBlocked = useIsBlocked(address)
  return (
    <Flex mt="2" align="center" gap="3" minH="10">
      {isBlocked ? (
        <Text role="status" textStyle="xs" color="text.muted">
          {t('setting.picture-blocked')}
        </Text>
      ) : isBroken ? (
        <Text role="alert" textStyle="xs" color="danger.fg">
          {t('setting.picture-broken')}
        </Text>
      ) : (
        <chakra.img
          src={address}
          alt={t('setting.preview-of', { label })}
          maxH="10"
          maxW="40"
          objectFit="contain"
          borderRadius="sm"
          onError={() => setBroken(true)}
        />
      )}
    </Flex>
  )
}

/** True if the page's policy, which is that of the stored options, refused to load an address. */
function useIsBlocked(address: string): boolean {
  const [isBlocked, setBlocked] = useState(false)
  useEffect(() => {
    const onViolation = ({ blockedURI }: SecurityPolicyViolationEvent): void => {
      if (blockedURI === URL.parse(address)?.href) setBlocked(true)
    }
    document.addEventListener('securitypolicyviolation', onViolation)
    return () => document.removeEventListener('securitypolicyviolation', onViolation)
  }, [address])
  return isBlocked
}
