import { Box, chakra, Flex, Text } from '@chakra-ui/react'
import { useDeferredValue, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../form/text-field.tsx'
import type { Bound } from '../form/use-resource-form.ts'

type PictureFieldProps = Bound<string> & { readonly label: string; readonly help: string }

/** The address of a picture, with the picture below it, or that it does not load. */
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
  return (
    <Flex mt="2" align="center" gap="3" minH="10">
      {isBroken ? (
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
