/** The translations by the English sentences. `{0}` and so on are the values in them. The build fills it in. */
declare const ASTROPELAGO_SERVER_SENTENCES: Readonly<Record<string, string>>

const translations = ASTROPELAGO_SERVER_SENTENCES

const patterns = Object.keys(translations)
  .filter((english) => english.includes('{0}'))
  .map((english) => ({ english, pattern: patternOf(english) }))

function patternOf(english: string): RegExp {
  const parts = english
    .split(/\{\d\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('(.+)')}$`)
}

/** A sentence of the server or the contract in the page's language; in English if it has no translation. */
export function translateServerSentence(sentence: string): string {
  const translation = translations[sentence]
  if (translation !== undefined) return translation
  for (const { english, pattern } of patterns) {
    const [, ...values] = pattern.exec(sentence) ?? []
    if (values.length === 0) continue
    return (translations[english] ?? sentence).replaceAll(
      /\{(\d)\}/g,
      (_, index: string) => values[Number(index)] ?? '',
    )
  }
  return sentence
}
