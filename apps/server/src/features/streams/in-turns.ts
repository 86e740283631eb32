/**
 * Does something for keys, one after the other. A key that comes while its turn is to come waits for that
 * one; what came while it was at work gets another: so each turn begins after whatever it was asked for.
 */
export function inTurns<Key>(
  act: (key: Key) => Promise<void>,
  onFailure: (key: Key, error: unknown) => void,
): (key: Key) => Promise<void> {
  const waiting = new Map<Key, Promise<void>>()
  let last: Promise<void> = Promise.resolve()
  return (key) => {
    const known = waiting.get(key)
    if (known !== undefined) return known
    const before = last
    const takeTurn = async () => {
      await before
      waiting.delete(key)
      try {
        await act(key)
      } catch (error) {
        onFailure(key, error)
      }
    }
    const turn = takeTurn()
    waiting.set(key, turn)
    last = turn
    return turn
  }
}
