import type { Language } from '@astropelago/contract/languages'

/** The language of this page. The build replaces the constant in each language's code. */
export const language: Language = ASTROPELAGO_LANGUAGE
