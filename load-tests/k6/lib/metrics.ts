import { Counter, Rate, Trend } from 'k6/metrics'

/** The thresholds are in profile.ts. */
export const streamDuration = new Trend('stream_duration', true)
/** Responses with status 200, which are charged. */
export const paidAnswers = new Counter('paid_answers')
/** Failed connections and timeouts (`no_answer`), and responses with a status above 499. */
export const noAnswer = new Counter('no_answer')
export const serverErrors = new Counter('server_errors')
/** Quota charged in the run. */
export const charged = new Counter('charged_quota')
/** Paid responses minus log rows; above 0, a response was not logged. */
export const answersWithoutRow = new Counter('answers_without_log')
/** Log rows minus every request that may have caused one; above 0, a row has no request. */
export const rowsWithoutRequest = new Counter('logs_without_request')
/** Comparisons after the run. */
export const exact = new Rate('ledger_exact')
