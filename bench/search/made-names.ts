/** Words as they stand in names, of which each is in some 75,000 of a million. */
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

/** The place of a word in the list for the name of a number: in JavaScript and in SQL. */
const firstStep = 7919
const secondStep = 104_729

/** Every fourth is called as devices are that nobody named. */
export function madeName(number: number): string {
  if (number % 4 === 0) return `Node ${number}`
  const wordAt = (step: number) => nameWords[Math.floor((number * step) / 8) % nameWords.length]
  return `${wordAt(firstStep)} ${wordAt(secondStep)} ${number}`
}

/** The same in PostgreSQL's SQL, of an expression that is a number. */
export function madeNameSql(number: string): string {
  const list = `array[${nameWords.map((word) => `'${word}'`).join(', ')}]`
  const wordAt = (step: number) =>
    `(${list})[1 + (${number}::bigint * ${step} / 8) % ${nameWords.length}]`
  return `case when ${number} % 4 = 0 then 'Node ' || ${number}
    else ${wordAt(firstStep)} || ' ' || ${wordAt(secondStep)} || ' ' || ${number} end`
}

/** What people type, each of its beginnings a keystroke: common, rare, nothing, within words, mistyped. */
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
