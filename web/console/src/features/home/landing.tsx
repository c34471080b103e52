import { Badge, Box, Button, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import { ArrowRight, ListTree, Network, Receipt } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { clientAddress } from '../../lib/client-address.ts'
import { useUser } from '../../lib/session.ts'
import { useBrand, useSiteStatus } from '../../lib/status.ts'
import { CopyButton } from '../../ui/display/copy-button.tsx'

const FACTS = [
  { key: 'one-address', icon: Network },
  { key: 'exact', icon: Receipt },
  { key: 'explained', icon: ListTree },
] as const

/** The home page while the operator has not written one: what this is, where to send requests, and the way in. */
export function Landing(): ReactNode {
  const { t } = useTranslation('home')
  const { name } = useBrand()
  return (
    <Flex
      as="main"
      id="content"
      direction="column"
      flex="1"
      w="full"
      maxW="5xl"
      mx="auto"
      px={{ base: '4', sm: '6' }}
      py={{ base: '10', sm: '20' }}
      gap={{ base: '8', sm: '12' }}
    >
      <Box>
        <Text textStyle="sm" fontWeight="medium" color="accent.fg" mb="3">
          {name}
        </Text>
        <Heading
          as="h1"
          fontSize={{ base: '3xl', sm: '4xl' }}
          lineHeight="tight"
          fontWeight="semibold"
          letterSpacing="-0.025em"
          color="text.strong"
          maxW="2xl"
        >
          {t('tagline')}
        </Heading>
        <Text mt="4" maxW="3xl" textStyle="lg" color="text.muted" lineHeight="relaxed">
          {t('lead')}
        </Text>
        <Flex mt="7" gap="2.5" wrap="wrap">
          <Entrance />
        </Flex>
      </Box>
      <Address />
      <Grid
        templateColumns={{ base: '1fr', md: 'repeat(3, 1fr)' }}
        borderTopWidth="1px"
        borderColor="border"
        pt="8"
        gap={{ base: '6', md: '10' }}
      >
        {FACTS.map(({ key, icon: Icon }) => (
          <Box key={key}>
            <Flex align="center" gap="2" mb="1.5" color="text.strong">
              <Box color="accent.fg">
                <Icon size={16} aria-hidden />
              </Box>
              <Heading as="h2" textStyle="section">
                {t(key)}
              </Heading>
            </Flex>
            <Text textStyle="sm" color="text.muted" lineHeight="relaxed">
              {t(`${key}-help`)}
            </Text>
          </Box>
        ))}
      </Grid>
    </Flex>
  )
}

function Entrance(): ReactNode {
  const { t } = useTranslation('home')
  const user = useUser()
  if (user === undefined)
    return (
      <Button asChild size="lg">
        <Link to="/login">
          {t('sign-in')}
          <ArrowRight aria-hidden />
        </Link>
      </Button>
    )
  return (
    <>
      <Button asChild size="lg">
        <Link to="/token">
          {t('to-tokens')}
          <ArrowRight aria-hidden />
        </Link>
      </Button>
      <Button asChild size="lg" variant="outline">
        <Link to="/log">{t('to-logs')}</Link>
      </Button>
    </>
  )
}

/** The base URL an SDK is pointed at, and what is answered under it. */
function Address(): ReactNode {
  const { t } = useTranslation('home')
  const status = useSiteStatus()
  const address = `${clientAddress(status?.server_address, window.location.origin)}/v1`
  return (
    <Box bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel">
      <Flex align="center" gap="3" px="4" py="3" borderBottomWidth="1px" borderColor="border" wrap={{ base: 'wrap', sm: 'nowrap' }}>
        <Text textStyle="sm" color="text.muted" flexShrink="0">
          {t('base-url')}
        </Text>
        <chakra.code flex="1" minW="0" fontFamily="mono" textStyle="sm" color="text.strong" overflowWrap="anywhere">
          {address}
        </chakra.code>
        <CopyButton text={address} label={t('copy-base-url')} />
      </Flex>
      {ROUTES.map(({ method, path }) => (
        <Flex key={path} align="center" gap="3" px="4" h="9" _notLast={{ borderBottomWidth: '1px' }} borderColor="border" textStyle="xs">
          <Badge colorPalette={method === 'GET' ? 'success' : 'accent'} minW="11" justifyContent="center" fontFamily="mono">
            {method}
          </Badge>
          <chakra.code fontFamily="mono" color="text">
            {path}
          </chakra.code>
        </Flex>
      ))}
    </Box>
  )
}

const ROUTES = [
  { method: 'POST', path: '/v1/chat/completions' },
  { method: 'GET', path: '/v1/models' },
] as const
