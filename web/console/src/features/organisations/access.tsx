import { Box, Button, chakra, Flex, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { organisationAccess, type ScimGroup, type ScimToken } from '@tollgate/contracts/resources/organisation-access'
import { MEMBER_ROLES, type MemberRole } from '@tollgate/contracts/rights'
import { timeText } from '@tollgate/domain/display/time-text'
import { Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { may } from '../../lib/rights.ts'
import { failureText, report } from '../../lib/report.ts'
import { saying } from '../../lib/saying.ts'
import { useUser } from '../../lib/session.ts'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { SecretDialog } from '../../ui/overlay/secret-dialog.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { access, scimGroups, scimPeople, scimTokens, useAccessChange } from './access-api.ts'
import { ClaimsPanel, SignInPanel } from './sign-in-panels.tsx'
import { TokenDrawer } from './token-drawer.tsx'

type AccessProps = {
  readonly guarded: Guarded
  /** The session may change the required sign-in, and nothing else. */
  readonly isOnlyRule?: boolean
}

/** How people become members by an identity provider, and how they must sign in. */
export function AccessPanels({ guarded, isOnlyRule = false }: AccessProps): ReactNode {
  if (isOnlyRule) return <SignInPanel guarded={guarded} />
  return (
    <Stack gap="4">
      <SignInPanel guarded={guarded} />
      <ClaimsPanel />
      <ScimPanel guarded={guarded} />
      <GroupsPanel />
      <PeoplePanel />
    </Stack>
  )
}

function ScimPanel({ guarded }: { readonly guarded: Guarded }): ReactNode {
  const { t } = useTranslation(['organisations', 'display'])
  const mayWrite = may(useUser(), 'identity.write')
  const tokens = useQuery(scimTokens)
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | undefined>(undefined)
  return (
    <Panel
      title={t('scim.title')}
      help={t('scim.help')}
      isFlush
      action={
        mayWrite ? (
          <Button size="sm" variant="outline" onClick={() => setMaking(true)}>
            <Plus aria-hidden />
            {t('scim.create')}
          </Button>
        ) : undefined
      }
    >
      <ScimFacts />
      {tokens.error === null ? null : <ErrorState message={failureText(tokens.error) ?? ''} onRetry={() => void tokens.refetch()} />}
      {tokens.data?.length === 0 ? (
        <Text px="4" py="3" color="text.muted" borderTopWidth="1px" borderColor="border">
          {t('scim.none')}
        </Text>
      ) : null}
      {tokens.data?.map((token) => (
        <TokenRow key={token.id} token={token} guarded={guarded} onSecret={setSecret} />
      ))}
      {isMaking ? <TokenDrawer guarded={guarded} onMade={setSecret} onClose={() => setMaking(false)} /> : null}
      {secret === undefined ? null : (
        <SecretDialog title={t('scim.secret')} secret={secret} help={t('scim.secret-help')} onClose={() => setSecret(undefined)} />
      )}
    </Panel>
  )
}

/** The address, the domains that are proven, and the role of people without a group's. */
function ScimFacts(): ReactNode {
  const { t } = useTranslation('organisations')
  const { data, error, refetch } = useQuery(access)
  const mayWrite = may(useUser(), 'identity.write')
  const setting = useAccessChange((role: MemberRole) => call(organisationAccess.setProvisionedRole, { body: { role } }))
  if (data === undefined) return error === null ? null : <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} />
  const set = (value: string): void => {
    const role = MEMBER_ROLES.find((one) => one === value)
    if (role !== undefined) void saying(setting.mutateAsync(role), () => t('scim.role-set'))
  }
  return (
    <>
      <Stack gap="1" px="4" py="3">
        <Text textStyle="xs" color="text.muted">
          {t('scim.address')}
        </Text>
        <Flex align="center" gap="2">
          <chakra.code minW="0" overflowWrap="anywhere">
            {data.scim_url}
          </chakra.code>
          <CopyButton text={data.scim_url} />
        </Flex>
        <Text textStyle="sm" color="text.muted" pt="1">
          {data.domains.length === 0 ? t('scim.no-domains') : t('scim.domains', { domains: data.domains.join(', ') })}
        </Text>
      </Stack>
      <PanelRow
        title={t('scim.role')}
        action={
          mayWrite ? (
            <Box w="36">
              <Select
                isWide
                label={t('scim.role')}
                value={data.provisioned_role}
                choices={MEMBER_ROLES.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
                onChange={set}
              />
            </Box>
          ) : (
            <ToneTag tone="grey">{t(`roles.${data.provisioned_role}`)}</ToneTag>
          )
        }
      />
    </>
  )
}

type TokenProps = { readonly token: ScimToken; readonly guarded: Guarded; readonly onSecret: (secret: string) => void }

function TokenRow({ token: { id, name, created_by, created_at, expires_at, used_at }, guarded, onSecret }: TokenProps): ReactNode {
  const { t } = useTranslation('organisations')
  const mayWrite = may(useUser(), 'identity.write')
  const { ask, dialog } = useConfirm()
  const rotating = useAccessChange(() => guarded(() => call(organisationAccess.rotateToken, { params: { id } })))
  const removing = useAccessChange(() => call(organisationAccess.removeToken, { params: { id } }))
  const [openedAt] = useState(() => Date.now())
  const isExpired = expires_at > 0 && expires_at * 1000 <= openedAt
  const rotate = async (): Promise<void> => onSecret((await rotating.mutateAsync(undefined)).token)
  const facts = [
    t('scim.line', { name: created_by, time: timeText(created_at) }),
    used_at === 0 ? t('scim.unused') : t('scim.used', { time: timeText(used_at) }),
    ...(expires_at === 0 || isExpired ? [] : [t('scim.expires', { time: timeText(expires_at) })]),
  ]
  return (
    <PanelRow
      title={
        <Flex gap="2" align="center" wrap="wrap">
          {name}
          {isExpired ? <ToneTag tone="red">{t('scim.expired')}</ToneTag> : null}
        </Flex>
      }
      action={
        mayWrite ? (
          <Flex gap="1">
            <IconButton
              size="sm"
              variant="ghost"
              label={t('scim.rotate', { name })}
              onClick={() =>
                ask({
                  title: t('scim.rotate-title', { name }),
                  help: t('scim.rotate-help'),
                  confirm: t('scim.rotate', { name }),
                  // Not awaited: a proof may be asked for after this question.
                  run: () => void rotate().catch(report),
                })
              }
            >
              <RefreshCw />
            </IconButton>
            <IconButton
              size="sm"
              variant="ghost"
              label={t('scim.remove', { name })}
              onClick={() =>
                ask({
                  title: t('scim.remove-title', { name }),
                  help: t('scim.remove-help'),
                  confirm: t('scim.remove', { name }),
                  run: () => saying(removing.mutateAsync(undefined), () => t('scim.removed')),
                })
              }
            >
              <Trash2 />
            </IconButton>
          </Flex>
        ) : undefined
      }
    >
      {facts.join(' · ')}
      {dialog}
    </PanelRow>
  )
}

function GroupsPanel(): ReactNode {
  const { t } = useTranslation('organisations')
  const { data } = useQuery(scimGroups)
  if (data === undefined || data.length === 0) return null
  return (
    <Panel title={t('groups.title')} help={t('groups.help')} isFlush>
      {data.map((group) => (
        <GroupRow key={group.id} group={group} />
      ))}
    </Panel>
  )
}

function GroupRow({ group: { id, name, role, members } }: { readonly group: ScimGroup }): ReactNode {
  const { t } = useTranslation('organisations')
  const mayWrite = may(useUser(), 'identity.write')
  const giving = useAccessChange((given: MemberRole | null) => call(organisationAccess.setGroupRole, { body: { id, role: given } }))
  const give = (value: string): void => {
    const given = MEMBER_ROLES.find((one) => one === value) ?? null
    void saying(giving.mutateAsync(given), () => t('scim.role-set'))
  }
  const label = role === null ? t('groups.no-role') : t(`roles.${role}`)
  return (
    <PanelRow
      title={name}
      action={
        mayWrite ? (
          <Box w="36">
            <Select
              isWide
              label={t('groups.role', { name })}
              value={role ?? ''}
              choices={[
                { value: '', label: t('groups.no-role') },
                ...MEMBER_ROLES.map((one) => ({ value: one, label: t(`roles.${one}`) })),
              ]}
              onChange={give}
            />
          </Box>
        ) : (
          <ToneTag tone="grey">{label}</ToneTag>
        )
      }
    >
      {t('groups.members', { count: members })}
    </PanelRow>
  )
}

/** Provisioned people who are not members: members are in their own list. */
function PeoplePanel(): ReactNode {
  const { t } = useTranslation('organisations')
  const { data } = useQuery(scimPeople)
  const others = data?.filter(({ state }) => state !== 'member') ?? []
  if (others.length === 0) return null
  return (
    <Panel title={t('people.title')} help={t('people.help')} isFlush>
      <Box maxH="80" overflowY="auto">
        {others.map(({ id, user_name, email, state }) => (
          <PanelRow
            key={id}
            title={user_name}
            action={
              <ToneTag tone={state === 'inactive' ? 'grey' : 'orange'}>
                {t(state === 'inactive' ? 'people.inactive' : 'people.waiting')}
              </ToneTag>
            }
          >
            {email === user_name ? null : email}
          </PanelRow>
        ))}
      </Box>
    </Panel>
  )
}
