/** Models of pictures that answer `predict` only: https://ai.google.dev/gemini-api/docs/imagen (read 2026-11-28) */
export const IMAGEN = /^imagen-|^imagegeneration@/
