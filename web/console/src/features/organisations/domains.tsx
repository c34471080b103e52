import { Flex, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { organisationAccess } from '@tollgate/contracts/resources/organisation-access'
import type { OrganisationRow } from '@tollgate/contracts/resources/organisations'
import { Pencil } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { ManagedMark } from '../../ui/display/managed-note.tsx'
import { LoadingDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { SwitchField } from '../../ui/form/labelled-field.tsx'
import { ListField } from '../../ui/form/list-field.tsx'
import { useResourceForm } from '../../ui/form/use-resource-form.ts'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { allOrganisations, trustOf, useAccessChange } from './access-api.ts'

/** For root: which domains are an organisation's. */
export function DomainsPanel(): ReactNode {
  const { t } = useTranslation('organisations')
  const { data, error, refetch } = useQuery(allOrganisations)
  const [edited, setEdited] = useState<OrganisationRow | undefined>(undefined)
  return (
    <Panel title={t('trust.title')} help={t('trust.help')} isFlush>
      {error === null ? null : <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} />}
      {data?.items.length === 0 ? (
        <Text px="4" py="3" color="text.muted">
          {t('trust.none')}
        </Text>
      ) : null}
      {data?.items.map((row) => (
        <PanelRow
          key={row.id}
          title={
            <Flex gap="2" align="center" wrap="wrap">
              {row.name}
              <ManagedMark record={row} />
            </Flex>
          }
          action={
            <IconButton size="sm" variant="ghost" label={t('trust.edit', { name: row.name })} onClick={() => setEdited(row)}>
              <Pencil />
            </IconButton>
          }
        >
          {t('trust.owners', { names: row.owners.join(', ') })}
        </PanelRow>
      ))}
      {edited === undefined ? null : <Edited row={edited} onClose={() => setEdited(undefined)} />}
    </Panel>
  )
}

type EditedProps = { readonly row: OrganisationRow; readonly onClose: () => void }

function Edited({ row, onClose }: EditedProps): ReactNode {
  const { t } = useTranslation('organisations')
  return (
    <LoadingDrawer title={t('trust.edit', { name: row.name })} query={useQuery(trustOf(row.id))} onClose={onClose}>
      {(trust) => <DomainsDrawer row={row} trust={trust} onClose={onClose} />}
    </LoadingDrawer>
  )
}

const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

type Trust = { readonly domains: readonly string[]; readonly maps_claims: boolean }

function DomainsDrawer({ row: { id, name }, trust, onClose }: EditedProps & { readonly trust: Trust }): ReactNode {
  const { t } = useTranslation('organisations')
  const saving = useAccessChange((body: { domains: string[]; maps_claims: boolean }) =>
    call(organisationAccess.setTrust, { params: { id }, body }),
  )
  const form = useResourceForm({
    initial: { domains: trust.domains.join(','), maps_claims: trust.maps_claims },
    isNew: false,
    problemsOf: () => [],
    save: async (values) => {
      const domains = values.domains.split(',').filter((one) => one !== '')
      await saving.mutateAsync({ domains, maps_claims: values.maps_claims })
      toast.success(t('trust.saved'))
    },
    onSaved: onClose,
  })
  return (
    <FormDrawer title={t('trust.edit', { name })} form={form} onClose={onClose}>
      <ListField
        label={t('trust.domains')}
        help={t('trust.domains-help')}
        placeholder="acme.example"
        problemOf={(entry) => (DOMAIN.test(entry) ? undefined : t('trust.wrong'))}
        repeated={t('trust.repeated')}
        ignoresCase
        {...form.field('domains')}
      />
      <SwitchField label={t('trust.claims')} help={t('trust.claims-help')} {...form.field('maps_claims')} />
    </FormDrawer>
  )
}
