import { createFileRoute } from '@tanstack/react-router'

type LoginSearch = { readonly expired?: true; readonly aff?: string }

export const Route = createFileRoute('/login')({
  validateSearch: (search): LoginSearch => ({
    ...(search['expired'] === true || search['expired'] === 'true' ? { expired: true } : {}),
    ...(search['aff'] === undefined ? {} : { aff: String(search['aff']) }),
  }),
})
