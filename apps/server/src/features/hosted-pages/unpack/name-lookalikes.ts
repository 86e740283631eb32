/** Pairs: a character, and the one of a to z that it looks like; l for all of i, l and 1. */
const pairs =
  'аaвbгrеeзeиuіlјjкkмmнhоoпnрpсcтtуyхxшwьbѕsԁdԛqԝwһhӏlԍgαaβbγyεeζzηnιlκkμmνvοoρpσoτtυuχxωwılɑaɡgłløođdħhᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪlᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz@a$s3e4a5s7t0o1lil'
const lookalikes = new Map(pairs.match(/../gu)?.map(([from = '', to = '']) => [from, to]))
const foreign = new RegExp(`[${[...lookalikes.keys()].join('')}]`, 'gu')

/** A shorter name is found only as words of its own, because many words contain it. */
const shortLength = 5

/** Of all headings of a page together. */
const headingsMaxLength = 64 * 1024

/** Tells whether a heading contains one of the names, or what looks like it. */
export function nameFinder(names: readonly string[]): (headings: readonly string[]) => boolean {
  const wanted = names.map(skeletons).filter((words) => words.length > 0)
  return (headings) => {
    // U+0000 shows nothing, so between headings it keeps their words apart.
    const plain = headings.map((heading) => heading.replaceAll('\0', ''))
    const words = skeletons(plain.join('\0').slice(0, headingsMaxLength))
    const joined = words.join('')
    const spaced = ` ${words.join(' ')} `
    return wanted.some((name) => {
      const whole = name.join('')
      return whole.length < shortLength
        ? spaced.includes(` ${name.join(' ')} `)
        : joined.includes(whole)
    })
  }
}

/** The words of a text, the same for words that look alike. */
function skeletons(text: string): string[] {
  // Marks go first: decomposing takes long for piles of them.
  const plain = text.replace(hidden, '').normalize('NFKD').replace(hidden, '').toLowerCase()
  const latin = plain.replace(foreign, (character) => lookalikes.get(character) ?? character)
  const words = latin.match(/[\p{L}\p{N}]+|\0/gu) ?? []
  return words.map((word) => word.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('cl', 'd'))
}

const hidden = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu
