import type { Language } from '@astropelago/contract/languages'

/** The build replaces it in each language's code. */
declare const ASTROPELAGO_LANGUAGE: Language

/** The language of this page. */
export const language: Language = ASTROPELAGO_LANGUAGE
