import { Counter, Rate, Trend } from 'k6/metrics'

/** What k6 does not measure by itself. Thresholds over them: course.ts. */
export const streamDuration = new Trend('stream_duration', true)
/** Answers with status 200 that somebody pays for. */
export const paidAnswers = new Counter('paid_answers')
/** Connections that broke or were not answered in time, and answers with a status above 499. */
export const noAnswer = new Counter('no_answer')
export const serverErrors = new Counter('server_errors')
/** What is charged after the course, in quota. */
export const charged = new Counter('charged_quota')
/** Paid answers minus rows of the log; above 0: an answer was given and not logged. */
export const answersWithoutRow = new Counter('answers_without_log')
/** Rows of the log minus every request that may have made one; above 0: a row that no request explains. */
export const rowsWithoutRequest = new Counter('logs_without_request')
/** Each comparison after the course. */
export const exact = new Rate('ledger_exact')
