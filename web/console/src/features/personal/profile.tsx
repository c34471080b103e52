import { Badge, chakra, Flex, Heading } from '@chakra-ui/react'
import { Role } from '@tollgate/contracts/enums'
import type { User } from '@tollgate/contracts/resources/users'
import { groupDigits } from '@tollgate/domain/display/count-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar, shownName } from '../../ui/display/avatar.tsx'
import { CopyId } from '../../ui/display/copy-button.tsx'
import { Fact, FactsList } from '../../ui/display/facts-list.tsx'
import { QuotaText } from '../../ui/display/quota-text.tsx'
import { StatCard, StatRow } from '../../ui/display/stat-card.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'

/** Avatar, names, role, group, and what was spent. */
export function Profile({ account, action }: { readonly account: User; readonly action?: ReactNode }): ReactNode {
  const { t } = useTranslation('personal')
  return (
    <chakra.section aria-label={t('profile')} bg="panel" borderWidth="1px" borderColor="border" borderRadius="panel" p="4">
      <Flex gap="3" align="center" wrap="wrap" mb="4">
        <Avatar isLarge name={shownName(account)} />
        <chakra.div flex="1" minW="12rem">
          <Flex gap="2" align="center" wrap="wrap">
            <Heading as="h2" textStyle="section" color="text.strong" overflowWrap="anywhere">
              {shownName(account)}
            </Heading>
            <RoleTag role={account.role} />
          </Flex>
          <FactsList isInline>
            <Fact name={t('username')}>{account.username}</Fact>
            <Fact name="ID">
              <CopyId text={String(account.id)} />
            </Fact>
            <Fact name={t('group')}>
              <ToneTag tone="grey">{account.group}</ToneTag>
            </Fact>
          </FactsList>
        </chakra.div>
        {action}
      </Flex>
      <StatRow>
        <StatCard label={t('balance')}>
          <QuotaText quota={account.quota} />
        </StatCard>
        <StatCard label={t('spent')}>
          <QuotaText quota={account.used_quota} />
        </StatCard>
        <StatCard label={t('requests')}>{groupDigits(account.request_count)}</StatCard>
      </StatRow>
    </chakra.section>
  )
}

/** Role 100 and more, and by the reading of Q-06 role 10, is an administrator. */
function RoleTag({ role }: { readonly role: number }): ReactNode {
  const { t } = useTranslation('personal')
  const isAdmin = role >= Role.admin
  return <Badge colorPalette={isAdmin ? 'accent' : 'neutral'}>{t(isAdmin ? 'role-admin' : 'role-user')}</Badge>
}
