import * as v from 'valibot'
import { storedValue } from '../../../lib/stored-value.ts'

const stored = storedValue('astropelago.map.v1', v.picklist(['open', 'none']))

/** Whether this browser's visitor has asked for the built-in map. */
export const openMapChoice = {
  read: (): boolean => stored.read() === 'open',
  write: (isWanted: boolean): void => {
    // Where storage refuses, the choice holds until the page is left.
    stored.write(isWanted ? 'open' : 'none')
  },
}
