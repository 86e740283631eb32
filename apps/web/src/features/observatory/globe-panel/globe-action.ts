/** What keys and buttons do with the globe. */
export type GlobeAction =
  | 'turn-west'
  | 'turn-east'
  | 'turn-north'
  | 'turn-south'
  | 'zoom-in'
  | 'zoom-out'
  | 'reset'
  | 'next-node'
  | 'previous-node'
  | 'open'
  | 'leave'

const actionByKey = new Map<string, GlobeAction>(
  Object.entries({
    ArrowLeft: 'turn-west',
    ArrowRight: 'turn-east',
    ArrowUp: 'turn-north',
    ArrowDown: 'turn-south',
    '+': 'zoom-in',
    // The same key without Shift, on many keyboards.
    '=': 'zoom-in',
    '-': 'zoom-out',
    _: 'zoom-out',
    Home: 'reset',
    n: 'next-node',
    p: 'previous-node',
    Enter: 'open',
    Escape: 'leave',
  } satisfies Record<string, GlobeAction>),
)

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Undefined for keys that are the browser's own, such as Ctrl and +. */
export function actionOfKey({ key, ctrlKey, metaKey, altKey }: KeyPress): GlobeAction | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  return actionByKey.get(key.length === 1 ? key.toLowerCase() : key)
}
