/** The translations by the English sentences. The build fills it in. */
declare const ASTROPELAGO_SERVER_SENTENCES: Readonly<Record<string, string>>

/**
 * Translates sentences of the server and the contract. One without a translation stays English.
 * @param translations by the English sentences, with `{0}` and so on in place of values
 */
export function createTranslator(translations: Readonly<Record<string, string>>) {
  const texts = new Map(Object.entries(translations))
  const patterns = [...texts]
    .filter(([english]) => english.includes('{0}'))
    .map(([english, text]) => ({ pattern: patternOf(english), text }))
  return (sentence: string): string => {
    const translation = texts.get(sentence)
    if (translation !== undefined) return translation
    for (const { pattern, text } of patterns) {
      const [found, ...values] = pattern.exec(sentence) ?? []
      if (found === undefined) continue
      return text.replaceAll(/\{(\d)\}/g, (_, index: string) => values[Number(index)] ?? '')
    }
    return sentence
  }
}

function patternOf(english: string): RegExp {
  const parts = english
    .split(/\{\d\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('(.+)')}$`)
}

/** A sentence of the server or the contract in the page's language. */
export const translateServerSentence = createTranslator(ASTROPELAGO_SERVER_SENTENCES)
