import * as v from 'valibot'
import { storedValue } from '../../lib/stored-value.ts'

/**
 * Whether the banner was dismissed. index.html reads the same entry before the first paint. A new banner
 * text needs a new version in both places.
 */
export const dismissedNotice = storedValue(
  'astropelago.under-construction-dismissed.v1',
  v.literal(true),
)
