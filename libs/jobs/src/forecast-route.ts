import { RoutingForecast, RoutingQuestion, RoutingRefusal } from '@tollgate/contracts/channels/routing-forecast'
import { z } from 'zod'
import { job } from './job.ts'

export const forecastRoute = job('forecast-route', {
  summary: 'Says which channels a request would try, in which order and how probably.',
  queue: 'probe',
  attempts: 1,
  timeoutMs: 10_000,
  payload: RoutingQuestion,
  result: z.union([z.object({ refusal: RoutingRefusal }), z.object({ forecast: RoutingForecast })]),
})
