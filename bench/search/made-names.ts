/** Words in names. Each is in some 75,000 of a million names. */
const nameWords = [
  'harbor',
  'lantern',
  'north',
  'weather',
  'attic',
  'garden',
  'pi',
  'server',
  'camera',
  'lab',
  'music',
  'archive',
  'beacon',
  'tower',
  'island',
  'kitchen',
  'station',
  'relay',
  'museum',
  'lighthouse',
]

/** A word's index in the list for a numbered name, in JavaScript and in SQL. */
const firstStep = 7919
const secondStep = 104_729

/** Every fourth name is like that of a device that nobody named. */
export function madeName(number: number): string {
  if (number % 4 === 0) return `Node ${number}`
  const wordAt = (step: number) => nameWords[Math.floor((number * step) / 8) % nameWords.length]
  return `${wordAt(firstStep)} ${wordAt(secondStep)} ${number}`
}

/** The same in PostgreSQL's SQL, for a numeric expression. */
export function madeNameSql(number: string): string {
  const list = `array[${nameWords.map((word) => `'${word}'`).join(', ')}]`
  const wordAt = (step: number) =>
    `(${list})[1 + (${number}::bigint * ${step} / 8) % ${nameWords.length}]`
  return `case when ${number} % 4 = 0 then 'Node ' || ${number}
    else ${wordAt(firstStep)} || ' ' || ${wordAt(secondStep)} || ' ' || ${number} end`
}

/** Queries, typed letter by letter: common, rare, without hits, within words, mistyped. */
const typed = [
  'node 123456',
  'harbor lantern',
  'kitchen 77',
  'lighthouse',
  'north museum 9',
  'ode 5',
  'arbor',
  'ighthous',
  '111111',
  '99 relay',
  'zanzibar',
  'the tower of music',
  'camera camera',
  'weahter',
  'q',
  'é',
]

export const keystrokes = typed.flatMap((text) =>
  Array.from({ length: text.length }, (_, at) => text.slice(0, at + 1)),
)
