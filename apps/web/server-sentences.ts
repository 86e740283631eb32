import type { ExtractorType } from '@lingui/conf'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

/** Marks these sentences in the files of translators, and for the build. */
export const serverSentenceNote = 'A sentence of the server.'

/**
 * Finds the sentences that the server answers with: those of the contract, and those of files that refuse
 * something. They stay English there; the web app translates them where it shows them. A value within a
 * sentence is a number in braces.
 */
export const serverSentences: ExtractorType = {
  match: (filename) =>
    /\/(packages\/contract|apps\/server)\/src\//.test(filename) && !filename.endsWith('.test.ts'),
  async extract(filename, code, found) {
    // Operators also read why a neighbour is held or out of reach.
    const isShown =
      /\/(contract|features\/neighbours)\//.test(filename) || code.includes('new DomainError(')
    if (!isShown) return
    // Import on demand, because builds need only the note.
    const { parseSync, Visitor } = await import('oxc-parser')
    const add = (message: string, at: number) => {
      const line = code.slice(0, at).split('\n').length
      const comment = serverSentenceNote
      found({ id: generateMessageId(message), message, comment, origin: [filename, line] })
    }
    const visitor = new Visitor({
      Literal: ({ value, start }) => {
        if (typeof value === 'string' && isSentence(value)) add(value, start)
      },
      // Some have no full stop.
      Property: ({ key, value }) => {
        const isOne = key.type === 'Identifier' && key.name === 'sentence'
        if (isOne && value.type === 'Literal' && typeof value.value === 'string') {
          add(value.value, value.start)
        }
      },
      TemplateLiteral: ({ quasis, start }) => {
        const texts = quasis.map(({ value }) => value.cooked ?? '')
        const sentence = texts.reduce((all, text, index) => `${all}{${index - 1}}${text}`)
        if (isSentence(sentence)) add(sentence, start)
      },
    })
    visitor.visit(parseSync(filename, code).program)
  },
}

/** Titles of the API's description have no full stop. */
function isSentence(text: string): boolean {
  return /^\p{Lu}[^\n<]* [^\n<]*[.?!]$/u.test(text)
}
