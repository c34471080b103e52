import type { html } from 'hono/html'

/** The text of a template: Hono's is an object. */
export const textOf = async (part: ReturnType<typeof html>): Promise<string> => `${await part}`
