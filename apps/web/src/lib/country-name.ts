import { language } from '../language/language.ts'

const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })

/** @param code ISO 3166, such as 'AU' */
export function countryName(code: string): string | undefined {
  return names.of(code)
}
