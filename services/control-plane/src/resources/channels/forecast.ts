import { AppError } from '@tollgate/contracts/app-error'
import type { PricedForecast } from '@tollgate/contracts/resources/channels'
import type { RoutingQuestion } from '@tollgate/contracts/channels/routing-forecast'
import type { Deps } from '../../deps.ts'
import { knownPriceChanges } from '../pricing/known-changes.ts'

const DEADLINE_MS = 12_000

/**
 * Asks the worker, which knows what each vendor supports, and adds the prices of the model that change soon. Rejects with the error that
 * the relay would answer.
 */
export async function forecastRoute(
  deps: Pick<Deps, 'jobs' | 'db' | 'options' | 'now'>,
  question: RoutingQuestion,
): Promise<PricedForecast> {
  const answer = await deps.jobs.ask('forecast-route', question, DEADLINE_MS)
  if (answer === 'timeout') throw new AppError('channels.test-late')
  if ('forecast' in answer) {
    const coming_prices = await knownPriceChanges(deps, question.model)
    return { ...answer.forecast, ...(coming_prices.length === 0 ? {} : { coming_prices }) }
  }
  const { code, ...facts } = answer.refusal
  throw new AppError(code, facts)
}
