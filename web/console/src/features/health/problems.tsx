import { chakra, Link, Stack, Text } from '@chakra-ui/react'
import { Link as RouterLink, type LinkProps } from '@tanstack/react-router'
import { Role } from '@tollgate/contracts/enums'
import type { HealthProblem, HealthProblemCode } from '@tollgate/contracts/resources/health'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { session } from '../../lib/session.ts'

type Way = {
  readonly text: 'open-prices' | 'open-catalogue' | 'open-notifications' | 'open-mail' | 'open-failing'
  readonly link: LinkProps
  /** True if all readers of this page may open it; else root only. */
  readonly isForAdmins?: true
}

const setting = (keyword: string): LinkProps => ({ to: '/setting', search: { keyword } })

/** The page where a problem is solved. */
const WAYS: Readonly<Partial<Record<HealthProblemCode, Way>>> = {
  'unpriced-models': { text: 'open-prices', link: setting('ModelRatio') },
  'output-unpriced': { text: 'open-catalogue', link: { to: '/setting', search: { keyword: 'ModelRatio', tool: 'catalogue' } } },
  'roots-unreached': { text: 'open-notifications', link: { to: '/personal' } },
  'channels-failing': { text: 'open-failing', link: { to: '/channel', search: { state: 'failing' } }, isForAdmins: true },
  'mail-unset': { text: 'open-mail', link: setting('SMTPServer') },
}

/** Problems that need an operator, worst first, each with its remedy; or that there are none. */
export function Problems({ problems }: { readonly problems: readonly HealthProblem[] }): ReactNode {
  const { t } = useTranslation('health')
  if (problems.length === 0) return <Line palette="success" icon={<CircleCheck size={18} aria-hidden />} title={t('well')} />
  return (
    <Stack as="section" aria-label={t('problems')} gap="2">
      {problems.map(({ code, level, values }) => {
        // Each code brings the values that its texts name.
        const text = code as 'no-relay'
        return (
          <Line
            key={`${code}-${JSON.stringify(values)}`}
            palette={level === 'bad' ? 'danger' : 'warning'}
            icon={level === 'bad' ? <CircleAlert size={18} aria-hidden /> : <TriangleAlert size={18} aria-hidden />}
            title={t(`problem.${text}.title`, values)}
            help={t(`problem.${text}.help`)}
            way={session.user()?.role === Role.root || WAYS[code]?.isForAdmins === true ? WAYS[code] : undefined}
          />
        )
      })}
    </Stack>
  )
}

type LineProps = {
  readonly palette: 'success' | 'warning' | 'danger'
  readonly icon: ReactNode
  readonly title: string
  readonly help?: string
  readonly way?: Way | undefined
}

function Line({ palette, icon, title, help, way }: LineProps): ReactNode {
  const { t } = useTranslation('health')
  return (
    <chakra.div
      display="flex"
      gap="3"
      px="4"
      py="2.5"
      borderWidth="1px"
      borderRadius="panel"
      borderColor={`${palette}.border`}
      bg={`${palette}.subtle`}
    >
      <chakra.span color={`${palette}.fg`} flexShrink="0" mt="0.5">
        {icon}
      </chakra.span>
      <chakra.div minW="0">
        <Text color={`${palette}.fg`} fontWeight="medium" overflowWrap="anywhere">
          {title}
        </Text>
        {help === undefined ? null : (
          <Text textStyle="sm" color="text">
            {help}
          </Text>
        )}
        {way === undefined ? null : (
          <Link textStyle="sm" asChild>
            <RouterLink {...way.link}>{t(way.text)}</RouterLink>
          </Link>
        )}
      </chakra.div>
    </chakra.div>
  )
}
