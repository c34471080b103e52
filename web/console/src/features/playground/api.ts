import { queryOptions } from '@tanstack/react-query'
import { playground, type PlaygroundBody } from '@tollgate/contracts/resources/playground'
import { self } from '@tollgate/contracts/resources/self'
import { call, keyOf, open } from '../../lib/api.ts'

export const ownGroups = queryOptions({
  queryKey: keyOf(self.groups),
  queryFn: ({ signal }) => call(self.groups, { signal }),
  staleTime: 60_000,
})

export const ownModels = queryOptions({
  queryKey: keyOf(self.models),
  queryFn: ({ signal }) => call(self.models, { signal }),
  staleTime: 60_000,
})

/** Opens the stream of an answer, or gets the response that refuses it. */
export const askModel = (body: PlaygroundBody, signal: AbortSignal): Promise<Response> => open(playground.chat, { body, signal })
