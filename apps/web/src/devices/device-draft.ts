import { type DeviceDetails, type OwnDevice, Visibility } from '@astropelago/contract/devices'
import { Precision } from '@astropelago/contract/place'
import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { decimalNumber } from '../lib/decimal-number.ts'
import type { Reading } from '../lib/forms/reading.ts'
import { draftOfSchedule, readSchedule, ScheduleDraft } from './schedule-draft.ts'

/** A device as typed into the form. */
export const DeviceDraft = v.object({
  label: v.string(),
  lat: v.string(),
  lon: v.string(),
  precision: Precision,
  link: v.string(),
  visibility: Visibility,
  isShared: v.fallback(v.boolean(), false),
  ...ScheduleDraft.entries,
})
export type DeviceDraft = v.InferOutput<typeof DeviceDraft>

export type DraftedDevice = Omit<DeviceDetails, 'link' | 'schedule' | 'isShared'> &
  Partial<Pick<DeviceDetails, 'schedule'>> & { readonly link?: string; readonly isShared?: true }

export const emptyDraft: DeviceDraft = {
  label: '',
  lat: '',
  lon: '',
  // API calls without a precision show the exact place. The form is more careful, because users may not
  // think of this.
  precision: 'km10',
  link: '',
  visibility: 'public',
  isShared: false,
  ...draftOfSchedule(null),
}

/** How precisely others see a place. */
export const precisions = [
  { value: 'exact', name: t`Exactly` },
  { value: 'km1', name: t`Within about 1 km` },
  { value: 'km10', name: t`Within about 10 km` },
] as const

export const notANumber = t`Enter a number such as 48.2; use a point, not a comma.`

export function draftOf(device: OwnDevice): DeviceDraft {
  const { label, lat, lon, precision, link, visibility, isShared } = device
  return {
    label,
    lat: String(lat),
    lon: String(lon),
    precision,
    link: link ?? '',
    visibility,
    isShared,
    ...draftOfSchedule(device.schedule),
  }
}

/** Checks only what can't be sent at all. The server checks ranges and lengths. */
export function readDraft(draft: DeviceDraft): Reading<DraftedDevice> {
  const label = draft.label.trim()
  const lat = decimalNumber(draft.lat)
  const lon = decimalNumber(draft.lon)
  const link = draft.link.trim()
  const scheduled = readSchedule(draft)
  if (label === '' || lat === undefined || lon === undefined || 'problems' in scheduled) {
    return {
      problems: {
        ...(label === '' && { label: t`Enter a label.` }),
        ...(lat === undefined && { lat: notANumber }),
        ...(lon === undefined && { lon: notANumber }),
        ...('problems' in scheduled && scheduled.problems),
      },
    }
  }
  const { precision, visibility, isShared } = draft
  const schedule = scheduled.body
  return {
    body: {
      label,
      lat,
      lon,
      precision,
      visibility,
      ...(link !== '' && { link }),
      ...(schedule !== null && { schedule }),
      ...(isShared && { isShared }),
    },
  }
}
