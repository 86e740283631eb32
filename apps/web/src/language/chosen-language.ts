import { type Language, languageCookie, languages } from '@astropelago/contract/languages'

/** The languages in themselves, for those who can't read the current one. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
} as const satisfies Record<Language, string>

const yearS = 365 * 24 * 60 * 60

/** Undefined if the browser's languages decide. */
export function chosenLanguage(): Language | undefined {
  const [, value] = new RegExp(`(?:^|; )${languageCookie}=([^;]*)`).exec(document.cookie) ?? []
  return languages.find((language) => language === value)
}

/** Loads the page again in this language, or in the browser's. */
export function chooseLanguage(language: Language | undefined): void {
  const ageS = language === undefined ? 0 : yearS
  const secure = window.location.protocol === 'https:' ? '; secure' : ''
  // Readable, because it says nothing about the user.
  document.cookie = `${languageCookie}=${language ?? ''}; path=/; max-age=${ageS}; samesite=lax${secure}`
  window.location.reload()
}
