const quote = 0x22
const backslash = 0x5c
const openings = new Set([0x5b, 0x7b])
const closings = new Set([0x5d, 0x7d])

/** How deep arrays and objects are nested in a JSON text: 0 for a bare value. */
export function jsonDepth(json: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i)
    if (isInString) {
      if (code === backslash) i += 1
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (openings.has(code)) deepest = Math.max(deepest, ++depth)
    else if (closings.has(code)) depth -= 1
  }
  return deepest
}
