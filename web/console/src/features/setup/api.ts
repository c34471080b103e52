import { queryOptions, useMutation } from '@tanstack/react-query'
import { setup, type SetupBody } from '@tollgate/contracts/resources/setup'
import { call, callForMessage, keyOf } from '../../lib/api.ts'

/** The page tells a failure itself, with the text the specification gives. */
export const setupStatus = queryOptions({
  queryKey: keyOf(setup.get),
  queryFn: ({ signal }) => call(setup.get, { signal }),
  retry: false,
  meta: { quiet: true },
})

export function useInitialise() {
  return useMutation({ mutationFn: (body: SetupBody) => callForMessage(setup.create, { body }), meta: { quiet: true } })
}
