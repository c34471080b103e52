import { AppError } from '@tollgate/contracts/app-error'
import type { RoutingForecast, RoutingQuestion } from '@tollgate/contracts/routing-forecast'
import type { Deps } from '../../deps.ts'

const DEADLINE_MS = 12_000

/** Asks the worker, which knows what each vendor supports. Rejects with the error that the relay would answer. */
export async function forecastRoute(deps: Pick<Deps, 'jobs'>, question: RoutingQuestion): Promise<RoutingForecast> {
  const answer = await deps.jobs.ask('forecast-route', question, DEADLINE_MS)
  if (answer === 'timeout') throw new AppError('channels.test-late')
  if ('forecast' in answer) return answer.forecast
  const { code, ...facts } = answer.refusal
  throw new AppError(code, facts)
}
