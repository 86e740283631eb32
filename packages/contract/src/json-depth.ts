const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const space = /[ \t\n\r]+/y
const lastSpace = 0x20

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/**
 * How deep arrays and objects are nested in a JSON text, 0 for a bare value; undefined if the text is not
 * JSON. It builds no values: for half a megabyte of keys, `JSON.parse` takes ten times as long.
 * @param limit the text is not read further once it is nested deeper than this
 */
export function jsonDepth(text: string, limit = Infinity): number | undefined {
  /** The open arrays and objects: true for an object. */
  const open: boolean[] = []
  let deepest = 0
  let at = 0
  const skip = (token: RegExp) => {
    token.lastIndex = at
    const isThere = token.test(text)
    if (isThere) at = token.lastIndex
    return isThere
  }
  const skipSpace = () => {
    if (text.charCodeAt(at) <= lastSpace) skip(space)
  }
  const skipName = () => {
    if (!skip(string)) return false
    skipSpace()
    if (text.charCodeAt(at++) !== colon) return false
    skipSpace()
    return true
  }

  skipSpace()
  for (;;) {
    // A value begins here.
    const code = text.charCodeAt(at)
    let isValueOver = true
    if (code === openList || code === openObject) {
      at += 1
      skipSpace()
      const isObject = code === openObject
      deepest = Math.max(deepest, open.push(isObject))
      if (deepest > limit) return deepest
      if (text.charCodeAt(at) !== (isObject ? closeObject : closeList)) {
        if (isObject && !skipName()) return undefined
        isValueOver = false
      }
    } else if (!skip(code === quote ? string : scalar)) return undefined

    while (isValueOver) {
      skipSpace()
      const isObject = open.at(-1)
      if (isObject === undefined) return at === text.length ? deepest : undefined
      const next = text.charCodeAt(at++)
      if (next === comma) {
        skipSpace()
        if (isObject && !skipName()) return undefined
        isValueOver = false
      } else if (next === (isObject ? closeObject : closeList)) open.pop()
      else return undefined
    }
  }
}
