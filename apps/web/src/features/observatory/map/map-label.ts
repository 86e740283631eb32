const labelCharacters = 12
const idCharacters = 8

/** Characters as people count them: an emoji of several code points is one. */
const characters = new Intl.Segmenter()

/** What stands beside a node: its label, cut; where it has none, the start of its id. */
export function mapLabel(label: string, id: string): string {
  if (label === '') return id.slice(0, idCharacters)
  let length = 0
  let count = 0
  for (const { segment } of characters.segment(label)) {
    if (count === labelCharacters) break
    count += 1
    length += segment.length
  }
  return label.slice(0, length)
}
